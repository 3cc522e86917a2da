import BackgroundTasks
import Testing
import XCTest

/// Tells whichever test library runs that an expectation failed.
enum TestIssue {
    /// Where an expectation stands in the test.
    struct Place: Sendable {
        var fileID: String
        var filePath: StaticString
        var line: UInt
        var column: UInt

        init(fileID: String, filePath: StaticString, line: UInt, column: UInt) {
            self.fileID = fileID
            self.filePath = filePath
            self.line = line
            self.column = column
        }

        /// The line of the code under test, of which only the file's name is known.
        init?(_ place: CallPlace) {
            guard case .line(let fileID, let line) = place else { return nil }
            self.init(fileID: "\(fileID)", filePath: fileID, line: line, column: 1)
        }
    }

    /// Whether the calling code is a test of Swift Testing; a queue that it started does not know.
    static var isInSwiftTesting: Bool { Test.current != nil }

    static func record(_ message: String, at place: Place? = nil, inSwiftTesting: Bool = isInSwiftTesting) {
        if inSwiftTesting {
            let location = place.map {
                SourceLocation(
                    fileID: $0.fileID, filePath: String(describing: $0.filePath), line: Int($0.line),
                    column: Int($0.column))
            }
            Issue.record(Comment(rawValue: message), sourceLocation: location ?? SourceLocation.unknown)
        } else if let place {
            XCTFail(message, file: place.filePath, line: place.line)
        } else {
            XCTFail(message)
        }
    }
}

extension SourceLocation {
    /// For what happens far from the test's own lines.
    fileprivate static var unknown: SourceLocation {
        SourceLocation(fileID: "RunnerTesting/unknown", filePath: "unknown", line: 1, column: 1)
    }
}
