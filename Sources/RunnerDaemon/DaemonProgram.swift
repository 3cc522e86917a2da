import Platform
import Runner
import SystemPlatform

/// The program `runnerd`: reads its arguments, runs the daemon, and gives the exit status.
package enum DaemonProgram {
    package static func main(_ arguments: [String]) -> Int32 {
        let uid = ProcessEnvironment.effectiveUser
        let folder = ProcessEnvironment.workingFolder
        let parse = {
            DaemonArguments.parse(
                arguments, environment: ProcessEnvironment.variable, uid: uid,
                home: UserDatabase.user(uid: uid)?.home, workingFolder: folder)
        }
        switch parse() {
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
        case .run(let configuration):
            return run(configuration) {
                switch parse() {
                case .run(let configuration): .configuration(configuration)
                case .usage(let message), .failure(let message): .failure(message)
                case .help, .version: .configuration(configuration)
                }
            }
        }
    }

    private static func run(
        _ configuration: DaemonConfiguration, configure: @escaping () -> Daemon.Reading
    ) -> Int32 {
        // Before any thread starts, so that no thread can take them.
        ThreadSignals.block([ProcessSignal.terminate, ProcessSignal.interrupt, ProcessSignal.hangUp])
        ThreadSignals.ignoreSIGPIPE()
        ThreadSignals.keepEndedChildren()
        let log = SystemLog(threshold: configuration.logLevel, destination: configuration.logDestination)
        do throws(DaemonFailure) {
            try Daemon(configuration, log: log, configure: configure).run()
            return 0
        } catch {
            log.log(.error, "cannot start: \(error.description)")
            return 1
        }
    }
}
