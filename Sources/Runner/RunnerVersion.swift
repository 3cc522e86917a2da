/// The version of Runner.
package enum RunnerVersion {
    package static let text = "0.1.0"
}
