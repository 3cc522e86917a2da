/// The colours of pictures: those of Okabe and Ito, lighter where text stands on them, and darker for a dark page.
enum SVGStyle {
    private struct Rule {
        let selector: String
        let property: String
        let light: String
        let dark: String

        init(_ selector: String, _ property: String, _ light: String, _ dark: String) {
            self.selector = selector
            self.property = property
            self.light = light
            self.dark = dark
        }
    }

    /// What is the same by day and by night. A selector has one class: a sign that is used somewhere has no ancestors.
    private static let shapes = """
        .chart{font-family:"Helvetica Neue",Helvetica,Arial,"Liberation Sans","DejaVu Sans",sans-serif}
        .chart text{unicode-bidi:isolate;direction:ltr;white-space:pre}
        .b{font-weight:bold}
        .num{font-variant-numeric:tabular-nums}
        .on{paint-order:stroke;stroke-width:3.5px;stroke-linejoin:round}
        .hit{fill:none;pointer-events:all}
        .grid,.day,.thread,.stem,.ring{fill:none}
        .grid{stroke-width:.6}
        .day{stroke-width:1.2}
        .stem{stroke-width:1.4}
        .thread{stroke-width:.9;stroke-dasharray:1 3;stroke-linecap:round}
        .free{fill:none;stroke-width:1.6}
        .edge{stroke-width:.8}
        [class|=s]{fill:none;stroke-width:1}
        .s-floor,.s-allowance,.s-metered{stroke-linecap:round;stroke-width:1.5;stroke-dasharray:0 6}
        .s-allowance{stroke-width:2.6}
        .s-metered{stroke-width:2.2}
        .s-other{stroke-dasharray:4 4}
        .hollow{stroke-width:1.6}
        .cut{fill:none;stroke-width:1.9;stroke-linecap:round;stroke-linejoin:round}

        """

    private static let rules: [Rule] = [
        Rule(".paper", "fill", "#ffffff", "#16181c"),
        Rule(".stripe", "fill", "#f4f5f6", "#1d2025"),
        Rule(".ink", "fill", "#17191c", "#eceef0"),
        Rule(".dim", "fill", "#50565e", "#a9b0b9"),
        Rule(".on", "stroke", "#ffffff", "#16181c"),
        Rule(".grid", "stroke", "#dcdfe2", "#2c3138"),
        Rule(".day", "stroke", "#8c929a", "#646c76"),
        Rule(".stem,.free,.hollow", "stroke", "#17191c", "#eceef0"),
        Rule(".free", "stroke", "#7b828b", "#848d98"),
        Rule(".thread", "stroke", "#0072b2", "#6fc0f0"),
        Rule(".edge", "stroke", "#50565e", "#a9b0b9"),
        Rule(".hollow", "fill", "#ffffff", "#16181c"),
        Rule(".solid", "fill", "#17191c", "#eceef0"),
        Rule(".cut", "stroke", "#ffffff", "#101215"),
        Rule(".inverse", "fill", "#ffffff", "#101215"),
        Rule(".column", "fill", "#d7e8f4", "#1c3447"),
        Rule(".good", "fill", "#00735a", "#3fd0a8"),
        Rule(".bad", "fill", "#b84700", "#ff9a57"),
        Rule(".late", "fill", "#8a5a00", "#f0b73f"),
        Rule(".broken", "fill", "#9c3a73", "#e79cc8"),
        Rule(".lost", "fill", "#50565e", "#a9b0b9"),
        Rule(".lasting", "stroke", "#00735a", "#3fd0a8"),
    ]

    /// The ground and the lines of each pattern.
    private static let patterns: [(name: String, light: (String, String), dark: (String, String))] = [
        ("floor", ("#ffffff", "#7b828b"), ("#16181c", "#848d98")),
        ("power", ("#fbe6bd", "#a86a00"), ("#3d2f10", "#e69f00")),
        ("network", ("#d5ebf9", "#0b6ca3"), ("#12303f", "#56b4e9")),
        ("idle", ("#f4dfeb", "#a04a7c"), ("#3a2231", "#d88cb8")),
        ("energy", ("#faf5b4", "#857a00"), ("#36330c", "#f0e442")),
        ("person", ("#fadccb", "#b84700"), ("#3f2313", "#ef7f3c")),
        ("allowance", ("#cfece2", "#00735a"), ("#0f3329", "#35c79e")),
        ("runner", ("#e3e5e8", "#50565e"), ("#2a2e34", "#a9b0b9")),
        ("metered", ("#d5ebf9", "#0b6ca3"), ("#12303f", "#56b4e9")),
        ("window", ("#0072b2", "#0072b2"), ("#56b4e9", "#56b4e9")),
        ("off", ("#17191c", "#17191c"), ("#c9ced4", "#c9ced4")),
        ("other", ("#ffffff", "#7b828b"), ("#16181c", "#848d98")),
    ]

    /// By day, by night where a screen is dark, and by day again on paper.
    static let sheet: String = {
        shapes + sheet(isDark: false) + "@media screen and (prefers-color-scheme:dark){\n" + sheet(isDark: true) + "}\n"
    }()

    private static func sheet(isDark: Bool) -> String {
        var text = ""
        for rule in rules {
            text += "\(rule.selector){\(rule.property):\(isDark ? rule.dark : rule.light)}\n"
        }
        for (name, light, dark) in patterns {
            let (ground, lines) = isDark ? dark : light
            text += ".g-\(name){fill:\(ground)}.s-\(name){stroke:\(lines)}\n"
        }
        return text
    }
}
