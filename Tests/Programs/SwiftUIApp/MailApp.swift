// A SwiftUI program with background tasks; its views are left out on Linux.
import BackgroundTasks
import SwiftUI
import os

@main
struct MailApp: App {
    @Environment(\.scenePhase) private var phase

    var body: some Scene {
        WindowGroup {
            #if !os(Linux)
                Text("Mail")
            #endif
        }
        .onChange(of: phase) { _, newPhase in
            if newPhase == .background { schedule() }
        }
        .backgroundTask(.appRefresh("com.example.swiftui.refresh")) {
            schedule()
            print("refreshes")
        }
        .backgroundTask(.processingTask("com.example.swiftui.clean")) {
            while !Task.isCancelled { await Task.yield() }
            print("stops cleaning")
        }
    }
}

private func schedule() {
    let request = BGAppRefreshTaskRequest(identifier: "com.example.swiftui.refresh")
    request.earliestBeginDate = .now.addingTimeInterval(15 * 60)
    try? BGTaskScheduler.shared.submit(request)
}
