@_exported public import Plugins
@_exported public import Scheduling
