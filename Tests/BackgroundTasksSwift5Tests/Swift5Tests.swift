import BackgroundTasks
import SwiftUI
import Testing

/// That `Surface.swift` and `Scenes.swift` compile in Swift 5 mode is the test; this one sees that it is that mode.
@Suite("The surface in Swift 5 mode")
@MainActor
struct Swift5Tests {
    @Test("the same calls compile as in Swift 6 mode")
    func compiles() {
        #if swift(>=6)
            Issue.record("these tests must be compiled in Swift 5 mode")
        #endif
        let register: () -> Void = Surface.scheduler
        let app: any App = TestApp()
        _ = (register, app)
        #expect(BGTaskScheduler.Error(.notPermitted).errorCode == 3)
    }
}
