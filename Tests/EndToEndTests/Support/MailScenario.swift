import Foundation
import Testing

/// What the mail example does, whoever runs it and however it is built.
enum MailScenario {
    static let refresh = "com.example.mail.refresh"
    static let send = "com.example.mail.send"
    static let cleanup = "com.example.mail.cleanup"

    static func play(on host: some MailHost) async throws {
        // After its launch it has asked for its first refresh.
        try await host.expectPending(refresh, within: 30...61)

        let succeeded = try await host.run(refresh)
        #expect(succeeded.result == "succeeded")
        // Its handler has asked for the next one, which replaced the first.
        try await host.expectPending(refresh, within: 840...901)

        let failed = try await host.run(send)
        #expect(failed.result == "failed")
        #expect(failed.message == "the server is down")

        let expired = try await host.runAndExpire(cleanup)
        #expect(expired.result == "failed")
        let title = try #require(expired.title)
        #expect(title.hasPrefix("folder ") && title.hasSuffix(" of 40"))
        let fraction = try #require(expired.fraction)
        #expect(fraction > 0 && fraction < 1)
    }
}

/// Who runs the mail example.
protocol MailHost {
    /// A request is pending whose floor lies so many seconds from now.
    func expectPending(_ identifier: String, within seconds: ClosedRange<Double>) async throws
    /// Runs a task to its end.
    func run(_ identifier: String) async throws -> MailOutcome
    /// Runs a task until it makes progress, and expires it.
    func runAndExpire(_ identifier: String) async throws -> MailOutcome
}

/// How a run ended, and the last that it said of its progress.
struct MailOutcome {
    var result: String?
    var message: String?
    var fraction: Double?
    var title: String?
}

/// The mail example as a plugin of the tests' own tiny runner.
struct ChannelMailHost: MailHost {
    let runner: FakePluginRunner

    func expectPending(_ identifier: String, within seconds: ClosedRange<Double>) throws {
        try runner.serve { runner in
            let floor = runner.pending[identifier]?["earliestBeginDate"].date
            return floor.map { seconds.contains($0.timeIntervalSinceNow) } ?? false
        }
    }

    func run(_ identifier: String) throws -> MailOutcome {
        outcome(try ended(try runner.launch(identifier)))
    }

    func runAndExpire(_ identifier: String) throws -> MailOutcome {
        let run = try runner.launch(identifier)
        try runner.serve { $0.runs[run]?.progress.isEmpty == false }
        try runner.expire(run, "stopped")
        return outcome(try ended(run))
    }

    private func ended(_ run: Int) throws -> FakePluginRunner.Run {
        try runner.serve { $0.runs[run]?.result != nil }
        return try #require(runner.runs[run])
    }

    private func outcome(_ run: FakePluginRunner.Run) -> MailOutcome {
        MailOutcome(
            result: run.result, message: run.message, fraction: run.progress.last?["fraction"].number,
            title: run.progress.last?["title"].text)
    }
}

/// The mail example behind a control socket: of the program that embeds the runner, or of a daemon.
struct ControlledMailHost: MailHost {
    /// Runs `runnerctl` with these arguments.
    let control: ([String]) async throws -> Command.Outcome

    func expectPending(_ identifier: String, within seconds: ClosedRange<Double>) async throws {
        let deadline = ContinuousClock.now + .seconds(20)
        while true {
            let request = try await json("pending")["requests"].elements.first { $0["identifier"].text == identifier }
            if let floor = request?["earliestBeginDate"].date, seconds.contains(floor.timeIntervalSinceNow) { return }
            try #require(ContinuousClock.now < deadline, "no such request is pending: \(request ?? .null)")
            try await Task.sleep(for: .milliseconds(20))
        }
    }

    func run(_ identifier: String) async throws -> MailOutcome {
        outcome(try await json("simulate-launch", identifier, "--submit", "--wait")["run"])
    }

    func runAndExpire(_ identifier: String) async throws -> MailOutcome {
        _ = try await json("simulate-launch", identifier, "--submit", "--no-wait")
        let deadline = ContinuousClock.now + .seconds(20)
        while try await json("running")["runs"][0]["progress"].isNull {
            try #require(ContinuousClock.now < deadline, "there is no progress")
            try await Task.sleep(for: .milliseconds(20))
        }
        let run = try await json("simulate-expiration", identifier, "--reason", "stopped", "--wait")["run"]
        #expect(run["expirationReason"] == "stopped")
        return outcome(run)
    }

    private func json(_ arguments: String...) async throws -> JSONNode {
        // The status says how a run ended, which is part of what is looked at.
        try await control(["--json"] + arguments).json
    }

    private func outcome(_ run: JSONNode) -> MailOutcome {
        MailOutcome(
            result: run["state"].text, message: run["message"].text, fraction: run["progress"]["fraction"].number,
            title: run["progress"]["title"].text)
    }
}
