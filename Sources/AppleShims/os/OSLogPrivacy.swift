/// Whether a value may be read in the log.
public struct OSLogPrivacy: Sendable {
    let hides: Bool

    /// It may: nobody but the program's user reads its log here.
    public static var auto: OSLogPrivacy { OSLogPrivacy(hides: false) }
    /// It may.
    public static var `public`: OSLogPrivacy { OSLogPrivacy(hides: false) }
    /// It is written as `<private>`.
    public static var `private`: OSLogPrivacy { OSLogPrivacy(hides: true) }
    /// It is written as `<private>`.
    public static var sensitive: OSLogPrivacy { OSLogPrivacy(hides: true) }
}
