import Glibc
import Testing

@testable import Platform

@Suite("Network")
struct NetworkTests {
    // MARK: Messages

    /// Builds netlink messages byte by byte.
    private struct Message {
        var bytes: [UInt8] = []

        init(type: UInt16, flags: UInt16 = 0, sequence: UInt32 = 0, body: [UInt8]) {
            append(UInt32(16 + body.count))
            append(type)
            append(flags)
            append(sequence)
            append(UInt32(0))
            bytes += body
            while bytes.count % 4 != 0 { bytes.append(0) }
        }

        private mutating func append(_ value: some FixedWidthInteger) {
            withUnsafeBytes(of: value) { bytes += $0 }
        }
    }

    private static func words(_ values: [UInt32]) -> [UInt8] {
        values.flatMap { value in withUnsafeBytes(of: value) { Array($0) } }
    }

    private static func attribute(_ type: UInt16, _ value: [UInt8]) -> [UInt8] {
        let head = withUnsafeBytes(of: UInt16(4 + value.count)) { Array($0) } + withUnsafeBytes(of: type) { Array($0) }
        let padding = [UInt8](repeating: 0, count: (4 - value.count % 4) % 4)
        return head + value + padding
    }

    private static func link(_ index: UInt32, _ name: String, flags: UInt32) -> [UInt8] {
        [0, 0, 1, 0] + words([index, flags, 0]) + attribute(13, words([1])) + attribute(3, Array(name.utf8) + [0])
    }

    private static func route(
        bits: UInt8 = 0, table: UInt8 = 254, type: UInt8 = 1, flags: UInt32 = 0, attributes: [UInt8]
    ) -> [UInt8] {
        [2, bits, 0, 0, table, 3, 0, type] + words([flags]) + attributes
    }

    private static let overTwo = attribute(15, words([254])) + attribute(4, words([2]))

    private func parse(_ messages: Message...) -> [RouteMessages.Item] {
        messages.flatMap(\.bytes).withUnsafeBytes { RouteMessages.parse($0) }
    }

    @Test("links carry their name and state")
    func links() {
        let items = parse(
            Message(type: 16, flags: 2, sequence: 9, body: Self.link(1, "lo", flags: 0x49)),
            Message(type: 16, flags: 2, sequence: 9, body: Self.link(2, "eth0", flags: 0x1)),
            Message(type: 17, body: Self.link(2, "eth0", flags: 0)),
            Message(type: 3, sequence: 9, body: [0, 0, 0, 0]))
        let lo = NetworkReading.Interface(index: 1, name: "lo", isUp: true, isRunning: true, isLoopback: true)
        let eth0 = NetworkReading.Interface(index: 2, name: "eth0", isUp: true, isRunning: false, isLoopback: false)
        #expect(items.map(\.message) == [.link(lo), .link(eth0), .linkRemoved(index: 2), .done])
        #expect(items.map(\.sequence) == [9, 9, 0, 9])
        #expect(!items.contains { $0.wasInterrupted })
    }

    @Test("a default route is one to everywhere that can be used", arguments: [UInt16(24), 25])
    func defaultRoute(_ type: UInt16) {
        func message(_ body: [UInt8]) -> RouteMessages.Message? {
            parse(Message(type: type, body: body)).first?.message
        }
        #expect(message(Self.route(attributes: Self.overTwo)) == .defaultRoute(interfaces: [2]))
        #expect(message(Self.route(bits: 24, attributes: Self.overTwo)) == .other)
        #expect(message(Self.route(table: 255, attributes: Self.overTwo)) == .other)
        // An unreachable route, as IPv6 keeps one over the loopback.
        #expect(message(Self.route(type: 7, attributes: Self.overTwo)) == .other)
        #expect(message(Self.route(flags: 0x200, attributes: Self.overTwo)) == .other)
        #expect(message(Self.route(flags: 0x10, attributes: Self.overTwo)) == .defaultRoute(interfaces: []))
    }

    @Test("a route over several interfaces names those that are alive")
    func hops() {
        func hop(_ index: UInt32, flags: UInt8) -> [UInt8] {
            let gateway = Self.attribute(5, [10, 0, 0, 1])
            let length = UInt16(8 + gateway.count)
            return withUnsafeBytes(of: length) { Array($0) } + [flags, 0] + Self.words([index]) + gateway
        }
        let attributes = Self.attribute(9, hop(4, flags: 0) + hop(5, flags: 1) + hop(6, flags: 0x10) + hop(7, flags: 4))
        let items = parse(Message(type: 24, body: Self.route(attributes: attributes)))
        #expect(items.map(\.message) == [.defaultRoute(interfaces: [4, 7])])
    }

    @Test("a refusal carries its errno, an acknowledgement none")
    func errors() {
        let refused = Message(type: 2, body: Self.words([UInt32(bitPattern: -EPERM)]))
        let accepted = Message(type: 2, body: Self.words([0]))
        #expect(parse(refused, accepted).map(\.message) == [.failure(EPERM), .other])
        #expect(parse(Message(type: 3, flags: 0x12, body: [])).map(\.wasInterrupted) == [true])
    }

    @Test("a datagram cut anywhere, or with any length in it, ends nobody")
    func hostile() {
        let whole =
            Message(type: 16, body: Self.link(2, "eth0", flags: 0x41)).bytes
            + Message(type: 24, body: Self.route(attributes: Self.overTwo)).bytes
        for count in 0...whole.count {
            let items = whole[..<count].withUnsafeBytes { RouteMessages.parse($0) }
            #expect(items.count <= 2)
        }
        for position in whole.indices {
            for value in [0, 1, 3, 4, 0x7F, 0xFF] as [UInt8] {
                var changed = whole
                changed[position] = value
                let items = changed.withUnsafeBytes { RouteMessages.parse($0) }
                #expect(items.count <= 2)
            }
        }
        let items = whole.withUnsafeBytes { RouteMessages.parse($0) }
        #expect(items.count == 2)
    }

    // MARK: Kernel

    @Test("the kernel is asked, and answers with the loopback at least")
    func reads() throws {
        let reading = try NetworkLinks.read()
        #expect(reading.interfaces.contains { $0.name == "lo" && $0.isLoopback })
        #expect(reading.interfaces.map(\.index) == reading.interfaces.map(\.index).sorted())
    }

    private static let canMakeNamespaces: Bool = {
        let script = "unshare -n ip link add test0 type veth peer name peer0"
        let said = try? output(of: script) { $0.environment["PATH"] = "/usr/bin:/usr/sbin:/bin:/sbin" }
        return said?.status == .exited(0)
    }()

    /// Runs on a thread that has a network of its own; what it starts has that too.
    private func inOwnNetwork(_ body: @escaping @Sendable () throws -> Void) throws {
        let failure = Locked<String?>(nil)
        let thread = try NamedThread(name: "network") {
            typealias Unshare = @convention(c) (Int32) -> Int32
            let newNetwork: Int32 = 0x4000_0000
            guard let symbol = dlsym(nil, "unshare"), unsafeBitCast(symbol, to: Unshare.self)(newNetwork) == 0 else {
                failure.withLock { $0 = "no network namespace can be made" }
                return
            }
            do {
                try body()
            } catch {
                let text = String(describing: error)
                failure.withLock { $0 = text }
            }
        }
        thread.join()
        #expect(failure.withLock { $0 } == nil)
    }

    private static func ip(_ arguments: String) throws {
        let child = try ChildProcess.spawn(
            SpawnOptions(executable: "/usr/sbin/ip", arguments: arguments.split(separator: " ").map(String.init)))
        #expect(child.waitForExit() == .exited(0), "ip \(arguments)")
    }

    /// Takes events until one mattered.
    private static func seesChange(_ socket: OwnedDescriptor) -> Bool {
        while becomesReadable(socket.raw, within: 2000) {
            if NetworkLinks.drain(socket.raw) { return true }
        }
        return false
    }

    @Test(
        "the network comes and goes with its default route and its link", .enabled(if: canMakeNamespaces),
        arguments: ["", "-6 "])
    func namespace(_ family: String) throws {
        let address = family.isEmpty ? "10.9.8.1/24" : "fd00:9::1/64"
        let gateway = family.isEmpty ? "10.9.8.2" : "fd00:9::2"
        try inOwnNetwork {
            let events = try NetworkLinks.open()
            let empty = try NetworkLinks.read()
            #expect(!empty.hasDefaultRoute)
            #expect(empty.interfaces.map(\.name) == ["lo"])
            #expect(!empty.interfaces.contains { $0.isUp })
            #expect(!NetworkLinks.drain(events.raw))

            // The two ends of one cable.
            try Self.ip("link add test0 type veth peer name peer0")
            try Self.ip("link set peer0 up")
            try Self.ip("link set test0 up")
            try Self.ip("\(family)address add \(address) dev test0")
            #expect(Self.seesChange(events))
            #expect(!(try NetworkLinks.read()).hasDefaultRoute)

            try Self.ip("\(family)route add default via \(gateway)")
            #expect(Self.seesChange(events))
            let connected = try NetworkLinks.read()
            #expect(connected.hasDefaultRoute)
            #expect(connected.interfaces.contains { $0.name == "test0" && $0.isUp && $0.isRunning })

            // A blackhole is no way out.
            try Self.ip("\(family)route del default")
            try Self.ip("\(family)route add blackhole default")
            #expect(!(try NetworkLinks.read()).hasDefaultRoute)
            try Self.ip("\(family)route del blackhole default")

            try Self.ip("\(family)route add default via \(gateway)")
            try Self.ip("link set test0 down")
            #expect(Self.seesChange(events))
            let down = try NetworkLinks.read()
            #expect(!down.hasDefaultRoute)
            #expect(down.interfaces.contains { $0.name == "test0" && !$0.isUp })
        }
    }

    @Test("events that were lost mean that something changed", .enabled(if: canMakeNamespaces))
    func overrun() throws {
        try inOwnNetwork {
            let events = try NetworkLinks.open()
            var size: Int32 = 0
            setsockopt(events.raw, SOL_SOCKET, SO_RCVBUF, &size, socklen_t(MemoryLayout<Int32>.size))
            for number in 0..<4 { try Self.ip("link add test\(number) type veth peer name peer\(number)") }
            #expect(NetworkLinks.drain(events.raw))
            #expect(!NetworkLinks.drain(events.raw))
        }
    }
}
