package import RPC
package import Scheduling

extension Refusal {
    /// What the runner refused, as the caller in the plugin is told.
    package init(_ error: ResponseError) {
        // An error that no rule of the scheduler makes: the channel's own limits, or a runner that is newer.
        let kind = Kind(rawValue: error.kind) ?? .unavailable
        let related = error.data?["related"]?.array?.compactMap(\.string) ?? []
        self.init(
            kind, error.message, nearest: error.data?["nearest"]?.string, related: related,
            member: error.data?["member"]?.string)
    }
}
