import Scheduling
import Simulation

/// Charts for the tests of pictures.
enum ChartFixture {
    /// Monday, 30 November 2026, 00:00 UTC.
    static let monday = WallTime(milliseconds: 1_795_996_800_000)

    static func at(_ hours: Int, _ minutes: Int = 0) -> WallTime {
        monday.advanced(by: .minutes(hours * 60 + minutes))
    }

    static func run(_ number: Int64, _ start: WallTime, _ seconds: Int = 12, state: String = "succeeded") -> ChartRun {
        ChartRun(number: number, startedAt: start, endedAt: start.advanced(by: .seconds(seconds)), state: state)
    }

    static func hold(_ gate: String, _ from: WallTime, _ until: WallTime, _ detail: String = "") -> ChartHold {
        ChartHold(gate: gate, start: from, milliseconds: from.duration(to: until).wholeMilliseconds, detail: detail)
    }

    /// A day with one of everything.
    static var everything: DayChart {
        var device = DeviceLane(name: "phone", policy: "apple")
        for (index, kind) in ChartBand.Kind.allCases.enumerated() {
            device.bands.append(ChartBand(kind, from: at(index), to: at(index + 1), detail: "band detail \(index)"))
        }
        for (index, kind) in ChartMark.Kind.allCases.enumerated() {
            device.marks.append(ChartMark(kind, at: at(index, 30), app: "com.example.app", detail: "mark \(index)"))
        }
        var stopped = run(5, at(20), state: "expired")
        stopped.expirationReason = "budget"
        var simulated = run(6, at(22))
        simulated.isSimulatedLaunch = true
        device.tasks = [
            lane(
                "refresh",
                [
                    ChartRequest(
                        submittedAt: at(8, 30), floor: at(8, 45),
                        holds: [
                            hold("earliestBeginDate", at(8, 30), at(8, 45)),
                            hold("usage", at(8, 45), at(14, 20), "no window"),
                        ], outcome: .granted(run(1, at(14, 20))), note: "the period was clamped"),
                    ChartRequest(
                        submittedAt: at(14, 30), holds: [hold("forceQuit", at(15), at(24))], outcome: .pending),
                ]),
            lane(
                "backup",
                [
                    ChartRequest(
                        submittedAt: at(9), holds: [ChartHold(gate: "network", start: nil, milliseconds: 3_600_000)],
                        outcome: .withdrawn(at: at(12), detail: "cancelled")),
                    ChartRequest(submittedAt: at(16), outcome: .refused(detail: "tooManyPendingTaskRequests")),
                    ChartRequest(submittedAt: at(18), outcome: .granted(stopped)),
                    ChartRequest(submittedAt: at(21), outcome: .granted(simulated)),
                ]),
        ]
        return DayChart(title: "A day", subtitle: "seed 1", start: monday, end: at(24), devices: [device])
    }

    /// One task that asked this often, evenly over some days.
    static func busy(requests count: Int, days: Int) -> DayChart {
        var device = DeviceLane(name: "server", policy: "prompt")
        let step = days * 1_440 / count
        let requests = (0..<count).map { number in
            let submitted = at(0, number * step)
            let granted = submitted.advanced(by: .minutes(step / 2))
            return ChartRequest(
                submittedAt: submitted, floor: granted, outcome: .granted(run(Int64(number), granted)))
        }
        device.tasks = [lane("sync", requests)]
        return DayChart(title: "Busy", start: monday, end: at(days * 24), devices: [device])
    }

    /// Names that try to leave their place.
    static let hostileNames = [
        "<script>alert(1)</script>", "\"'><img src=x onerror=alert(2)>", "evil\u{202E}gnp.exe\u{2066}\u{200F}",
        "bell\u{7} escape\u{1B}[31m null\u{0} line\nbreak", "👩‍👩‍👧‍👦🏳️‍🌈 family",
        "Z" + String(repeating: "\u{301}", count: 60), String(repeating: "W", count: 400), "]]>&amp;<!--", "",
        "\u{FFFE}\u{FFFF}\u{1FFFE}", "שלום عالم", "日本語の名前がとても長い場合の表示", "</style></title></svg></script>",
    ]

    /// One device, app, task, gate, detail and state of each of those names, at times that make no sense.
    static var hostile: DayChart {
        var chart = DayChart(
            title: hostileNames[0], subtitle: hostileNames[1], start: monday, end: at(24), utcOffsetSeconds: -34_200)
        for (index, name) in hostileNames.enumerated() {
            var device = DeviceLane(name: name, policy: name)
            device.bands = [
                ChartBand(.idle, from: at(10), to: at(9), detail: name), ChartBand(.window, from: at(3), to: at(4)),
                ChartBand(.off, from: WallTime(milliseconds: .min), to: WallTime(milliseconds: .max), detail: name),
            ]
            device.marks = [
                ChartMark(.opened, at: at(23, 59), app: name, detail: name), ChartMark(.crash, at: at(-5), app: name),
            ]
            device.tasks = (0..<3).map { offset in
                let task = hostileNames[(index + offset) % hostileNames.count]
                return TaskLane(
                    app: name, identifier: task, kind: name,
                    requests: [
                        ChartRequest(
                            submittedAt: at(3), floor: WallTime(milliseconds: .max),
                            holds: [ChartHold(gate: task, start: at(4), milliseconds: .max, detail: name)],
                            outcome: .granted(
                                ChartRun(
                                    number: .min, startedAt: at(20), endedAt: at(2), state: name,
                                    expirationReason: task)), note: name),
                        ChartRequest(
                            submittedAt: WallTime(milliseconds: .min),
                            holds: [ChartHold(gate: name, start: nil, milliseconds: .min)],
                            outcome: .withdrawn(at: at(1), detail: task)),
                        ChartRequest(submittedAt: at(23, 58), outcome: .refused(detail: task)),
                        ChartRequest(submittedAt: at(12), outcome: .pending),
                    ])
            }
            chart.devices.append(device)
        }
        return chart
    }

    private static func lane(_ name: String, _ requests: [ChartRequest]) -> TaskLane {
        TaskLane(
            app: "com.example.app", identifier: "com.example.app.\(name)", kind: "appRefresh", requests: requests)
    }
}
