/// Whoever is told of the application's launch; `@main` on a class that conforms starts the program.
@MainActor
public protocol UIApplicationDelegate: AnyObject {
    /// The launch begins. Handlers may be registered here. Returns true by default.
    func application(
        _ application: UIApplication,
        willFinishLaunchingWithOptions launchOptions: [UIApplication.LaunchOptionsKey: Any]?
    ) -> Bool
    /// The launch is over when this returns: register handlers here. Returns true by default.
    func application(
        _ application: UIApplication,
        didFinishLaunchingWithOptions launchOptions: [UIApplication.LaunchOptionsKey: Any]?
    ) -> Bool
    /// Called once after the launch, since a program without windows is in the background. Does nothing by default.
    func applicationDidEnterBackground(_ application: UIApplication)
}

extension UIApplicationDelegate {
    /// Returns true.
    public func application(
        _ application: UIApplication,
        willFinishLaunchingWithOptions launchOptions: [UIApplication.LaunchOptionsKey: Any]?
    ) -> Bool { true }

    /// Returns true.
    public func application(
        _ application: UIApplication,
        didFinishLaunchingWithOptions launchOptions: [UIApplication.LaunchOptionsKey: Any]?
    ) -> Bool { true }

    /// Does nothing.
    public func applicationDidEnterBackground(_ application: UIApplication) {}
}

extension UIApplicationDelegate where Self: UIResponder {
    /// Starts the program; `@main` calls it.
    public static func main() {
        UIApplication.shared.run(Self())
    }
}
