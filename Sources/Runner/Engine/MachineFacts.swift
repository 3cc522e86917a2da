import Platform
package import Scheduling

extension StartFacts {
    /// What is true of this machine and this version of the program now.
    package static func ofThisMachine(version: String) -> StartFacts {
        StartFacts(
            bootIdentifier: BootIdentifier(SystemClock.bootIdentifier()), osVersion: OperatingSystem.version,
            runnerVersion: version,
            utcOffsetSeconds: SystemClock.utcOffsetSeconds(at: SystemClock.milliseconds(.wall)))
    }
}
