import BackgroundTasks
import Foundation

/// The program as an application without windows.
@MainActor
open class UIApplication: UIResponder {
    /// This program.
    public static let shared = UIApplication()

    /// Whoever is told of the launch.
    open weak var delegate: (any UIApplicationDelegate)?

    /// Always `available`: no person switches a program's refresh off here; a policy that does says so at submission.
    open var backgroundRefreshStatus: UIBackgroundRefreshStatus { .available }

    /// Why an application was launched.
    public struct LaunchOptionsKey: RawRepresentable, Hashable, Sendable {
        /// The name of the key.
        public let rawValue: String

        /// Makes a key of its name.
        public init(rawValue: String) {
            self.rawValue = rawValue
        }
    }

    /// Tells the delegate of the launch, closes registration one turn later, and runs for ever.
    func run(_ delegate: any UIApplicationDelegate) -> Never {
        self.delegate = delegate
        LaunchPhase.ofProcess.delegateBegan()
        _ = delegate.application(self, willFinishLaunchingWithOptions: nil)
        _ = delegate.application(self, didFinishLaunchingWithOptions: nil)
        LaunchPhase.ofProcess.delegateReturned()
        // Without a window it is in the background from now on.
        DispatchQueue.main.async { delegate.applicationDidEnterBackground(self) }
        while true { RunLoop.main.run() }
    }
}
