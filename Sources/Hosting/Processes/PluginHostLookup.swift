import Platform

/// Where the program is that loads libraries.
package enum PluginHostLookup {
    package static func path() -> String? { nil }
}
