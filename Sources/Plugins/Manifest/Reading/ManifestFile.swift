import FoundationEssentials
import Platform
import RPC

/// The files of a manifest: which one is there, and what is in it.
enum ManifestFile {
    static let propertyListName = "Info.plist"
    static let jsonName = "Info.json"
    static let names = [propertyListName, jsonName]
    static let settingsName = "Info.settings.json"

    /// A manifest is text that people write; nothing real comes near this.
    static let sizeLimit = 1 << 20

    /// The manifest that a path names: the path itself, or the one in that folder.
    static func locate(_ path: String) -> Result<String, ManifestProblem> {
        guard let status = FileStatus(of: path) else {
            return .failure(unreadable(path, "There is no such file or folder, or it may not be looked at."))
        }
        let folder = status.kind == .folder ? path : FilePath.folder(path)
        let propertyList = FilePath.join(folder, propertyListName)
        let json = FilePath.join(folder, jsonName)
        let isNamedAsManifest = names.contains(FilePath.name(path))
        if status.kind != .folder && !isNamedAsManifest { return .success(path) }
        switch (FileStatus(ofLinkOrFile: propertyList) != nil, FileStatus(ofLinkOrFile: json) != nil) {
        case (true, true):
            return .failure(
                ManifestProblem(
                    .error, .bothFiles, file: folder,
                    message: "There is an \(propertyListName) and an \(jsonName).", fix: "Remove one of them."))
        case (true, false): return .success(propertyList)
        case (false, true): return .success(json)
        case (false, false):
            return .failure(
                ManifestProblem(
                    .error, .unreadable, file: folder,
                    message: "There is no \(propertyListName) and no \(jsonName) in this folder.",
                    fix: "Write one; the README shows the smallest."))
        }
    }

    /// The bytes of a file, up to the limit.
    static func read(_ path: String) throws(ManifestProblem) -> [UInt8] {
        guard let status = FileStatus(of: path) else {
            throw unreadable(path, "The file is not there or may not be looked at.")
        }
        guard status.kind == .regular else { throw unreadable(path, "This is not a regular file.") }
        guard status.size <= sizeLimit else {
            throw ManifestProblem(
                .error, .unreadable, file: path, message: "The file is larger than \(sizeLimit) bytes.",
                fix: "Make it smaller; a manifest holds keys, not data.")
        }
        guard let data = FileManager.default.contents(atPath: path) else {
            throw unreadable(path, "The file cannot be read.")
        }
        return [UInt8](data)
    }

    /// The members at the top of a manifest, from a property list or from JSON as the name says.
    static func parse(_ bytes: [UInt8], path: String) throws(ManifestProblem) -> [String: ManifestValue] {
        do throws(ManifestSyntaxError) {
            let isJSON = path.hasSuffix(".json")
            let value = try isJSON ? parseJSON(bytes) : parsePropertyList(bytes)
            guard case .dictionary(let members) = value else {
                throw ManifestSyntaxError("The file holds \(value.typeName) instead of a dictionary.")
            }
            return members
        } catch {
            throw ManifestProblem(
                .error, .syntax, file: path, line: error.line, message: error.message,
                fix: error.line == nil ? "Write the file anew." : "Correct the file there.")
        }
    }

    /// The names and values of a settings file.
    static func parseSettings(_ bytes: [UInt8], path: String, _ problems: ProblemList) -> [String: String] {
        let members: [String: ManifestValue]
        do {
            members = try parse(bytes, path: path)
        } catch {
            problems.append([error])
            return [:]
        }
        let reader = KeyedReader(members, problems: problems)
        var definitions: [String: String] = [:]
        for name in reader.names { definitions[name] = reader.string(name, example: "\"com.example\"") }
        return definitions
    }

    // MARK: Private

    private static func parseJSON(_ bytes: [UInt8]) throws(ManifestSyntaxError) -> ManifestValue {
        do {
            return ManifestValue(try CommentedJSON.parse(bytes).root)
        } catch {
            throw ManifestSyntaxError(line: error.line, error.message)
        }
    }

    private static func parsePropertyList(_ bytes: [UInt8]) throws(ManifestSyntaxError) -> ManifestValue {
        if bytes.starts(with: Array("bplist".utf8)) {
            try BinaryPropertyListCheck.check(bytes)
        } else {
            let start = bytes.starts(with: [0xEF, 0xBB, 0xBF]) ? 3 : 0
            guard bytes[start...].first(where: { $0 > 0x20 }) == UInt8(ascii: "<") else {
                throw ManifestSyntaxError(line: 1, "This is neither an XML nor a binary property list.")
            }
            try XMLPropertyListCheck.check(bytes)
        }
        do {
            return try PropertyListDecoder().decode(ManifestValue.self, from: Data(bytes))
        } catch {
            throw ManifestSyntaxError(decodingMessage(error))
        }
    }

    /// The decoder's own words, as far as they are for people.
    private static func decodingMessage(_ error: any Error) -> String {
        guard case DecodingError.dataCorrupted(let context) = error,
            let cause = context.underlyingError as? CocoaError,
            let words = cause.userInfo["NSDebugDescription"] as? String
        else { return "The property list cannot be decoded." }
        // Its line numbers are wrong.
        return "The property list cannot be decoded: \(words.prefix { $0 != "\n" })."
    }

    private static func unreadable(_ path: String, _ message: String) -> ManifestProblem {
        ManifestProblem(
            .error, .unreadable, file: path, message: message,
            fix: "Check the path and that the runner's user may read it.")
    }
}

/// So that a problem that ends the reading can be thrown.
extension ManifestProblem: Error {}
