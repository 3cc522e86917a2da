/// The replies of one batch, collected until the last is there.
struct BatchReply: Sendable {
    /// One for each member that is answered, in the order of the batch.
    private var replies: [[UInt8]]
    private var missing: Int

    init(members: Int) {
        replies = Array(repeating: [], count: members)
        missing = members
    }

    var isComplete: Bool { missing == 0 }

    mutating func fill(_ member: Int, with reply: [UInt8]) {
        replies[member] = reply
        missing -= 1
    }

    func write(into writer: inout JSONWriter) {
        writer.beginArray()
        for reply in replies { writer.raw(reply) }
        writer.endArray()
        writer.endLine()
    }
}
