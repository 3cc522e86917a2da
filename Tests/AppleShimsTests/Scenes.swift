// Scenes as SwiftUI code writes them, compiled in Swift 6 mode here and in Swift 5 mode by BackgroundTasksSwift5Tests, which
// links here; `SceneTests` looks at what they have.
import BackgroundTasks
import SwiftUI
import os

let seenPhases = OSAllocatedUnfairLock<[ScenePhase]>(initialState: [])
let ranTasks = OSAllocatedUnfairLock<[String]>(initialState: [])

struct ContentView: View {
    var body: some View { EmptyView() }
}

struct TestApp: App {
    @Environment(\.scenePhase) private var phase

    var body: some Scene {
        WindowGroup("Mail") {
            ContentView()
        }
        .onChange(of: phase) { oldPhase, newPhase in seenPhases.withLock { $0 += [oldPhase, newPhase] } }
        .onChange(of: phase) { newPhase in seenPhases.withLock { $0.append(newPhase) } }
        .onChange(of: phase) { seenPhases.withLock { $0.append(.inactive) } }
        // API: SwiftUI.Scene.backgroundTask(.appRefresh)
        .backgroundTask(.appRefresh("com.example.refresh")) {
            await note("refresh")
        }
        // API: SwiftUI.Scene.backgroundTask(.processingTask)
        .backgroundTask(.processingTask("com.example.clean")) { await note("clean") }
        OtherScene()
        WindowGroup(id: "empty") {
            #if !os(Linux)
                ContentView()
            #endif
        }
    }
}

struct OtherScene: Scene {
    var body: some Scene {
        WindowGroup { EmptyView() }
            .backgroundTask(.appRefresh("com.example.other")) { await note("other") }
    }
}

@Sendable func note(_ name: String) async {
    ranTasks.withLock { $0.append(name) }
}
