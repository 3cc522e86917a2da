/// The signs that pictures use. Each differs in shape from all others, for those who see no colours.
enum SVGSigns {
    static let definitions = "<defs>\n" + outcomes + runs + "</defs>\n"

    private static let outcomes = """
        <g id="n-asked"><path class="stem" d="M0 -7V7"/><path class="solid" d="M-3.5 -8.5H3.5L0 -3Z"/></g>
        <g id="n-floor"><path class="hollow" d="M0 7V-7.5H7L5 -4.8L7 -2H0"/></g>
        <g id="n-withdrawn"><path class="stem" d="M-4 -4L4 4M4 -4L-4 4"/></g>
        <g id="n-pending"><path class="stem" d="M-7 -4.5L-2.5 0L-7 4.5M-2.5 -4.5L2 0L-2.5 4.5"/></g>
        <g id="n-refused"><circle class="hollow" r="5"/><path class="stem" d="M-3.5 3.5L3.5 -3.5"/></g>

        """

    private static let runs = """
        <g id="n-succeeded"><circle class="good" r="6.4"/><path class="cut" d="M-3 .2L-.8 2.6L3.2 -2.4"/></g>
        <g id="n-failed"><rect class="bad" x="-6" y="-6" width="12" height="12"/>\
        <path class="cut" d="M-2.7 -2.7L2.7 2.7M2.7 -2.7L-2.7 2.7"/></g>
        <g id="n-expired"><path class="late" d="M0 -7.2L7.4 6H-7.4Z"/><path class="cut" d="M0 -2.2V1.4M0 3.9V4"/></g>
        <g id="n-crashed"><path class="broken" d="M0 -8L8 0L0 8L-8 0Z"/>\
        <path class="cut" d="M1.2 -4.2L-1.8 .4H1.8L-1.2 4.2"/></g>
        <g id="n-abandoned"><path class="lost" d="M-3.4 -6.4H3.4L6.8 0L3.4 6.4H-3.4L-6.8 0Z"/>\
        <path class="cut" d="M-3.4 0H-3.3M0 0H.1M3.4 0H3.5"/></g>
        <g id="n-cancelled"><circle class="hollow" r="5.6"/><path class="stem" d="M-3 0H3"/></g>
        <g id="n-interrupted"><rect class="hollow" x="-5.4" y="-5.4" width="10.8" height="10.8"/>\
        <path class="stem" d="M-3 3L3 -3"/></g>
        <g id="n-ongoing"><path class="hollow" d="M-4.5 -6L6.5 0L-4.5 6Z"/></g>
        <g id="n-simulated"><circle class="ring stem" r="9" stroke-dasharray="2 2"/></g>

        """
}
