public import Dispatch
// As Apple's module does: files that say only `import BackgroundTasks` use dates, queues and progress.
@_exported public import Foundation

/// The name that Apple's headers give a dispatch queue.
public typealias dispatch_queue_t = DispatchQueue
