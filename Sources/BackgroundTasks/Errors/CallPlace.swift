/// Where a call stands in the source, for messages.
struct CallPlace: Sendable {
    let text: String

    init(_ fileID: StaticString, _ line: UInt) {
        text = "\(fileID):\(line)"
    }

    private init(text: String) {
        self.text = text
    }

    /// Nobody said: the call came through a protocol or a reference to the method.
    static let unnamed = CallPlace(text: "an unnamed place (through a protocol or a reference to the method)")
}
