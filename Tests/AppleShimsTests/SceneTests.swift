import Foundation
import Scheduling
import Testing
import os

@testable import SwiftUI

@Suite("The SwiftUI shim", .serialized)
@MainActor
struct SceneTests {
    @Test("the background tasks of all scenes are found, in order and with their kinds, and their actions run")
    func findsTasks() async {
        let contents = SceneContents(of: TestApp().body)
        #expect(contents.tasks.map(\.identifier) == ["com.example.refresh", "com.example.clean", "com.example.other"])
        #expect(contents.tasks.map(\.kind) == [.appRefresh, .processing, .appRefresh])
        ranTasks.withLock { $0 = [] }
        for task in contents.tasks { await task.action() }
        #expect(ranTasks.withLock { $0 } == ["refresh", "clean", "other"])
    }

    @Test("the scene phase is told when it has changed, and not otherwise")
    func tellsPhases() {
        defer { EnvironmentValues.current.scenePhase = .active }
        seenPhases.withLock { $0 = [] }
        let active = SceneContents(of: TestApp().body)
        SceneContents(of: TestApp().body).tellChanges(since: active)
        #expect(seenPhases.withLock { $0 } == [])
        EnvironmentValues.current.scenePhase = .background
        SceneContents(of: TestApp().body).tellChanges(since: active)
        #expect(seenPhases.withLock { $0 } == [.active, .background, .background, .inactive])
    }
}
