import MailHandlers
import Plugins

/// What `runner-plugin-host` calls after it has loaded this library.
@_cdecl("runner_plugin_main")
public func runPlugin(on descriptor: Int32) -> Int32 {
    Mail.run(on: descriptor)
}
