/// A file of a new bundle.
struct TemplateFile: Hashable {
    /// From the bundle's or the package's folder on.
    var path: String
    var text: String
    var isExecutable = false
}
