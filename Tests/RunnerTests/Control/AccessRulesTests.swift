import Platform
import RPC
import Testing

@testable import Runner

@Suite("Who may do what on a control socket")
struct AccessRulesTests {
    private func peer(_ uid: UInt32, gid: UInt32 = 100, groups: [UInt32] = []) -> PeerCredentials {
        PeerCredentials(uid: uid, gid: gid, pid: 1, groups: groups)
    }

    private func rules(
        others: AccessLevel? = .read, users: [UInt32: AccessLevel] = [:], group: UInt32? = 50
    ) -> AccessRules {
        var rules = AccessRules(owner: 1_000, group: group)
        rules.others = others
        rules.users = users
        return rules
    }

    @Test("root and the daemon's own user are admin, whatever is configured", arguments: [UInt32(0), 1_000])
    func owners(uid: UInt32) {
        #expect(rules(others: nil, users: [uid: .read]).level(of: peer(uid)) == .admin)
    }

    @Test("members of the group operate, by their own group or by a supplementary one")
    func groups() {
        #expect(rules().level(of: peer(7, gid: 50)) == .operate)
        #expect(rules().level(of: peer(7, groups: [1, 50])) == .operate)
        #expect(rules(others: nil).level(of: peer(7, groups: [50])) == .operate)
        #expect(rules(others: .admin).level(of: peer(7, groups: [50])) == .admin)
        #expect(rules(group: nil).level(of: peer(7, gid: 50)) == .read)
    }

    @Test("anyone else has what others have, which may be nothing", arguments: [AccessLevel.read, .operate, nil])
    func others(level: AccessLevel?) {
        #expect(rules(others: level).level(of: peer(7)) == level)
    }

    @Test("a user with a level of its own has that, above or below its group's")
    func users() {
        let users: [UInt32: AccessLevel] = [7: .admin, 8: .read]
        #expect(rules(users: users).level(of: peer(7)) == .admin)
        #expect(rules(users: users).level(of: peer(8, gid: 50)) == .read)
    }

    @Test("numbers that stand for nobody match no rule", arguments: [UInt32(65_534), .max])
    func nobody(uid: UInt32) {
        var rules = AccessRules(owner: uid, group: uid)
        rules.users = [uid: .admin]
        #expect(rules.level(of: peer(uid, gid: uid)) == .read)
        #expect(rules.level(of: peer(7, gid: uid)) == .read)
        rules.others = nil
        #expect(rules.level(of: peer(uid, gid: 50, groups: [50])) == nil)
    }

    @Test("only root and the owner are exempt from the limit of connections a user")
    func exemptions() {
        let rules = rules(users: [7: .admin])
        #expect(rules.isExempt(peer(0)))
        #expect(rules.isExempt(peer(1_000)))
        #expect(!rules.isExempt(peer(7)))
        #expect(!rules.isExempt(peer(8)))
    }
}
