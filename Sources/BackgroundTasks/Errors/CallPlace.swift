/// Where a call stands in the source, for messages.
package enum CallPlace: Sendable {
    case line(fileID: StaticString, UInt)
    /// Nobody said: the call came through a protocol or a reference to the method.
    case unnamed

    var text: String {
        switch self {
        case .line(let fileID, let line): "\(fileID):\(line)"
        case .unnamed: "an unnamed place (through a protocol or a reference to the method)"
        }
    }
}
