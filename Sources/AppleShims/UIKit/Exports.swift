// As Apple's module does.
@_exported public import Foundation
