/// The names that can stand in `$(NAME)`.
enum DefinitionName {
    static let rule = "Use letters, digits and _, and begin with a letter or _."

    static func isWellFormed(_ name: String) -> Bool {
        guard let first = name.utf8.first, !(0x30...0x39).contains(first) else { return false }
        return name.unicodeScalars.allSatisfy { scalar in
            switch scalar {
            case "a"..."z", "A"..."Z", "0"..."9", "_": true
            default: false
            }
        }
    }
}
