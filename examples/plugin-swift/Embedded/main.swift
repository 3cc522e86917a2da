import MailHandlers
import Runner

let manifest = try Manifest(
    identifier: "com.example.mail",
    permittedIdentifiers: ["com.example.mail.refresh", "com.example.mail.send", "com.example.mail.cleanup"],
    backgroundModes: ["fetch", "processing"])

let runner = TaskRunner(manifest: manifest)
try runner.register(Mail())
try await runner.run()
