import Platform
import Plugins

extension ManifestLimits {
    /// The limits of the kernel that stand for these.
    var resourceLimits: [ResourceLimit] {
        var limits = [ResourceLimit(.coreBytes, 0)]
        if let memoryBytes { limits.append(ResourceLimit(.dataBytes, UInt64(memoryBytes))) }
        if let cpuSeconds { limits.append(ResourceLimit(.cpuSeconds, UInt64(cpuSeconds))) }
        if let openFiles { limits.append(ResourceLimit(.openFiles, UInt64(openFiles))) }
        if let processes { limits.append(ResourceLimit(.processes, UInt64(processes))) }
        return limits
    }
}
