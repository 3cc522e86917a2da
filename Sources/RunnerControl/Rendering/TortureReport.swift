import RPC
import Scheduling

/// What `torture` found, for programs.
enum TortureReport {
    static func json(_ report: ExpiryReport) -> String {
        var writer = JSONWriter()
        writer.object { writer in
            writer.member("identifier", report.identifier.text)
            writer.member("runs", report.trials)
            writer.member("expired", report.moments)
            writer.member("tookSeconds", seconds: report.duration.wholeMilliseconds)
            writer.key("findings")
            writer.array { writer in
                for finding in report.findings {
                    writer.object { writer in
                        writer.member("kind", finding.kind.rawValue)
                        writer.member("count", finding.count)
                        writer.member("message", finding.message)
                        writer.member("fix", finding.fix)
                        writer.member("trial", finding.trial.description)
                        writer.member("reproduction", report.command(for: finding.trial))
                    }
                }
            }
        }
        return String(decoding: writer.bytes, as: UTF8.self) + "\n"
    }
}
