// What a test says of handlers, requests and refusals.
@_exported public import Plugins
@_exported public import Scheduling
