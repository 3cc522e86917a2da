/// A Swift package with the plugin as a program, and a makefile that makes the bundle of it.
struct SwiftTemplate {
    let names: BundleNames
    let package: PackageSource

    var files: [TemplateFile] {
        [
            TemplateFile(path: "Package.swift", text: manifest),
            TemplateFile(path: "Sources/\(target)/\(type).swift", text: program),
            TemplateFile(path: "Info.json", text: information),
            TemplateFile(path: "Makefile", text: makefile),
            TemplateFile(path: ".gitignore", text: "/.build\n/\(names.bundle)\n"),
        ]
    }

    // No target of Runner ends like this: names of targets must differ in all packages together.
    private var target: String { "\(names.typeName)Plugin" }
    // No type is named like its module.
    private var type: String { "\(names.typeName)Tasks" }

    private var manifest: String {
        """
        // swift-tools-version: 6.2
        import PackageDescription

        let package = Package(
            name: "\(names.name)-plugin",
            dependencies: [
                \(dependency)
            ],
            targets: [
                .executableTarget(
                    name: "\(target)", dependencies: [.product(name: "Plugins", package: "\(dependencyName)")])
            ]
        )

        """
    }

    private var dependency: String {
        switch package {
        case .folder(let path): ".package(name: \"\(dependencyName)\", path: \(Self.literal(path)))"
        case .repository(let address): ".package(url: \(Self.literal(address)), branch: \"main\")"
        }
    }

    /// By what a product's package is named: a repository's by its address.
    private var dependencyName: String {
        switch package {
        case .folder: return "runner"
        case .repository(let address):
            let last = address.split { $0 == "/" || $0 == ":" }.last.map(String.init) ?? "runner"
            return last.hasSuffix(".git") ? String(last.dropLast(4)) : last
        }
    }

    private var program: String {
        """
        import Plugins

        @main
        struct \(type): TaskPlugin {
            func register(in registry: TaskRegistry) throws {
                try registry.register("\(names.task)", kind: .appRefresh, handler: refresh)
            }

            /// Returning is success, throwing is failure; expiration cancels it.
            @Sendable
            private func refresh(_ task: TaskContext) async throws {
                // The work goes here.
                for step in 1...5 {
                    try await Task.sleep(for: .milliseconds(100))
                    task.reportProgress(Double(step) / 5, title: "step \\(step) of 5")
                }
                print("done in run \\(task.runNumber) of \\(task.identifier)")
            }
        }

        """
    }

    private var information: String {
        """
        {
            "CFBundleIdentifier": "\(names.app)",
            "BGTaskSchedulerPermittedIdentifiers": ["\(names.task)"],
            "UIBackgroundModes": ["fetch"],
            "RunnerPlugin": { "executable": "bin/plugin" },
            "RunnerTasks": {
                "\(names.task)": { "kind": "appRefresh", "every": "1h" }
            }
        }

        """
    }

    private var makefile: String {
        """
        # Makes \(names.bundle), the bundle that runnerd loads. Needs libjansson-dev.

        SWIFT ?= swift
        CONFIGURATION ?= release
        # The library of Swift goes into the program, so that it runs where no toolchain is.
        BUILD := $(SWIFT) build --configuration $(CONFIGURATION) --static-swift-stdlib

        .PHONY: bundle
        bundle:
        \t$(BUILD) --product \(target)
        \tinstall -d \(names.bundle)/bin
        \tinstall -m 755 "$$($(BUILD) --show-bin-path)/\(target)" \(names.bundle)/bin/plugin
        \tinstall -m 644 Info.json \(names.bundle)/Info.json

        """
    }

    /// A text as Swift writes it.
    private static func literal(_ text: String) -> String {
        "\"" + text.replacing("\\", with: "\\\\").replacing("\"", with: "\\\"") + "\""
    }
}
