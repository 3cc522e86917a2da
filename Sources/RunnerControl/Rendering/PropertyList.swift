import RPC

/// Any object as aligned names and values; what is within another object is indented.
struct PropertyList {
    let style: Style
    let now: Int64

    func text(_ value: JSONValue, without omitted: Set<String> = []) -> String {
        var lines: [(name: String, text: String)] = []
        add(value, indent: "", without: omitted, to: &lines)
        let widest = lines.filter { !$0.text.isEmpty }.map(\.name.count).max() ?? 0
        return lines.map { line in
            guard !line.text.isEmpty else { return style.paint(line.name, .bold) + "\n" }
            let blanks = String(repeating: " ", count: widest - line.name.count + 2)
            return style.paint(line.name, .bold) + blanks + line.text + "\n"
        }.joined()
    }

    // MARK: Private

    private func add(
        _ value: JSONValue, indent: String, without omitted: Set<String>, to lines: inout [(name: String, text: String)]
    ) {
        guard let members = value.members else { return }
        for (name, member) in members where !omitted.contains(name) {
            switch member.kind {
            case .object where member.count > 0:
                lines.append((indent + label(name), ""))
                add(member, indent: indent + "  ", without: [], to: &lines)
            case .array: lines.append((indent + label(name), list(member)))
            case .object, .string, .integer, .real, .boolean, .null:
                lines.append((indent + label(name), plain(member, name)))
            }
        }
    }

    /// `startedAt` is “started at”; the unit of a duration is in its value.
    private func label(_ name: String) -> String {
        let name = name.hasSuffix("Seconds") ? String(name.dropLast(7)) : name
        return Printable.text(CommandWords.kebab(name).split(separator: "-").joined(separator: " "))
    }

    private func list(_ value: JSONValue) -> String {
        let texts = (value.array.map { Array($0) } ?? []).map { element in
            if let gate = element["gate"]?.string, let milliseconds = element.milliseconds("seconds") {
                return "\(Printable.text(gate)) \(DurationText.short(milliseconds))"
            }
            return plain(element, "")
        }
        return texts.isEmpty ? "none" : texts.joined(separator: ", ")
    }

    private func plain(_ value: JSONValue, _ name: String) -> String {
        if let text = value.string {
            if let date = RFC3339.parse(text) { return DateText.withDistance(date, now: now) }
            return text.isEmpty ? "–" : Printable.text(text)
        }
        if name.hasSuffix("Seconds"), let seconds = value.number,
            let milliseconds = Int64(exactly: (seconds * 1_000).rounded())
        {
            return DurationText.short(milliseconds)
        }
        if let flag = value.bool { return flag ? "yes" : "no" }
        return JSONLine.text(value).trimmedEnd
    }
}

extension String {
    fileprivate var trimmedEnd: String { hasSuffix("\n") ? String(dropLast()) : self }
}
