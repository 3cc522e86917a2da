import Testing
import UIKit

@MainActor
private class Delegate: UIResponder, UIApplicationDelegate {
    var launches = 0

    func application(
        _ application: UIApplication,
        didFinishLaunchingWithOptions launchOptions: [UIApplication.LaunchOptionsKey: Any]?
    ) -> Bool {
        launches += 1
        return launchOptions == nil
    }
}

@Suite("The UIKit shim")
@MainActor
struct DelegateTests {
    @Test("a delegate needs to say only what it does; the rest has answers")
    func defaults() {
        let delegate = Delegate()
        let application = UIApplication.shared
        #expect(delegate.application(application, willFinishLaunchingWithOptions: nil))
        #expect(delegate.application(application, didFinishLaunchingWithOptions: nil))
        delegate.applicationDidEnterBackground(application)
        #expect(delegate.launches == 1)
        #expect(application.backgroundRefreshStatus == .available)
    }
}
