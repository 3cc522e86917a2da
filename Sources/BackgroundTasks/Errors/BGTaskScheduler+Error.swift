public import Foundation

extension BGTaskScheduler {
    /// Why a request was not submitted, with Apple's codes.
    ///
    /// `localizedDescription` is one plain sentence that says what to change, and the value of `refusalKindKey` in the
    /// `userInfo` is the cause where Apple has one code for several.
    public struct Error: CustomNSError, Hashable, Swift.Error, Sendable {
        /// The domain of the error when it is looked at as an `NSError`.
        public static var errorDomain: String { BGTaskScheduler.errorDomain }
        /// The key of the cause in `userInfo`: the name of the refusal, such as `backgroundModeMissing`.
        public static var refusalKindKey: String { "RunnerRefusalKind" }

        private let error: NSError

        /// Makes an error of a code.
        public init(_ code: Code, userInfo: [String: Any] = [:]) {
            error = NSError(domain: BGTaskScheduler.errorDomain, code: code.rawValue, userInfo: userInfo)
        }

        /// The code; Apple has four.
        public var code: Code { Code(rawValue: error.code) ?? .unavailable }
        /// The sentence and the cause.
        public var userInfo: [String: Any] { error.userInfo }
        /// The code as a number.
        public var errorCode: Int { error.code }
        /// The sentence and the cause.
        public var errorUserInfo: [String: Any] { error.userInfo }
        /// One plain sentence that says what to change.
        public var localizedDescription: String { error.localizedDescription }

        /// Mixes the code in: on Linux an `NSError` cannot be hashed.
        public func hash(into hasher: inout Hasher) {
            hasher.combine(error.code)
        }

        /// The scheduler cannot take requests of this kind now.
        public static var unavailable: Code { .unavailable }
        /// The slots for this kind are full.
        public static var tooManyPendingTaskRequests: Code { .tooManyPendingTaskRequests }
        /// The manifest does not permit the request, or the request is not one that it could permit.
        public static var notPermitted: Code { .notPermitted }
        /// Continued processing cannot start now and asked to fail then.
        public static var immediateRunIneligible: Code { .immediateRunIneligible }
    }
}

extension BGTaskScheduler.Error {
    /// What kind of error it is.
    public enum Code: Int, Sendable {
        /// The scheduler cannot take requests of this kind now.
        case unavailable = 1
        /// The slots for this kind are full.
        case tooManyPendingTaskRequests = 2
        /// The manifest does not permit the request, or the request is not one that it could permit.
        case notPermitted = 3
        /// Continued processing cannot start now and asked to fail then.
        case immediateRunIneligible = 4

        /// Matches in `catch BGTaskScheduler.Error.notPermitted`.
        public static func ~= (code: Code, error: any Swift.Error) -> Bool {
            (error as? BGTaskScheduler.Error)?.code == code
        }
    }
}
