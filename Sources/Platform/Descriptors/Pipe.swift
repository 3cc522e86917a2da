import CLinux

/// Makes pipes.
package enum Pipe {
    /// Both ends block and are closed in children that do not get them on purpose.
    package static func make() throws(SystemError) -> (reading: OwnedDescriptor, writing: OwnedDescriptor) {
        var ends: (Int32, Int32) = (-1, -1)
        let result = withUnsafeMutablePointer(to: &ends) { pair in
            pair.withMemoryRebound(to: Int32.self, capacity: 2) { runner_pipe($0) }
        }
        try SystemError.check(result, "make a pipe")
        return (OwnedDescriptor(ends.0), OwnedDescriptor(ends.1))
    }
}
