import Arguments
import FoundationEssentials
import Platform
import RPC
import Scheduling

/// `plugin new`: makes a bundle that works at once.
struct PluginNew {
    let surroundings: Surroundings

    static let language = "--language"
    static let identifier = "--identifier"
    static let directory = "--directory"
    static let package = "--package"
    static let packageVariable = "RUNNER_PACKAGE"
    private static let help = "runnerctl plugin new --help"

    static let description = CommandDescription(
        ["plugin", "new"], summary: "Makes a bundle with one task, without a daemon",
        description: """
            NAME names the files: letters, digits, - and _, beginning with a letter. In the shell and in Python the \
            bundle NAME.plugin is made. In Swift the package NAME is made, and “make” in it makes the bundle; the package \
            gets Runner from --package, else from RUNNER_PACKAGE, else from the checkout that this program was built in. \
            Nothing that is there is ever changed.
            """,
        positionals: [PositionalDescription("NAME", help: "The bundle's name, such as mail.")],
        options: [
            OptionDescription(
                language, value: "LANGUAGE", values: .words(PluginLanguage.allCases.map(\.rawValue)),
                help: "One of swift, python and shell."),
            OptionDescription(identifier, value: "ID", help: "The app's identifier; com.example.NAME without it."),
            OptionDescription(
                directory, value: "DIR", values: .files,
                help: "The folder to make it in; the working folder without it."),
            OptionDescription(
                package, value: "WHERE", values: .files,
                help: "The folder or the git repository of the Swift package Runner."),
        ],
        examples: [
            ExampleDescription("runnerctl plugin new mail --language shell", "A command in the shell:"),
            ExampleDescription(
                "runnerctl plugin new mail --language swift --identifier org.example.mail", "A program in Swift:"),
        ])

    func run(_ parsed: ParsedArguments) throws(ControlFailure) -> ControlStatus {
        let language = try language(parsed)
        let names = try names(parsed.positional("NAME") ?? "", identifier: parsed.value(of: Self.identifier))
        let package = language == .swift ? try package(parsed.value(of: Self.package)) : nil
        let parent = parsed.value(of: Self.directory) ?? "."
        guard FileStatus(of: parent)?.kind == .folder else {
            throw .failed(
                "There is no folder \(Printable.text(parent)); make it first, or name another with --directory.")
        }
        let made = language.isBuilt ? names.name : names.bundle
        let folder = parent == "." ? made : "\(parent)/\(made)"
        let files = language.files(names, package: package)
        try write(files, to: folder)
        let report = PluginReport(names: names, language: language, parent: parent, folder: folder, files: files)
        surroundings.console.write(parsed.isSet(ControlDescription.json) ? report.json : report.text)
        return .done
    }

    // MARK: Arguments

    private func language(_ parsed: ParsedArguments) throws(ControlFailure) -> PluginLanguage {
        let all = PluginLanguage.allCases.map(\.rawValue)
        do throws(UsageError) {
            guard let word = try parsed.word(of: Self.language, among: all),
                let language = PluginLanguage(rawValue: word)
            else {
                throw UsageError(
                    "\(Self.language) is missing; write one of \(all.joined(separator: ", ")) after it.",
                    help: Self.help)
            }
            return language
        } catch {
            throw .usage(error)
        }
    }

    private func names(_ name: String, identifier: String?) throws(ControlFailure) -> BundleNames {
        guard BundleNames.isName(name) else {
            throw Self.usage(
                "NAME must be letters, digits, - and _, begin with a letter and have \(BundleNames.longestName) at "
                    + "most, not “\(Printable.text(name))”.",
                suggestion: Self.suggestion(for: name))
        }
        do {
            return try BundleNames(name: name, identifier: identifier)
        } catch {
            throw Self.usage(error.message)
        }
    }

    /// A bundle's whole name is what many will write.
    private static func suggestion(for name: String) -> String? {
        guard name.hasSuffix(".plugin") else { return nil }
        let name = String(name.dropLast(".plugin".count))
        return BundleNames.isName(name) ? name : nil
    }

    private func package(_ text: String?) throws(ControlFailure) -> PackageSource {
        let given = text ?? surroundings.variable(Self.packageVariable)
        if let given, !given.isEmpty {
            return PackageSource(given, workingFolder: ProcessEnvironment.workingFolder)
        }
        if let checkout = PackageSource.checkout(around: surroundings.ownFolder, isPackage: Self.holdsRunner) {
            return checkout
        }
        throw Self.usage(
            "Where the Swift package Runner is cannot be found out; name its folder or git repository with "
                + "\(Self.package).")
    }

    private static func holdsRunner(_ folder: String) -> Bool {
        FileStatus(of: "\(folder)/Package.swift")?.kind == .regular
            && FileStatus(of: "\(folder)/Sources/Plugins")?.kind == .folder
    }

    private static func usage(_ message: String, suggestion: String? = nil) -> ControlFailure {
        .usage(UsageError(message, suggestion: suggestion, help: help))
    }

    // MARK: Files

    private func write(_ files: [TemplateFile], to folder: String) throws(ControlFailure) {
        do throws(SystemError) {
            try NewFile.makeFolder(folder)
        } catch {
            guard error.isAlreadyThere else { throw Self.failed(folder, error) }
            throw .failed("\(Printable.text(folder)) is there already; remove it first, or choose another NAME.")
        }
        do throws(SystemError) {
            for file in files {
                try NewFile.makeFolders(below: folder, for: file.path)
                try NewFile.write(file.text, to: "\(folder)/\(file.path)", isExecutable: file.isExecutable)
            }
        } catch {
            // Half a bundle is worse than none.
            try? FileManager.default.removeItem(atPath: folder)
            throw Self.failed(folder, error)
        }
    }

    private static func failed(_ folder: String, _ error: SystemError) -> ControlFailure {
        .failed("\(Printable.text(folder)) could not be made: \(SystemError.text(for: error.code)).")
    }
}
