import RPC
import Scheduling
import Testing

@testable import Runner

@Suite("Clients that break limits")
struct LimitBreakerTests {
    @Test("a user who breaks limits again and again is let go later, for a second")
    func users() {
        var breakers = LimitBreakers()
        var now = BootTime(milliseconds: 5_000)
        for _ in 0..<LimitBreakers.atOnce { #expect(breakers.note(7, at: now) == nil) }
        #expect(breakers.note(7, at: now) == now.advanced(by: LimitBreakers.delay))
        #expect(breakers.note(8, at: now) == nil)
        now = now.advanced(by: .milliseconds(999))
        #expect(breakers.note(7, at: now) != nil)
        now = now.advanced(by: .milliseconds(1))
        #expect(breakers.note(7, at: now) == nil)
    }

    @Test("its connection has the refusal at once and stays for 20 ms, and nobody else's does")
    func connections() async throws {
        let fixture = try await ControlFixture()
        func offend() async throws {
            let client = try fixture.client()
            try client.send("rubbish\n")
            #expect(try client.receiveJSON()["error"]?["code"]?.integer == -32_700)
            await fixture.engine.settle()
            client.close()
        }
        for _ in 0..<LimitBreakers.atOnce { try await offend() }
        #expect(await fixture.engine.engine.connectionCount == 0)
        for _ in 0..<3 { try await offend() }
        await fixture.engine.settle()
        #expect(await fixture.engine.engine.connectionCount == 3)
        #expect(try fixture.client().result("status")["running"]?.integer == 0)
        await fixture.engine.advance(by: LimitBreakers.delay)
        #expect(await fixture.engine.engine.connectionCount == 0)
    }
}
