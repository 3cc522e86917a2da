/// What can be wrong with the scenario and its devices.
extension ScenarioProblemTests {
    static let scenario: [Case] = [
        Case("\"dyas\": 2", "dyas", "There is no such key.", "Did you mean days?"),
        Case("\"days\": 0", "days", "0 is out of range.", "Write a whole number from 1 to 4000."),
        Case("\"days\": -1", "days", "-1 is out of range.", "Write a whole number from 1 to 4000."),
        Case("\"days\": 4001", "days", "4001 is out of range.", "Write a whole number from 1 to 4000."),
        Case(
            "\"days\": \"2\"", "days", "This must be a whole number and is a string.",
            "Write a whole number from 1 to 4000."),
        Case("\"warmUpDays\": 401", "warmUpDays", "401 is out of range.", "Write a whole number from 0 to 400."),
        Case(
            "\"start\": \"2026-02-30\"", "start", "“2026-02-30” is no date.",
            "Write year, month and day, such as \"2026-03-02\"."),
        Case("\"start\": \"1979-12-31\"", "start", "“1979-12-31” is out of range.", "Write a date from 1980 to 2099."),
        Case(
            "\"utcOffset\": \"+14:01\"", "utcOffset", "“+14:01” is no offset.",
            "Write \"Z\", or hours and minutes with their sign up to 14 hours, such as \"+01:00\"."),
        Case("\"seed\": -1", "seed", "-1 is out of range.", "Write a whole number from 0 to 9223372036854775807."),
        Case("\"inUseAfterOpen\": \"25h\"", "inUseAfterOpen", "“25h” is too long.", "Write at most \"1d\"."),
        Case(
            "\"inUseAfterOpen\": \"40000d\"", "inUseAfterOpen", "“40000d” is too long.", "Write at most \"1d\"."),
        Case(
            "\"inUseAfterOpen\": \"99999999999999999999h\"", "inUseAfterOpen",
            "“99999999999999999999h” is too long.", "Write at most \"1d\"."),
    ]

    static let devices: [Case] = [
        Case(
            "\"devices\": []", "devices", "There is no device.",
            "Write [{\"name\": \"phone\", \"policy\": \"apple\"}] for example."),
        Case(
            "\"devices\": [{\"policy\": \"aple\"}]", "devices[0].policy", "“aple” is not known here.",
            "Did you mean \"apple\"?"),
        Case(
            "\"devices\": [{\"policy\": \"apple\"}, {\"policy\": \"apple\"}]", "devices[1].name",
            "There are two devices “apple”.", "Give each a name of its own."),
        Case(
            "\"devices\": [{\"parameters\": {\"seed\": 1}}]", "devices[0].parameters.seed",
            "The policy prompt has no parameters.", "Remove them, or choose the policy apple or doze."),
        Case(
            "\"devices\": [{\"policy\": \"apple\", \"parameters\": {\"wakeidle\": \"1h\"}}]",
            "devices[0].parameters.wakeidle", "There is no such key.", "Did you mean wakeIdle?"),
        Case(
            "\"devices\": [{\"policy\": \"doze\", \"parameters\": {\"shortestWindow\": \"11m\"}}]",
            "devices[0].parameters.shortestWindow", "The shortest window is longer than the longest.",
            "Write at most \"10m\", or a longer longestWindow."),
        Case(
            "\"devices\": [{\"windows\": [\"00:40\"]}]", "devices[0].windows", "The policy prompt has no windows.",
            "Remove this key, or choose the policy apple or doze."),
        Case(
            "\"devices\": [{\"policy\": \"apple\", \"parameters\": {\"windows\": \"generated\"}, \"windows\": []}]",
            "devices[0].windows", "The windows are given, and the policy generates them too.",
            "Remove this key, or write \"windows\": \"given\" into the parameters."),
        Case(
            "\"devices\": [{\"policy\": \"apple\", \"windows\": [\"24:00\"]}]", "devices[0].windows[0]",
            "“24:00” is no time of day.", "Write hours and minutes, such as \"08:45\"."),
        Case(
            "\"devices\": [{\"policy\": \"apple\", \"windows\": [7]}]", "devices[0].windows[0]",
            "This must be a time or a dictionary and is a number.",
            "Write \"03:15\" or {\"at\": \"03:15\", \"for\": \"5m\"}."),
        Case(
            "\"devices\": [{\"policy\": \"apple\", \"windowLength\": \"2m\"}]", "devices[0].windowLength",
            "No windows are given.", "Add windows, or remove this key; how long generated windows are is a parameter."),
        Case(
            "\"devices\": [{\"conditions\": {\"batteryLevel\": 1.1}}]", "devices[0].conditions.batteryLevel",
            "1.1 is out of range.", "Write a number from 0 to 1."),
        Case(
            "\"devices\": [{\"conditions\": {\"wifi\": true}}]", "devices[0].conditions.wifi", "There is no such key.",
            "Remove it; the keys here are externalPower, batteryLevel, lowPowerMode, network, idle, unlocked, thermal, "
                + "backgroundRefresh."),
        Case(
            "\"devices\": [{\"refreshDisabled\": [\"com.example.nws\"]}]", "devices[0].refreshDisabled[0]",
            "There is no app “com.example.nws”.", "Did you mean \"com.example.news\"?"),
        Case(
            "\"devices\": [{\"policy\": \"apple\", \"windows\": [\"08:00\", {\"at\": \"08:00\", \"for\": \"5m\"}]}]",
            "devices[0].windows[1]", "There are two windows at 08:00.", "Remove one of the two."),
        Case(
            "\"devices\": [7]", "devices[0]", "This must be a dictionary and is a number.",
            "Write dictionaries, such as [{\"name\": \"phone\", \"policy\": \"apple\"}]."),
    ]
}
