import Arguments
import RPC

/// Why a command could not do what it should.
enum ControlFailure: Error {
    case usage(UsageError)
    /// The daemon answered that the command line makes no sense, and how it said so.
    case misunderstood(UsageError, ResponseError)
    /// The daemon answered with an error.
    case refused(ResponseError)
    /// Nobody listens, or answers; a sentence, what was tried, and what to do.
    case noDaemon(String)
    /// The connection ended, or what came over it is not the protocol.
    case lost(String)
    case timedOut(String)
    /// What should be made could not be.
    case failed(String)

    var status: ControlStatus {
        switch self {
        case .usage, .misunderstood: .usage
        case .refused(let error): error.kind == "timedOut" ? .timedOut : .refused
        case .noDaemon, .lost: .noDaemon
        case .timedOut: .timedOut
        case .failed: .unsuccessful
        }
    }

    /// The daemon's own words, when it answered.
    var answer: ResponseError? {
        switch self {
        case .refused(let error), .misunderstood(_, let error): error
        case .usage, .noDaemon, .lost, .timedOut, .failed: nil
        }
    }

    /// What a person reads on stderr.
    var message: String {
        switch self {
        case .usage(let error), .misunderstood(let error, _): String(describing: error)
        case .refused(let error): Printable.text(error.message)
        case .noDaemon(let text), .lost(let text), .timedOut(let text), .failed(let text): text
        }
    }
}
