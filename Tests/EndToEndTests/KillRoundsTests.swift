import Foundation
import Testing

@Suite("A daemon that is killed again and again", .serialized)
struct KillRoundsTests {
    /// The driver compares; see `Support/kill_rounds.py` for what must hold.
    @Test("200 kills at random moments lose nothing that was acknowledged, and start nothing twice")
    func killRounds() async throws {
        try await Scene.with { scene in
            let outcome = try await scene.run(
                Programs.python,
                [Programs.script("kill_rounds.py").path, "--runnerd", Programs.runnerd.path, "--rounds", "200"])
            print(outcome.output)
            try #require(outcome.status == 0, "\(outcome.output)\(outcome.errors)")
            let figures = JSONNode(outcome.output.split(separator: "\n").last.map(String.init) ?? "")
            #expect(figures["rounds"].integer ?? 0 >= 200)
            // Without these the rounds would have shown nothing.
            #expect(figures["submitted"].integer ?? 0 > 400)
            #expect(figures["states"]["interrupted"].integer ?? 0 > 50)
            #expect(figures["states"]["succeeded"].integer ?? 0 > 50)
        }
    }
}
