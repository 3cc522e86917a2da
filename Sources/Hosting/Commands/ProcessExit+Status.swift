import Platform
import Scheduling

extension ProcessExit {
    init(_ status: ExitStatus) {
        switch status {
        case .exited(let code): self = .code(code)
        case .signalled(let signal): self = .signal(signal)
        case .unknown: self = .code(-1)
        }
    }
}
