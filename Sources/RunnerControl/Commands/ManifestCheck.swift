import Arguments
import FoundationEssentials
import Platform
import Plugins
import RPC
import Scheduling

/// `manifest check`: what a daemon would say of a bundle, without one.
struct ManifestCheck {
    let console: any Console
    let style: Style

    func run(_ parsed: ParsedArguments) throws(ControlFailure) -> ControlStatus {
        let path = parsed.positional("PATH") ?? ""
        let definitions = try definitions(parsed.values(of: ControlDescription.define))
        let problems: [ManifestProblem]
        var apps: [String] = []
        if parsed.isSet(ControlDescription.embedded) {
            let reading = ManifestReading.read(path: path, purpose: .embedding, definitions: definitions)
            problems = reading.problems
            if let manifest = reading.manifest { apps = [manifest.identifier.text] }
        } else {
            let loader = BundleLoader(
                folders: [path], trust: parsed.isSet(ControlDescription.trust), definitions: definitions,
                daemonUser: ProcessEnvironment.effectiveUser)
            (problems, apps) = check(path, loader)
        }
        let hasErrors = problems.contains { $0.severity == .error }
        if parsed.isSet(ControlDescription.json) {
            console.write(json(problems, apps: apps))
        } else {
            console.write(text(problems, path: path, apps: apps))
        }
        return hasErrors ? .unsuccessful : .done
    }

    // MARK: Private

    private func check(_ path: String, _ loader: BundleLoader) -> (problems: [ManifestProblem], apps: [String]) {
        if holdsBundles(path) {
            let result = loader.load()
            return (result.problems, result.bundles.map(\.app.text))
        }
        if isFolder(path) {
            switch loader.examine(bundle: path) {
            case .success(let bundle): return (bundle.problems, [bundle.app.text])
            case .failure(let refused): return (refused.problems, [])
            }
        }
        let reading = ManifestReading.read(path: path, purpose: .hosting, definitions: loader.definitions)
        guard let manifest = reading.manifest else { return (reading.problems, []) }
        let library = manifest.program?.libraryProblem(file: reading.files.first ?? path)
        return (reading.problems + [library].compactMap(\.self), library == nil ? [manifest.identifier.text] : [])
    }

    private func isFolder(_ path: String) -> Bool {
        var isFolder = false
        return FileManager.default.fileExists(atPath: path, isDirectory: &isFolder) && isFolder
    }

    /// A folder of bundles, which is none itself.
    private func holdsBundles(_ path: String) -> Bool {
        guard isFolder(path), !path.hasSuffix(BundleLoader.bundleSuffix),
            let names = try? FileManager.default.contentsOfDirectory(atPath: path)
        else { return false }
        return names.contains { $0.hasSuffix(BundleLoader.bundleSuffix) }
            && !names.contains("Info.plist") && !names.contains("Info.json")
    }

    private func definitions(_ texts: [String]) throws(ControlFailure) -> [String: String] {
        var definitions: [String: String] = [:]
        for text in texts {
            guard let equals = text.firstIndex(of: "="), equals != text.startIndex else {
                throw .usage(
                    UsageError(
                        "--define must be NAME=VALUE, not “\(Printable.text(text))”.",
                        help: "runnerctl manifest check --help"))
            }
            definitions[String(text[..<equals])] = String(text[text.index(after: equals)...])
        }
        return definitions
    }

    private func json(_ problems: [ManifestProblem], apps: [String]) -> String {
        var writer = JSONWriter()
        writer.object { writer in
            writer.member("apps", strings: apps)
            writer.key("problems")
            writer.array { writer in
                for problem in problems { Self.write(problem, into: &writer) }
            }
        }
        writer.endLine()
        return String(decoding: writer.bytes, as: UTF8.self)
    }

    static func write(_ problem: ManifestProblem, into writer: inout JSONWriter) {
        writer.object { writer in
            writer.member("severity", problem.severity.rawValue)
            writer.member("name", problem.name.rawValue)
            writer.member("file", problem.file)
            writer.member("key", problem.key)
            writer.member("line", problem.line)
            writer.member("message", problem.message)
            writer.member("fix", problem.fix)
        }
    }

    private func text(_ problems: [ManifestProblem], path: String, apps: [String]) -> String {
        var text = ""
        for problem in problems {
            let place = problem.line.map { "\(problem.file):\($0)" } ?? problem.file
            let severity = style.paint(problem.severity.rawValue, problem.severity == .error ? .red : .yellow)
            let key = problem.key.map { "\($0): " } ?? ""
            text += Printable.text(place) + ": \(severity): " + Printable.text("\(key)\(problem.message)")
            text += "\n  fix: " + Printable.text(problem.fix) + "\n"
        }
        let errors = problems.count { $0.severity == .error }
        let warnings = problems.count - errors
        if problems.isEmpty {
            text += "\(Printable.text(path)): nothing is wrong (\(apps.joined(separator: ", "))).\n"
        } else {
            text += "\(CountedWord.text(errors, "error")), \(CountedWord.text(warnings, "warning")).\n"
        }
        return text
    }
}
