/// What can be wrong with apps and events.
extension ScenarioProblemTests {
    private static func app(_ members: String) -> String {
        "\"apps\": [{\"app\": \"com.example.news\", \(members)}]"
    }

    private static func task(_ members: String) -> String {
        app("\"tasks\": [{\"identifier\": \"com.example.news.refresh\", \(members)}]")
    }

    private static let task = "apps[0].tasks[0]"

    static let apps: [Case] = [
        Case("\"apps\": [{\"ap\": \"com.example.news\"}]", "apps[0].ap", "There is no such key.", "Did you mean app?"),
        Case(
            "\"apps\": [{\"app\": \"a\"}, {\"app\": \"a\"}]", "apps[1].app", "The app a is there twice.",
            "Put the tasks of both into one."),
        Case(
            app("\"tasks\": [{\"identifier\": \"a\"}, {\"identifier\": \"a\"}]"), "apps[0].tasks[1].identifier",
            "The task a is there twice.", "Give it an identifier of its own."),
        Case(
            app("\"tasks\": [{\"identifier\": \"a..b\"}]"), "apps[0].tasks[0].identifier",
            "“a..b” is not a task identifier: it has an empty component. Use 1 to 128 bytes of A–Z a–z 0–9 . - _ without "
                + "empty components.", "Write 1 to 128 letters, digits, . - and _, without an empty part."),
        Case(
            app("\"tasks\": [{\"kind\": \"processing\"}]"), "apps[0].tasks[0].identifier", "This key is missing.",
            "Write \"com.example.news.refresh\" for example."),
        Case(
            task("\"kind\": \"apprefresh\""), task + ".kind", "“apprefresh” is not known here.",
            "Did you mean \"appRefresh\"?"),
        Case(
            task("\"kind\": \"continuedProcessing\", \"every\": \"15m\""), task + ".every",
            "Continued processing is begun by a person and cannot recur.", "Remove this key, or choose another kind."),
        Case(task("\"every\": \"59s\""), task + ".every", "“59s” is too short.", "Write at least \"1m\"."),
        Case(
            task("\"retry\": true"), task + ".retry", "Only a declared recurrence is retried.",
            "Add every, or remove this key."),
        Case(
            task("\"takes\": [\"10s\"]"), task + ".takes", "These are not two durations.",
            "Write \"20s\", or the shortest and the longest, such as [\"10s\", \"40s\"]."),
        Case(
            task("\"takes\": [\"40s\", \"10s\"]"), task + ".takes", "The first is longer than the second.",
            "Write \"20s\", or the shortest and the longest, such as [\"10s\", \"40s\"]."),
        Case(
            task("\"takes\": [\"40s\", \"25h\"]"), task + ".takes", "The second is too long.", "Write at most \"1d\"."),
        Case(task("\"succeeds\": 2"), task + ".succeeds", "2 is out of range.", "Write a number from 0 to 1."),
        Case(
            task("\"submit\": [{\"after\": \"5m\"}]"), task + ".submit[0].when", "This key is missing.",
            "Write \"run\" for example."),
        Case(
            task("\"submit\": [{\"when\": \"fetch\"}]"), task + ".submit[0].when",
            "The app has no fetch, so that this never happens.", "Give the app a fetch, or choose another time."),
        Case(app("\"pushes\": {}"), "apps[0].pushes.perHour", "This key is missing.", "Write 2.5 for example."),
        Case(
            app("\"pushes\": {\"perHour\": 1, \"from\": \"23:00\", \"to\": \"07:00\"}"), "apps[0].pushes.from",
            "They would end before they begin.",
            "Write a time before 07:00; pushes over midnight begin at 00:00 and end at 24:00."),
        Case(
            app("\"fetch\": {\"newData\": 0.75, \"fails\": 0.5}"), "apps[0].fetch.fails",
            "newData and fails are more than 1 together.",
            "Write two shares of all fetches that are at most 1 together."),
    ]

    static func event(_ members: String) -> String { "\"events\": [{\(members)}]" }

    static let events: [Case] = [
        Case(
            event("\"open\": \"com.example.news\""), "events[0].at", "This key is missing.",
            "Write hours and minutes, such as \"08:45\"."),
        Case(
            event("\"at\": \"8:10\", \"crash\": true"), "events[0].at", "“8:10” is no time of day.",
            "Write hours and minutes, such as \"08:45\"."),
        Case(
            event("\"at\": \"24:00\", \"crash\": true"), "events[0].at",
            "24:00 is the end of a day, when nothing begins.", "Write \"00:00\" for example."),
        Case(
            event("\"at\": \"08:10\", \"open\": \"com.example.new\""), "events[0].open",
            "There is no app com.example.new.", "Did you mean \"com.example.news\"?"),
        Case(
            event("\"at\": \"08:10\", \"submit\": \"com.example.news.refrsh\""), "events[0].submit",
            "No app has a task com.example.news.refrsh.", "Did you mean \"com.example.news.refresh\"?"),
        Case(
            event("\"at\": \"08:10\", \"push\": \"com.example.news\", \"open\": \"com.example.news\""),
            "events[0].push",
            "This event says two things: open and push.", "Write an event for each."),
        Case(
            event("\"at\": \"08:10\", \"open\": \"com.example.news\", \"takes\": \"1m\""), "events[0].takes",
            "This says nothing about open; it belongs to transfer.", "Remove this key."),
        Case(
            event("\"at\": \"08:10\", \"opne\": \"com.example.news\""), "events[0].opne", "There is no such key.",
            "Did you mean open?"),
        Case(
            event("\"at\": \"08:10\", \"from\": \"08:00\", \"to\": \"09:00\", \"idle\": true"), "events[0].at",
            "This event has two beginnings.", "Write either at, or from and to."),
        Case(
            event("\"from\": \"08:00\", \"idle\": true"), "events[0].to", "This key is missing.",
            "Write hours and minutes, such as \"08:45\"."),
        Case(
            event("\"from\": \"08:00\", \"to\": \"08:00\", \"idle\": true"), "events[0].to", "It ends when it begins.",
            "Write another time."),
        Case(
            event("\"from\": \"08:00\", \"to\": \"09:00\", \"open\": \"com.example.news\""), "events[0].to",
            "Only a condition goes on until a time.", "Write at instead of from, and remove this key."),
        Case(
            event("\"from\": \"08:00\", \"to\": \"09:00\", \"network\": \"none\""), "events[0].then",
            "This key is missing.", "Write what network is from then on."),
        Case(
            event("\"at\": \"08:00\", \"network\": \"none\", \"then\": \"metered\""), "events[0].then",
            "Nothing ends here, so that nothing can be then.", "Write from and to instead of at, or remove this key."),
        Case(
            event("\"from\": \"08:00\", \"to\": \"09:00\", \"idle\": true, \"chance\": 0.5"), "events[0].chance",
            "What begins and ends by chance might end without having begun.",
            "Remove this key, or write an event for the beginning and one for the end."),
        Case(
            event("\"from\": \"08:00\", \"to\": \"09:00\", \"idle\": true, \"spread\": \"30m\""), "events[0].spread",
            "With so much spread it might end before it begins.",
            "Write less than half of the time between from and to, and of that until it begins again."),
        Case(
            event("\"at\": \"08:00\", \"crash\": true, \"day\": 2"), "events[0].day",
            "Day 2 never comes: the scenario has 1.", "Write an earlier day, or more days."),
        Case(
            event("\"at\": \"08:00\", \"crash\": true, \"day\": 1, \"days\": [1]"), "events[0].days",
            "The days are said twice.", "Write either day or days."),
        Case(
            event("\"at\": \"08:00\", \"crash\": true, \"days\": [1, \"5-2\"]"), "events[0].days[1]",
            "There is no such day.",
            "Write a number from 1 to 4000, or the first and the last, such as \"2-5\"."),
        Case(
            event("\"at\": \"08:00\", \"crash\": false"), "events[0].crash", "Nothing happens.",
            "Write true, or remove it."),
        Case(
            event("\"at\": \"08:00\", \"setClock\": \"1h\""), "events[0].setClock", "“1h” is no change of a clock.",
            "Write + or -, a number and its unit (ms, s, m, h or d), such as \"-1h\", up to 400d."),
        Case(
            event("\"at\": \"08:00\", \"refreshSwitch\": \"com.example.news\""), "events[0].on", "This key is missing.",
            "Write true or false."),
        Case(
            event(
                "\"at\": \"08:00\", \"submit\": \"com.example.news.refresh\", \"after\": \"1m\", "
                    + "\"earliestBeginDate\": \"09:00\""), "events[0].after",
            "The floor is said twice.", "Write either earliestBeginDate or after."),
        Case(
            event("\"at\": \"08:00\", \"submit\": \"com.example.news.refresh\", \"strategy\": \"queue\""),
            "events[0].strategy", "Only continued processing has a strategy.", "Remove this key."),
    ]
}
