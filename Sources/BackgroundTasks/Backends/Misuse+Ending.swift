import Platform

extension Misuse {
    /// Says what it is, and ends the process, as Apple's framework does.
    func endProcess() -> Never {
        ProcessEnvironment.complain("\(wording)\nBackgroundTasks: \(explanation)")
        ProcessEnvironment.abort()
    }
}
