import Platform
import Runner
import SystemPlatform

/// The program `runnerd`: reads its arguments, runs the daemon, and gives the exit status.
package enum DaemonProgram {
    package static func main(_ arguments: [String]) -> Int32 {
        let uid = ProcessEnvironment.effectiveUser
        let outcome = DaemonArguments.parse(
            arguments, environment: ProcessEnvironment.variable, uid: uid, home: UserDatabase.user(uid: uid)?.home,
            workingFolder: ProcessEnvironment.workingFolder)
        switch outcome {
        case .help(let text):
            ProcessEnvironment.print(text)
            return 0
        case .version:
            ProcessEnvironment.print("runnerd \(RunnerVersion.text)")
            return 0
        case .usage(let message):
            ProcessEnvironment.complain("runnerd: \(message)")
            return 2
        case .failure(let message):
            ProcessEnvironment.complain("runnerd: \(message)")
            return 1
        case .run(let configuration): return run(configuration)
        }
    }

    private static func run(_ configuration: DaemonConfiguration) -> Int32 {
        // Before any thread starts, so that no thread can take them.
        ThreadSignals.block([ProcessSignal.terminate, ProcessSignal.interrupt, ProcessSignal.hangUp])
        ThreadSignals.ignoreSIGPIPE()
        let log = SystemLog(threshold: configuration.logLevel, destination: configuration.logDestination)
        do throws(DaemonFailure) {
            try Daemon(configuration, log: log).run()
            return 0
        } catch {
            log.log(.error, "cannot start: \(error.description)")
            return 1
        }
    }
}
