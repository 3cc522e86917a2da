// What the author of a plugin writes against: requests, identifiers and refusals belong to it.
@_exported public import Scheduling
