/// What two scenarios have in common by name, in the order of the first; what only one has comes with nothing beside it.
enum Pairing {
    /// - Parameter byPosition: whether what has no other of its name goes with the one at its place, if that has none either.
    static func pairs<Element>(
        _ left: [Element], _ right: [Element], byPosition: Bool = false, name: (Element) -> String
    ) -> [(left: Element?, right: Element?)] {
        var rights: [String: Int] = [:]
        for (position, element) in right.enumerated() where rights[name(element)] == nil {
            rights[name(element)] = position
        }
        let lefts = Set(left.map(name))
        var taken: Set<Int> = []
        var pairs: [(left: Element?, right: Element?)] = []
        for (position, element) in left.enumerated() {
            var match = rights[name(element)]
            if match == nil, byPosition, position < right.count, !lefts.contains(name(right[position])) {
                match = position
            }
            if let found = match, !taken.insert(found).inserted { match = nil }
            pairs.append((element, match.map { right[$0] }))
        }
        for (position, element) in right.enumerated() where !taken.contains(position) { pairs.append((nil, element)) }
        return pairs
    }

    /// The titles of two columns, which must not be the same.
    static func titles(_ left: String, _ right: String) -> (left: String, right: String) {
        left == right ? ("first", "second") : (Printable.text(left), Printable.text(right))
    }

    /// What is added to the first to get the second.
    static func difference(_ left: Int, _ right: Int) -> String {
        left == right ? "" : right > left ? "+\(right - left)" : "\(right - left)"
    }
}
