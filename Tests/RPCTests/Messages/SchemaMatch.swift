import RPC

extension JSONSchema {
    /// Where and why a value is not of this shape, strictly: members that are not described are faults too.
    func faults(of value: JSONValue?, at path: String = "result") -> [String] {
        guard let value else { return ["\(path) is missing"] }
        let isRight: Bool
        switch self {
        case .any: isRight = true
        case .null: isRight = value.isNull
        case .boolean: isRight = value.bool != nil
        case .string: isRight = value.string != nil
        case .integer(let bounds): isRight = value.integer.map { bounds?.contains(Double($0)) ?? true } ?? false
        case .number(let bounds): isRight = value.number.map { bounds?.contains($0) ?? true } ?? false
        case .seconds: isRight = value.number.map { $0 >= 0 } ?? false
        case .date: isRight = value.string?.utf8.count == 24 && value.withUTF8 { RFC3339.parse($0) } != nil
        case .enumeration(let words): isRight = value.string.map(words.contains) ?? false
        case .array(let element):
            guard let array = value.array else { return ["\(path) is no array"] }
            return array.enumerated().flatMap { element.faults(of: $1, at: "\(path)[\($0)]") }
        case .object(let members): return faults(of: value, members: members, at: path)
        case .named(let named): return named.schema.faults(of: value, at: path)
        case .either(let choices): isRight = choices.contains { $0.faults(of: value, at: path).isEmpty }
        }
        return isRight ? [] : ["\(path) is not \(words)"]
    }

    private func faults(of value: JSONValue, members: [Member], at path: String) -> [String] {
        guard let present = value.members else { return ["\(path) is no object"] }
        let known = Set(members.map(\.name))
        let extra = present.filter { !known.contains($0.name) }.map { "\(path).\($0.name) is not described" }
        return extra
            + members.flatMap { member -> [String] in
                let found = value[member.name]
                if found == nil, member.isOptional { return [] }
                return member.schema.faults(of: found, at: "\(path).\(member.name)")
            }
    }
}
