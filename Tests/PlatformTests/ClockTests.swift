import Glibc
import Platform
import Testing

@Suite("Clocks")
struct ClockTests {
    @Test("the readings are the kernel's")
    func readings() {
        var before = timespec()
        var after = timespec()
        clock_gettime(CLOCK_MONOTONIC, &before)
        let reading = SystemClock.now()
        clock_gettime(CLOCK_MONOTONIC, &after)
        #expect(reading.awake >= Int64(before.tv_sec) * 1000 + Int64(before.tv_nsec) / 1_000_000)
        #expect(reading.awake <= Int64(after.tv_sec) * 1000 + Int64(after.tv_nsec) / 1_000_000)
        #expect(reading.boot >= reading.awake)
        #expect(abs(reading.wall / 1000 - Int64(time(nil))) <= 1)
    }

    @Test("nanoseconds and milliseconds agree", arguments: SystemClock.Clock.allCases)
    func units(_ clock: SystemClock.Clock) {
        let before = SystemClock.nanoseconds(clock) / 1_000_000
        let milliseconds = SystemClock.milliseconds(clock)
        let after = SystemClock.nanoseconds(clock) / 1_000_000
        // The wall clock may be set back by a hair by another test.
        #expect(milliseconds >= before - 1 && milliseconds <= after + 1)
    }

    @Test("the boot has an identifier that stays")
    func boot() {
        #expect(SystemClock.bootIdentifier().utf8.count == 36)
        #expect(SystemClock.bootIdentifier() == SystemClock.bootIdentifier())
    }
}

@Suite("Local time")
struct LocalTimeTests {
    @Test("a zone with summer time is kept, in both directions")
    func centralEurope() async {
        await #expect(processExitsWith: .success) {
            // Written out, so that no time zone files are needed.
            setenv("TZ", "CET-1CEST,M3.5.0,M10.5.0/3", 1)
            tzset()
            let winter: Int64 = 1_767_225_600_000
            let summer: Int64 = 1_782_864_000_000
            try #require(LocalTime(wallMilliseconds: winter)?.description == "2026-01-01 01:00:00 +01:00")
            try #require(LocalTime(wallMilliseconds: summer)?.description == "2026-07-01 02:00:00 +02:00")
            try #require(SystemClock.utcOffsetSeconds(at: winter) == 3600)
            try #require(SystemClock.utcOffsetSeconds(at: summer) == 7200)
            try #require(SystemClock.nextUTCOffsetChange(after: winter) == 1_774_746_000_000)
            try #require(SystemClock.nextUTCOffsetChange(after: 1_774_745_999_999) == 1_774_746_000_000)
            try #require(SystemClock.nextUTCOffsetChange(after: 1_774_746_000_000) == 1_792_890_000_000)
            try #require(LocalTime.wallMilliseconds(year: 2026, month: 1, day: 1, hour: 1) == winter)
            try #require(LocalTime.wallMilliseconds(year: 2026, month: 7, day: 1, hour: 2) == summer)
            // 02:30 does not exist on the last Sunday in March; the moment is within an hour of the change.
            let change: Int64 = 1_774_746_000_000
            let skipped = try #require(LocalTime.wallMilliseconds(year: 2026, month: 3, day: 29, hour: 2, minute: 30))
            try #require(abs(skipped - change) <= 3_600_000)
        }
    }

    @Test("local time west of Greenwich and before 1970 rounds down")
    func west() async {
        await #expect(processExitsWith: .success) {
            setenv("TZ", "NST3:30", 1)
            tzset()
            try #require(LocalTime(wallMilliseconds: 0)?.description == "1969-12-31 20:30:00 -03:30")
            try #require(LocalTime(wallMilliseconds: -1)?.description == "1969-12-31 20:29:59 -03:30")
            try #require(
                LocalTime.wallMilliseconds(year: 1969, month: 12, day: 31, hour: 20, minute: 29, second: 59) == -1000)
        }
    }

    @Test(
        "dates that no calendar has are refused",
        arguments: [(2026, 2, 29), (2026, 13, 1), (2026, 0, 1), (2026, 4, 31), (2026, 1, 0), (0, 1, 1), (10_000, 1, 1)])
    func impossible(_ date: (Int, Int, Int)) {
        #expect(LocalTime.wallMilliseconds(year: date.0, month: date.1, day: date.2) == nil)
    }

    @Test("times that no clock shows are refused", arguments: [(24, 0, 0), (0, 60, 0), (0, 0, 60), (-1, 0, 0)])
    func impossibleTime(_ time: (Int, Int, Int)) {
        let made = LocalTime.wallMilliseconds(
            year: 2026, month: 1, day: 1, hour: time.0, minute: time.1, second: time.2)
        #expect(made == nil)
    }

    @Test("a leap day is there", arguments: [2000, 2024, 2028])
    func leapDay(_ year: Int) {
        #expect(LocalTime.wallMilliseconds(year: year, month: 2, day: 29) != nil)
    }

    @Test("the ends of the number range have a local time or none, and end nobody", arguments: [Int64.min, .max])
    func ends(_ milliseconds: Int64) {
        let offset = LocalTime(wallMilliseconds: milliseconds)?.offsetSeconds ?? 0
        #expect(SystemClock.utcOffsetSeconds(at: milliseconds) == offset)
    }
}
