import Arguments
import Platform
import Simulation

/// The files into which a command draws days, as its options name them.
struct PictureFiles {
    static let svgOption = "--svg"
    static let htmlOption = "--html"

    static let options = [
        OptionDescription(svgOption, value: "PATH", values: .files, help: "Draws the days into this file."),
        OptionDescription(
            htmlOption, value: "PATH", values: .files,
            help: "Draws them as a page with details, which needs no network."),
    ]

    let svgPath: String?
    let htmlPath: String?
    private let help: String

    /// - Parameter help: the command line that tells more.
    init(_ parsed: ParsedArguments, help: String) throws(ControlFailure) {
        svgPath = parsed.value(of: Self.svgOption)
        htmlPath = parsed.value(of: Self.htmlOption)
        self.help = help
        for (option, path) in named where path == "-" || path.isEmpty {
            throw misuse(
                "\(option) needs the path of a file, since the report goes to standard output; "
                    + "write ./- for a file of that name.")
        }
        if let svgPath, let htmlPath, let place = FilePlace(svgPath), place == FilePlace(htmlPath) {
            throw misuse("\(Self.svgOption) and \(Self.htmlOption) name the same file; give each a file of its own.")
        }
    }

    /// Refuses to write over what is read.
    func check(against scenarios: [String]) throws(ControlFailure) {
        let places = Set(scenarios.compactMap { FilePlace($0) })
        for (option, path) in named {
            guard let place = FilePlace(path), places.contains(place) else { continue }
            throw misuse("\(Printable.text(path)) is a scenario that is read; name another file with \(option).")
        }
    }

    var isEmpty: Bool { svgPath == nil && htmlPath == nil }

    func write(_ chart: @autoclosure () -> DayChart) throws(ControlFailure) {
        guard !isEmpty else { return }
        let chart = chart()
        if let svgPath { try write(SVGPicture.draw(chart), to: svgPath) }
        if let htmlPath { try write(HTMLPage.draw(chart), to: htmlPath) }
    }

    // MARK: Private

    private var named: [(option: String, path: String)] {
        [svgPath.map { (Self.svgOption, $0) }, htmlPath.map { (Self.htmlOption, $0) }].compactMap(\.self)
    }

    private func misuse(_ message: String) -> ControlFailure {
        .usage(UsageError(message, help: help))
    }

    private func write(_ text: String, to path: String) throws(ControlFailure) {
        do throws(SystemError) {
            try WholeFile.write(text, to: path)
        } catch {
            throw .failed("\(Printable.text(path)) could not be written: \(SystemError.text(for: error.code)).")
        }
    }
}
