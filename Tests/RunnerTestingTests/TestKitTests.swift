import Testing

/// They all change what `BGTaskScheduler.shared` is, so they run one after another.
@Suite("The test kit", .serialized)
struct TestKitTests {}
