/// The findings of `doctor`, of which there are only so many of one name about one app.
///
/// A thousand requests that wait for one bundle have one cause; the rest is counted.
package struct FindingList {
    /// No more of one name about one app are told one by one.
    package static let most = 10

    private struct Subject: Hashable {
        var app: AppIdentifier?
        var name: String
    }

    private var findings: [Finding] = []
    private var counts: [Subject: Int] = [:]

    package init() {}

    /// Takes a finding in, which is made only when it is told.
    package mutating func add(app: AppIdentifier?, _ name: String, _ finding: () -> Finding) {
        counts[Subject(app: app, name: name), default: 0] += 1
        if counts[Subject(app: app, name: name)] ?? 0 <= Self.most { findings.append(finding()) }
    }

    package mutating func add(_ finding: Finding) {
        add(app: finding.app, finding.name) { finding }
    }

    /// All, with one more after the last of its kind where some are only counted.
    package var all: [Finding] {
        var all: [Finding] = []
        var told: [Subject: Int] = [:]
        for finding in findings {
            all.append(finding)
            let subject = Subject(app: finding.app, name: finding.name)
            told[subject, default: 0] += 1
            guard let count = counts[subject], count > Self.most, told[subject] == Self.most else {
                continue
            }
            all.append(
                Finding(
                    finding.severity, finding.name, app: finding.app,
                    message: "There \(count - Self.most == 1 ? "is" : "are") \(count - Self.most) more like these.",
                    fix: finding.fix))
        }
        return all
    }
}
