public import Foundation

/// What an application's delegate is derived from; there is nothing here that responds to touches.
@MainActor
open class UIResponder: NSObject {
    /// Makes one. It is `required`, since there is no runtime on Linux that could make an object of any class.
    public nonisolated required override init() {
        super.init()
    }
}
