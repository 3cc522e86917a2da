import Arguments
import RPC
import Scheduling

/// What `plugin new` says it has made, and what to do next.
struct PluginReport {
    let names: BundleNames
    let language: PluginLanguage
    /// The folder that it was made in.
    let parent: String
    /// What was made: a bundle, or the package of one.
    let folder: String
    let files: [TemplateFile]

    var json: String {
        var writer = JSONWriter()
        writer.object { writer in
            writer.member("app", names.app.text)
            writer.member("task", names.task.text)
            writer.member("bundle", bundle)
            writer.member("files", strings: files.map { "\(folder)/\($0.path)" })
        }
        writer.endLine()
        return String(decoding: writer.bytes, as: UTF8.self)
    }

    var text: String {
        var lines = files.map { "\(folder)/\($0.path)" }
        lines += ["", "The app \(names.app) with the task \(names.task). Next:"]
        let build = language.isBuilt ? ["make -C \(ShellWord.quoted(folder))"] : []
        let commands =
            build + [
                "runnerctl manifest check \(ShellWord.quoted(bundle))",
                "runnerd --foreground --plugins \(ShellWord.quoted(language.isBuilt ? folder : parent))",
                "runnerctl simulate-launch \(names.task) --submit --wait",
            ]
        lines += commands.map { "    \($0)" }
        return lines.map { Printable.text($0) + "\n" }.joined()
    }

    // MARK: Private

    /// The bundle, which in some languages is yet to be built.
    private var bundle: String {
        language.isBuilt ? "\(folder)/\(names.bundle)" : folder
    }
}
