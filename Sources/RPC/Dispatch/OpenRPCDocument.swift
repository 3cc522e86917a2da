import Scheduling

/// The methods of a service as an OpenRPC document, which other programs can read.
package struct OpenRPCDocument {
    static let formatVersion = "1.3.2"

    private let title: String
    private let summary: String
    private let version: String
    private let methods: [MethodDescription]
    private let notifications: [NotificationDescription]

    package init(
        title: String, summary: String, version: String, methods: [MethodDescription],
        notifications: [NotificationDescription] = []
    ) {
        self.title = title
        self.summary = summary
        self.version = version
        self.methods = methods
        self.notifications = notifications
    }

    /// The document, compact.
    package var bytes: [UInt8] {
        var writer = JSONWriter(reserving: 65_536)
        writer.object { writer in
            writer.member("openrpc", Self.formatVersion)
            writer.key("info")
            writer.object { writer in
                writer.member("title", title)
                writer.member("description", summary)
                writer.member("version", version)
            }
            writer.key("methods")
            writer.array { writer in
                for method in methods { write(method, into: &writer) }
            }
            writer.key("components")
            writer.object { writer in writeComponents(into: &writer) }
            writer.key("x-notifications")
            writer.array { writer in
                for notification in notifications { write(notification, into: &writer) }
            }
            writer.member("x-errors", strings: ErrorDescription.ofEveryRequest.map(\.kind))
        }
        return writer.bytes
    }

    // MARK: Private

    private func write(_ method: MethodDescription, into writer: inout JSONWriter) {
        writer.object { writer in
            writer.member("name", method.name)
            writer.member("summary", method.summary)
            writer.member("paramStructure", "either")
            writer.key("params")
            writer.array { writer in
                for parameter in method.parameters { write(parameter, into: &writer) }
            }
            writer.key("result")
            writer.object { writer in
                writer.member("name", "result")
                writer.member("summary", method.resultNote.isEmpty ? nil : method.resultNote)
                writer.key("schema")
                writer.value(method.result)
            }
            writer.key("errors")
            writer.array { writer in
                for kind in method.errors {
                    writer.object { writer in writer.member("$ref", "#/components/errors/\(kind.rawValue)") }
                }
            }
            writer.key("examples")
            writer.array { writer in write(method.example, of: method, into: &writer) }
            writer.member("x-access", method.access.name)
            writer.member("x-batch", method.isAllowedInBatch)
        }
    }

    private func write(_ notification: NotificationDescription, into writer: inout JSONWriter) {
        writer.object { writer in
            writer.member("name", notification.name)
            writer.member("summary", notification.summary)
            writer.key("params")
            writer.value(notification.params)
        }
    }

    private func write(_ parameter: ParameterDescription, into writer: inout JSONWriter) {
        writer.object { writer in
            writer.member("name", parameter.name)
            writer.member("summary", parameter.summary)
            writer.member("required", parameter.isRequired)
            writer.key("schema")
            writer.value(parameter.schema)
        }
    }

    private func write(_ example: MethodExample, of method: MethodDescription, into writer: inout JSONWriter) {
        writer.object { writer in
            writer.member("name", example.name)
            writer.key("params")
            writer.array { writer in
                guard let params = parsed(example.params, of: method).members else { return }
                for (name, value) in params {
                    writer.object { writer in
                        writer.member("name", name)
                        writer.member("value", value)
                    }
                }
            }
            writer.key("result")
            writer.object { writer in
                writer.member("name", "result")
                writer.member("value", parsed(example.result, of: method))
            }
        }
    }

    private func parsed(_ text: String, of method: MethodDescription) -> JSONValue {
        guard let document = try? JSONDocument.parse(Array(text.utf8)) else {
            preconditionFailure("the example of '\(method.name)' is no JSON: \(text)")
        }
        return document.root
    }

    private func writeComponents(into writer: inout JSONWriter) {
        var shapes: [NamedSchema] = []
        for method in methods { method.result.collectNamed(into: &shapes) }
        for notification in notifications { notification.params.collectNamed(into: &shapes) }
        writer.key("schemas")
        writer.object { writer in
            for shape in shapes.sorted(by: { $0.name < $1.name }) {
                writer.key(dynamic: shape.name)
                writer.value(shape.schema, description: shape.summary)
            }
        }
        writer.key("errors")
        writer.object { writer in
            for error in ErrorDescription.all {
                writer.key(dynamic: error.kind)
                writer.object { writer in
                    writer.member("code", error.code)
                    writer.member("message", error.summary)
                    writer.key("data")
                    writer.object { writer in writer.member("kind", error.kind) }
                }
            }
        }
    }
}
