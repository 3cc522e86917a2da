import Glibc
import Platform
import RPC
import TestSupport
import Testing

@testable import Runner

@Suite("Other users on the control socket", .timeLimit(.minutes(1)), .enabled(if: ForeignClient.isPossible))
struct ControlAccessTests {
    private static let status = #"{"jsonrpc": "2.0", "id": 1, "method": "status"}"#
    private static let hello = #"{"jsonrpc": "2.0", "id": 1, "method": "hello"}"#
    private static let pause = #"{"jsonrpc": "2.0", "id": 1, "method": "pause"}"#
    private static let cancel =
        #"{"jsonrpc": "2.0", "id": 1, "method": "cancel", "params": ["com.example.app.refresh"]}"#

    private func fixture(
        _ change: (inout AccessRules) -> Void = { _ in }, limits: (inout ConnectionLimits) -> Void = { _ in }
    ) async throws -> ControlFixture {
        var access = AccessRules.ownersOnly
        change(&access)
        var connectionLimits = ConnectionLimits()
        limits(&connectionLimits)
        let fixture = try await ControlFixture(access: access, limits: connectionLimits)
        #expect(chmod(fixture.folder.path, 0o755) == 0)
        return fixture
    }

    private func code(_ reply: JSONValue?) -> Int64? { reply?["error"]?["code"]?.integer }

    @Test("others read, and a method that needs more names the level")
    func others() async throws {
        let fixture = try await fixture()
        let hello = try ForeignClient.replies(at: fixture.path, connections: 1, sending: Self.hello).first
        #expect(hello?["result"]?["access"]?.string == "read")
        #expect(hello?["result"]?["user"]?.integer == Int64(ForeignClient.uid))
        let cancel = try ForeignClient.replies(at: fixture.path, connections: 1, sending: Self.cancel).first
        #expect(code(cancel) == 21)
        #expect(cancel?["error"]?["data"]?["kind"]?.string == "accessDenied")
        #expect(cancel?["error"]?["data"]?["level"]?.string == "operate")
        let pause = try ForeignClient.replies(at: fixture.path, connections: 1, sending: Self.pause).first
        #expect(pause?["error"]?["data"]?["level"]?.string == "admin")
    }

    @Test("a supplementary group counts")
    func groups() async throws {
        let fixture = try await fixture { $0.group = 54_400 }
        let replies = try ForeignClient.replies(
            at: fixture.path, connections: 1, groups: [54_399, 54_400], sending: Self.cancel)
        #expect(replies.first?["result"]?["cancelled"]?.bool == false)
        let pause = try ForeignClient.replies(
            at: fixture.path, connections: 1, groups: [54_400], sending: Self.pause)
        #expect(code(pause.first) == 21)
    }

    @Test("where others have nothing they are turned away with one answer")
    func turnedAway() async throws {
        let fixture = try await fixture { $0.others = nil }
        let replies = try ForeignClient.replies(at: fixture.path, connections: 1, sending: Self.status)
        #expect(code(replies.first) == 21)
        #expect(replies.first?["id"]?.isNull == true)
        #expect(await fixture.engine.engine.connectionCount == 0)
    }

    @Test("a user can have so many connections, root and the owner more")
    func perUser() async throws {
        let fixture = try await fixture(limits: { $0.connectionsPerUser = 2 })
        let own = try (0..<3).map { _ in try fixture.client() }
        for client in own { _ = try client.result("status") }
        let replies = try ForeignClient.replies(at: fixture.path, connections: 3, sending: Self.status)
        try #require(replies.count == 3)
        #expect(replies[0]["result"] != nil)
        #expect(replies[1]["result"] != nil)
        #expect(code(replies[2]) == 22)
        #expect(replies[2]["error"]?["data"]?["limit"]?.string == "connectionsPerUser")
        // The connections of that process are gone; its user may come again.
        await fixture.engine.settle()
        let again = try ForeignClient.replies(at: fixture.path, connections: 2, sending: Self.status)
        #expect(again.allSatisfy { $0["result"] != nil })
    }

    @Test("the last connections are kept for admins")
    func reserve() async throws {
        let fixture = try await fixture(limits: {
            $0.connections = 3
            $0.connectionsKeptForAdmins = 1
        })
        let replies = try ForeignClient.replies(at: fixture.path, connections: 3, sending: Self.status)
        try #require(replies.count == 3)
        #expect(replies[1]["result"] != nil)
        #expect(replies[2]["error"]?["data"]?["limit"]?.string == "connections")
        // Before the connections of that process are seen to be gone, they count.
        await fixture.engine.settle()
        let own = try (0..<3).map { _ in try fixture.client() }
        for client in own { _ = try client.result("status") }
    }
}
