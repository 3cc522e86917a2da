import Scheduling

/// What a scenario may have; more is told with a sentence.
package enum ScenarioLimits {
    /// The bytes of a file.
    package static let fileSize = 8 << 20
    package static let days = 1...4_000
    static let warmUpDays = 0...400
    static let devices = 16
    static let apps = 2_000
    /// Of all apps together.
    static let tasks = 10_000
    static let submissions = 16
    /// An event for several times counts as so many.
    static let events = 20_000
    static let windows = 1_440
    /// The bytes of a name.
    static let name = 100
    /// After so many problems events are read no more.
    static let problems = 1_000
    /// How many files may extend each other.
    static let files = 8
    /// A Monday, for who does not care.
    static let firstDay = WallTime(milliseconds: 1_767_571_200_000)
    /// The dates of the first day: floors, and the days of the warm-up, are dates too (B14).
    static let start = WallTime(milliseconds: 315_532_800_000)...WallTime(milliseconds: 4_102_444_800_000)
    static let day = Duration.hours(24)
}
