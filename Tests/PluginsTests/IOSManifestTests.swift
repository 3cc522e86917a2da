import Scheduling
import Testing

@testable import Plugins

@Suite("The Info.plist of an iOS app")
struct IOSManifestTests {
    static let text =
        ManifestFormatTests.head + """
            <dict>
            \t<key>BGTaskSchedulerPermittedIdentifiers</key>
            \t<array>
            \t\t<string>com.example.Feed.refresh</string>
            \t\t<string>com.example.Feed.cleanup</string>
            \t</array>
            \t<key>CFBundleDevelopmentRegion</key>
            \t<string>$(DEVELOPMENT_LANGUAGE)</string>
            \t<key>CFBundleDisplayName</key>
            \t<string>Feed &amp; Friends</string>
            \t<key>CFBundleExecutable</key>
            \t<string>$(EXECUTABLE_NAME)</string>
            \t<key>CFBundleIdentifier</key>
            \t<string>$(PRODUCT_BUNDLE_IDENTIFIER)</string>
            \t<key>CFBundleInfoDictionaryVersion</key>
            \t<string>6.0</string>
            \t<key>CFBundleShortVersionString</key>
            \t<string>1.4.2</string>
            \t<key>CFBundleURLTypes</key>
            \t<array>
            \t\t<dict>
            \t\t\t<key>CFBundleTypeRole</key>
            \t\t\t<string>Editor</string>
            \t\t\t<key>CFBundleURLSchemes</key>
            \t\t\t<array>
            \t\t\t\t<string>feed</string>
            \t\t\t</array>
            \t\t</dict>
            \t</array>
            \t<key>CFBundleVersion</key>
            \t<string>$(CURRENT_PROJECT_VERSION)</string>
            \t<key>LSRequiresIPhoneOS</key>
            \t<true/>
            \t<key>NSAppTransportSecurity</key>
            \t<dict>
            \t\t<key>NSAllowsArbitraryLoads</key>
            \t\t<false/>
            \t</dict>
            \t<key>NSCameraUsageDescription</key>
            \t<string>To take pictures for your posts.</string>
            \t<key>UIApplicationSceneManifest</key>
            \t<dict>
            \t\t<key>UIApplicationSupportsMultipleScenes</key>
            \t\t<false/>
            \t\t<key>UISceneConfigurations</key>
            \t\t<dict/>
            \t</dict>
            \t<key>UIBackgroundModes</key>
            \t<array>
            \t\t<string>audio</string>
            \t\t<string>fetch</string>
            \t\t<string>processing</string>
            \t\t<string>remote-notification</string>
            \t</array>
            \t<key>UILaunchScreen</key>
            \t<dict/>
            \t<key>UISupportedInterfaceOrientations</key>
            \t<array>
            \t\t<string>UIInterfaceOrientationPortrait</string>
            \t</array>
            </dict>
            </plist>

            """

    @Test("is accepted as it is, once its identifier has a value")
    func accepted() throws {
        let bundle = try TemporaryBundle()
        try bundle.write("Info.plist", Self.text)
        let reading = bundle.read(.embedding, definitions: ["PRODUCT_BUNDLE_IDENTIFIER": "com.example.Feed"])
        #expect(reading.problems == [])
        let manifest = try #require(reading.manifest)
        #expect(manifest.identifier.text == "com.example.Feed")
        #expect(manifest.permittedIdentifiers == ["com.example.Feed.refresh", "com.example.Feed.cleanup"])
        #expect(manifest.backgroundModes == ["fetch", "processing"])
        #expect(manifest.permits(try TaskIdentifier("com.example.Feed.cleanup")))
        #expect(!manifest.permits(try TaskIdentifier("com.example.Feed.other")))
    }

    @Test("without that value it is refused, and only the key that is read is named")
    func identifierWithoutValue() throws {
        let bundle = try TemporaryBundle()
        try bundle.write("Info.plist", Self.text)
        let problems = bundle.read(.embedding).problems
        #expect(problems.map(\.name) == [.undefinedName])
        #expect(problems.first?.key == "CFBundleIdentifier")
        #expect(problems.first?.fix.contains("--define PRODUCT_BUNDLE_IDENTIFIER=VALUE") == true)
    }

    @Test("as a bundle it needs something that runs its tasks")
    func asBundle() throws {
        let bundle = try TemporaryBundle()
        try bundle.write("Info.plist", Self.text)
        let definitions = ["PRODUCT_BUNDLE_IDENTIFIER": "com.example.Feed"]
        let problems = bundle.read(.hosting, definitions: definitions).problems
        #expect(problems.map(\.name) == [.noHandler])
        #expect(problems.first?.key == "RunnerTasks")
        #expect(problems.first?.fix.contains("RunnerPlugin") == true)
    }

    @Test("a program that embeds the runner reads it by its path")
    func publicInitialiser() throws {
        let bundle = try TemporaryBundle()
        try bundle.write("Info.plist", Self.text)
        try bundle.write("Info.settings.json", #"{"PRODUCT_BUNDLE_IDENTIFIER": "com.example.Feed"} // made up"#)
        #expect(try Manifest(contentsOf: bundle.folder).identifier.text == "com.example.Feed")
        #expect(try Manifest(contentsOf: "\(bundle.folder)/Info.plist").permittedIdentifiers.count == 2)
        let error = try #require(throws: ManifestError.self) {
            try Manifest(contentsOf: "\(bundle.folder)/missing.plist")
        }
        #expect(error.description.contains("missing.plist: error: "))
    }
}
