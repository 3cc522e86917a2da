import Platform
import RPC
import Scheduling
import SystemPlatform
import TestSupport
import Testing

@testable import Hosting

/// What waits for a plugin that does not read is bounded, and nobody who reads is taken for one that does not (04).
@Suite("The channel of a plugin", .timeLimit(.minutes(1)))
struct PluginChannelTests {
    private static let request = #"{"jsonrpc":"2.0","id":1,"method":"pending"}"#
    private static let answerBytes = 4_096

    private var limits: ConnectionLimits {
        var limits = ConnectionLimits()
        limits.outputBytes = 65_536
        limits.outputStallMilliseconds = 300
        return limits
    }

    @Test("one that asks and asks and never reads is read from no more, and is ended with a word about it")
    func neverReads() async throws {
        let plugin = try WatchedPlugin("exec yes '\(Self.request)' >&3", limits: limits) { process, token in
            WatchedPlugin.answer(process, token, bytes: Self.answerBytes)
        }
        #expect(await plugin.problem == "it did not read what it was sent")
        #expect(plugin.mostWaiting >= limits.outputBytes)
        #expect(plugin.mostWaiting < limits.outputBytes + 2 * Self.answerBytes)
    }

    @Test("one that reads is not ended for a single answer that is larger than what may wait")
    func largeAnswer() async throws {
        let bytes = 2_000_000
        let plugin = try WatchedPlugin(
            "echo '\(Self.request)' >&3; head -c \(bytes) <&3 | wc -c", limits: limits
        ) { process, token in
            WatchedPlugin.answer(process, token, bytes: bytes)
        }
        #expect(await plugin.problem == nil)
        #expect(plugin.lines == ["\(bytes)"])
    }

    @Test("one that first asks and then reads gets all its answers")
    func readsLate() async throws {
        let count = 1_000
        let script = "yes '\(Self.request)' | head -n \(count) >&3; head -n \(count) <&3 | wc -l"
        // It is not in a hurry.
        var limits = limits
        limits.outputStallMilliseconds = 30_000
        let plugin = try WatchedPlugin(script, limits: limits) { process, token in
            WatchedPlugin.answer(process, token, bytes: Self.answerBytes)
        }
        #expect(await plugin.problem == nil)
        #expect(plugin.lines == ["\(count)"])
        #expect(plugin.mostWaiting < limits.outputBytes + 2 * Self.answerBytes)
    }

    @Test("with too many answers waiting for a commit no more is served, and all of it when they are out")
    func heldAnswers() async throws {
        let count = 1_000
        let script = "yes '\(Self.request)' | head -n \(count) >&3; head -n \(count) <&3 | wc -l"
        let held = Locked([RequestToken]())
        let mostHeld = Locked(0)
        let plugin = try WatchedPlugin(script, limits: limits) { process, token in
            process.hold(Self.answerBytes)
            held.withLock { $0.append(token) }
        } isIdle: { process in
            // Nothing more is served: the commit is over now.
            let tokens = held.withLock { held in
                defer { held = [] }
                return held
            }
            mostHeld.withLock { $0 = max($0, tokens.count) }
            for token in tokens {
                WatchedPlugin.answer(process, token, bytes: Self.answerBytes)
                process.release(Self.answerBytes)
            }
        }
        #expect(await plugin.problem == nil)
        #expect(plugin.lines == ["\(count)"])
        #expect(mostHeld.withLock { $0 } == limits.outputBytes / Self.answerBytes)
    }
}
