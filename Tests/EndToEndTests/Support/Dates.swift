import Foundation

extension Date {
    /// As the control socket writes dates.
    var text: String {
        formatted(.iso8601.year().month().day().time(includingFractionalSeconds: true).timeZone(separator: .omitted))
    }
}

extension JSONNode {
    /// A date of so many seconds from now.
    static func inSeconds(_ seconds: Double) -> JSONNode {
        .string((Date.now + seconds).text)
    }
}
