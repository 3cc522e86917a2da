import Platform
import SystemPlatform

/// A stream that a child writes lines to, read as it comes.
///
/// Used on the loop only.
final class LineSource {
    /// What is read before others have their turn.
    private static let share = 16_384

    private let loop: EventLoop
    private let descriptor: OwnedDescriptor
    private let take: ([UInt8]) -> Void
    private var splitter: LineSplitter
    private var watch: WatchToken?
    private var isOpen = true

    /// Begins to read; `take` gets each line.
    init(
        on loop: EventLoop, _ descriptor: OwnedDescriptor, take: @escaping ([UInt8]) -> Void
    ) throws(SystemError) {
        self.loop = loop
        self.descriptor = descriptor
        self.take = take
        splitter = LineSplitter(limit: OutputStore.lineBytes)
        try descriptor.setNonblocking()
        watch = try loop.watch(descriptor.raw, for: .read) { [weak self] _ in self?.readOnce() }
    }

    /// Reads what is there; bounded, since somebody may go on writing.
    func drain() {
        var rounds = 64
        while rounds > 0, readOnce() { rounds -= 1 }
    }

    /// Reads no more, or goes on.
    func setPaused(_ isPaused: Bool) {
        if let watch { try? loop.update(watch, isPaused ? [] : .read) }
    }

    /// What was read last is a line too.
    func finish() {
        guard isOpen else { return }
        isOpen = false
        splitter.end(take)
        if let watch { loop.unwatch(watch) }
        watch = nil
        descriptor.close()
    }

    /// Reads once; `false` when the stream has ended or is empty for now.
    @discardableResult
    private func readOnce() -> Bool {
        guard isOpen else { return false }
        return withUnsafeTemporaryAllocation(byteCount: Self.share, alignment: 1) { buffer in
            switch NonblockingIO.read(descriptor.raw, into: buffer) {
            case .data(let count):
                splitter.append(UnsafeRawBufferPointer(rebasing: buffer[..<count]), take)
                return true
            case .wouldBlock: return false
            case .endOfFile, .failed:
                finish()
                return false
            }
        }
    }
}
