/// The version of Runner: of the daemon, of the command line and of programs that embed it.
package enum RunnerVersion {
    package static let text = "0.1.0"
}
