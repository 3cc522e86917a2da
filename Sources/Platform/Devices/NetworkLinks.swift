import CLinux
import Glibc

/// Whether the machine has a way to the network, from the kernel itself.
package enum NetworkLinks {
    /// Opens a socket that tells of changes; watch it for reading, `drain` it, and `read` again when that says so.
    package static func open() throws(SystemError) -> OwnedDescriptor {
        OwnedDescriptor(try SystemError.check(runner_route_events_open(), "listen to changes of the network"))
    }

    /// Takes all events that wait. Whether links, addresses or default routes changed, or events were lost.
    package static func drain(_ descriptor: Int32) -> Bool {
        NetlinkSocket.drain(descriptor) { datagram in
            RouteMessages.parse(datagram).contains { item in
                switch item.message {
                case .link, .linkRemoved, .defaultRoute, .addressChanged: true
                case .done, .failure, .other: false
                }
            }
        }
    }

    /// Asks the kernel how things are now.
    package static func read() throws(SystemError) -> NetworkReading {
        // A dump that the kernel calls inconsistent is made again; so often in a row, the last one has to do.
        var attempts = 5
        while true {
            attempts -= 1
            if let reading = try readOnce(acceptingInterruption: attempts == 0) { return reading }
        }
    }

    // MARK: Private

    private static let operation = "ask the kernel about the network"

    /// Nil when the tables changed meanwhile. A socket for each reading: what is left of a dump that has told enough
    /// goes away with it.
    private static func readOnce(acceptingInterruption: Bool) throws(SystemError) -> NetworkReading? {
        let socket = OwnedDescriptor(try SystemError.check(runner_route_requests_open(), operation))
        var interfaces: [NetworkReading.Interface] = []
        try SystemError.check(runner_route_request_links(socket.raw, 1), operation)
        let links = try dump(socket, sequence: 1) { message in
            if case .link(let interface) = message { interfaces.append(interface) }
            return true
        }
        guard links == .whole || acceptingInterruption else { return nil }
        interfaces.sort { $0.index < $1.index }

        var hasDefaultRoute = false
        for (sequence, isIPv6) in [(UInt32(2), Int32(0)), (3, 1)] where !hasDefaultRoute {
            let result = runner_route_request_routes(socket.raw, isIPv6, sequence)
            // A kernel without one of the protocols has none of its routes.
            if result == -EAFNOSUPPORT || result == -EOPNOTSUPP { continue }
            try SystemError.check(result, operation)
            let routes = try dump(socket, sequence: sequence) { message in
                guard case .defaultRoute(let over) = message else { return true }
                hasDefaultRoute = interfaces.contains { $0.carries && over.contains($0.index) }
                return !hasDefaultRoute
            }
            guard routes == .whole || hasDefaultRoute || acceptingInterruption else { return nil }
        }
        return NetworkReading(hasDefaultRoute: hasDefaultRoute, interfaces: interfaces)
    }

    private enum Dump {
        case whole
        case interrupted
    }

    /// Reads the answers to one request, to the end or until the closure has enough.
    private static func dump(
        _ socket: OwnedDescriptor, sequence: UInt32, _ visit: (RouteMessages.Message) -> Bool
    ) throws(SystemError) -> Dump {
        var buffer = [UInt8](repeating: 0, count: NetlinkSocket.bufferBytes)
        var outcome = Dump.whole
        while true {
            var fromKernel: Int32 = 0
            let count = buffer.withUnsafeMutableBytes {
                runner_netlink_receive(socket.raw, $0.baseAddress, $0.count, 1, &fromKernel)
            }
            guard count >= 0 else { throw SystemError(code: Int32(-count), operation: operation) }
            guard fromKernel != 0 else { continue }
            let items = buffer.withUnsafeBytes {
                RouteMessages.parse(UnsafeRawBufferPointer(rebasing: $0[..<Int(count)]))
            }
            for item in items where item.sequence == sequence {
                if item.wasInterrupted { outcome = .interrupted }
                switch item.message {
                case .done: return outcome
                case .failure(let code): throw SystemError(code: code, operation: operation)
                case let message:
                    if !visit(message) { return outcome }
                }
            }
        }
    }
}
