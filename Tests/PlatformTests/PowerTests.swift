import Glibc
import Testing

@testable import Platform

@Suite("Power supplies")
struct PowerTests {
    /// One machine: its supplies with their attributes, and what is to be read from them.
    struct Machine: Sendable, CustomTestStringConvertible {
        var title: String
        var supplies: [String: [String: String]]
        var reading: PowerReading?

        var testDescription: String { title }

        init(_ title: String, _ supplies: [String: [String: String]], _ reading: PowerReading?) {
            self.title = title
            self.supplies = supplies
            self.reading = reading
        }
    }

    private static func battery(_ status: String, _ capacity: String? = nil) -> [String: String] {
        var attributes = ["type": "Battery", "status": status, "present": "1"]
        attributes["capacity"] = capacity
        return attributes
    }

    private static func mains(_ online: String) -> [String: String] {
        ["type": "Mains", "online": online]
    }

    private static func reading(_ externalPower: Bool, _ level: Double? = nil) -> PowerReading {
        PowerReading(externalPower: externalPower, batteryLevel: level)
    }

    static let machines = [
        Machine("no supplies", [:], nil),
        Machine("only mains", ["AC": mains("1")], nil),
        Machine("a battery on mains", ["AC": mains("1"), "BAT0": battery("Charging", "55")], reading(true, 0.55)),
        Machine("on battery", ["AC": mains("0"), "BAT0": battery("Discharging", "55")], reading(false, 0.55)),
        Machine("only a battery, discharging", ["BAT0": battery("Discharging")], reading(false)),
        Machine("only a battery, charging", ["BAT0": battery("Charging", "1")], reading(true, 0.01)),
        Machine("only a battery, full", ["BAT0": battery("Full", "100")], reading(true, 1)),
        Machine("held back on mains", ["AC": mains("1"), "BAT0": battery("Not charging", "80")], reading(true, 0.8)),
        Machine("mains that does not say", ["AC": ["type": "Mains"], "B": battery("Not charging")], reading(true)),
        Machine("not charging off mains", ["AC": mains("0"), "B": battery("Not charging")], reading(false)),
        Machine("not charging, no source", ["B": battery("Not charging")], reading(false)),
        Machine("unknown status", ["AC": mains("0"), "B": battery("Unknown", "40")], reading(false, 0.4)),
        Machine(
            "USB power", ["USB": ["type": "USB", "online": "1"], "B": battery("Discharging", "9")],
            reading(true, 0.09)),
        Machine(
            "programmable USB power", ["U": ["type": "USB_PD", "online": "2"], "B": battery("Discharging")],
            reading(true)),
        Machine(
            "two batteries", ["A": battery("Discharging", "20"), "B": battery("Charging", "60")], reading(true, 0.4)),
        Machine(
            "a mouse is not the machine", ["M": battery("Full", "70").merging(["scope": "Device"]) { $1 }], nil),
        Machine(
            "a mouse beside a battery",
            ["M": battery("Charging", "70").merging(["scope": "Device"]) { $1 }, "B": battery("Discharging", "30")],
            reading(false, 0.3)),
        Machine("an empty slot", ["B": battery("Unknown").merging(["present": "0"]) { $1 }], nil),
        Machine(
            "scope System", ["B": battery("Discharging", "30").merging(["scope": "System"]) { $1 }],
            reading(false, 0.3)),
        Machine("more than full", ["B": battery("Full", "104")], reading(true, 1)),
        Machine("nonsense", ["B": battery("Discharging", "many"), "X": [:]], reading(false)),
    ]

    @Test("a machine is read as", arguments: machines)
    func reads(_ machine: Machine) {
        let folder = TemporaryFolder()
        for (name, attributes) in machine.supplies {
            mkdir(folder.file(name), 0o755)
            for (attribute, value) in attributes { folder.write(value + "\n", to: "\(name)/\(attribute)") }
        }
        #expect(PowerSupply.read(root: folder.path) == machine.reading)
    }

    @Test("a system without power supplies has none")
    func missing() {
        #expect(PowerSupply.read(root: "/nowhere") == nil)
    }

    private func concerns(_ message: String) -> Bool {
        Array(message.utf8).withUnsafeBytes { PowerEvents.concernsPower($0) }
    }

    @Test("an event concerns power by its subsystem, as a whole entry")
    func events() {
        #expect(concerns("change@/devices/AC\0ACTION=change\0SUBSYSTEM=power_supply\0SEQNUM=1\0"))
        #expect(concerns("SUBSYSTEM=power_supply"))
        #expect(!concerns("change@/devices/lo\0SUBSYSTEM=net\0"))
        #expect(!concerns("x\0XSUBSYSTEM=power_supply\0"))
        #expect(!concerns("x\0SUBSYSTEM=power_supply2\0"))
        #expect(!concerns(""))
    }

    @Test(
        "another subsystem's event is taken and does not concern power",
        .enabled(if: access("/sys/class/net/lo/uevent", W_OK) == 0))
    func realEvent() throws {
        let socket = try PowerEvents.open()
        #expect(!PowerEvents.drain(socket.raw))
        let file = OwnedDescriptor(open("/sys/class/net/lo/uevent", O_WRONLY | O_CLOEXEC))
        write("change", to: file)
        #expect(becomesReadable(socket.raw))
        #expect(!PowerEvents.drain(socket.raw))
        var poll = pollfd(fd: socket.raw, events: Int16(POLLIN), revents: 0)
        #expect(Glibc.poll(&poll, 1, 0) == 0)
    }
}
