/// What a new bundle can be written in.
enum PluginLanguage: String, CaseIterable {
    case swift
    case python
    case shell

    /// The files of a new bundle.
    func files(_ names: BundleNames, package: PackageSource?) -> [TemplateFile] {
        switch self {
        case .swift: package.map { SwiftTemplate(names: names, package: $0).files } ?? []
        case .python: PythonTemplate(names: names).files
        case .shell: ShellTemplate(names: names).files
        }
    }

    /// Whether a bundle is there only after something was built.
    var isBuilt: Bool {
        switch self {
        case .swift: true
        case .python, .shell: false
        }
    }
}
