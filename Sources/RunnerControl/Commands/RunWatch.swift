import Platform
import RPC

/// Shows how far a run is until it has ended: one request waits for the end, others look a few times a second.
struct RunWatch {
    let connection: ControlConnection
    let run: Int64
    let surroundings: Surroundings

    /// How long the daemon may take to say that the time is over.
    private static let margin: Int64 = 5_000

    /// The run as it ended.
    ///
    /// - Parameter deadline: milliseconds of the awake clock.
    func untilEnd(deadline: Int64?) throws(ControlFailure) -> JSONValue {
        var display = Display(console: surroundings.console)
        defer { display.clear() }
        let end = try connection.send(ControlMethods.wait.name, params: waitParams(deadline: deadline))
        // Looks at once, so that a short run is seen too.
        var look: Int64? = try connection.send(ControlMethods.run.name, params: runParams)
        var next = SystemClock.milliseconds(.awake) + surroundings.lookInterval
        while true {
            guard let response = try connection.receive(until: next) else {
                let now = SystemClock.milliseconds(.awake)
                if let deadline, now > deadline + Self.margin {
                    throw .timedOut("The daemon has not answered in time; run \(run) goes on.")
                }
                if look == nil { look = try connection.send(ControlMethods.run.name, params: runParams) }
                next = now + surroundings.lookInterval
                continue
            }
            if response.identifier == end {
                let result = try ControlConnection.result(of: response)
                guard let ended = result["run"] else {
                    throw .lost("What answers is not a runner: there is no run in its answer.")
                }
                return ended
            }
            guard response.identifier == look else {
                // An error about nothing in particular: the connection is of no more use.
                _ = try ControlConnection.result(of: response)
                continue
            }
            look = nil
            // A failed look is no harm: the wait says what is wrong.
            guard case .result(let result) = response.outcome, let current = result["run"] else { continue }
            if StateWords.isEnded(current.text("state")) { continue }
            let line = ProgressLine(current, .passed, now: surroundings.wallTime())
            display.show(Printable.text(ProgressLayout(surroundings.console, isNamed: false).single(line)), of: current)
        }
    }

    // MARK: Private

    private var runParams: [UInt8] {
        var writer = JSONWriter()
        writer.object { $0.member("run", run) }
        return writer.bytes
    }

    private func waitParams(deadline: Int64?) -> [UInt8] {
        var writer = JSONWriter()
        writer.object { writer in
            writer.member("run", run)
            if let deadline {
                writer.member("timeoutSeconds", seconds: max(0, deadline - SystemClock.milliseconds(.awake)))
            }
        }
        return writer.bytes
    }

    /// The line that is drawn again and again; where it cannot be, a new one for each change.
    private struct Display {
        let console: any Console
        private var shown = ""

        init(console: any Console) {
            self.console = console
        }

        mutating func show(_ line: String, of run: JSONValue) {
            if console.isTerminal {
                guard line != shown else { return }
                shown = line
                console.write("\r\u{1B}[K" + line)
            } else {
                // How long it has been running changes all the time, and would fill a log.
                let news = run["progress"] == nil ? "" : line
                guard news != shown else { return }
                shown = news
                console.write(line + "\n")
            }
        }

        mutating func clear() {
            if console.isTerminal, !shown.isEmpty { console.write("\r\u{1B}[K") }
            shown = ""
        }
    }
}
