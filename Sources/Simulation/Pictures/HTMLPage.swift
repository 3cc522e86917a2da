/// Draws a chart as one page that needs nothing else: pictures, their details, and the same in tables.
package enum HTMLPage {
    /// What has room on a sheet of A4 across, and less on the first because of the title.
    private static let sheetHeight = 640.0
    private static let firstSheetHeight = 550.0

    package static func draw(_ chart: DayChart) -> String {
        let clock = PictureClock(chart)
        let codes = GateCodes(chart)
        var figures = ""
        var merged = 0
        for (index, device) in chart.devices.enumerated() {
            figures += "<section>\n<h2 class=\"unseen\">\(PictureText.escaped(PictureWords.name(device.name)))</h2>\n"
            for tasks in sheets(chart, device, codes, isFirst: index == 0) {
                let (markup, count) = figure(chart, device, tasks, codes)
                figures += markup
                merged += count
            }
            figures += "</section>\n"
        }
        let words = ChartWords(clock: clock)
        let data = chart.devices.map { tables($0, words) }.joined()
        return """
            \(head(chart))<body>
            <svg class="chart defs" width="0" height="0" aria-hidden="true">\(SVGSigns.definitions)</svg>
            <header>
            <h1>\(PictureText.escaped(chart.title))</h1>
            \(subtitle(chart))<p>\(PictureText.escaped(SVGPicture.description(chart, clock)))</p>
            <p class="hint live" hidden>Point at anything for its details, or walk with Tab from line to line and with \
            the arrow keys within a line; Escape closes the details.</p>
            </header>
            <main>
            \(figures)\(legend(chart, codes, merged > 0))<section class="data">
            <h2>The same in words</h2>
            \(data.isEmpty ? "<p>Nothing happened.</p>\n" : data)</section>
            </main>
            <div id="detail" role="tooltip" hidden></div>
            <script>\(HTMLScript.text)</script>
            </body>
            </html>

            """
    }

    // MARK: Private

    /// Only this page's own script and style run, and nothing is fetched, even if a name were to break out.
    private static let policy =
        "default-src 'none'; style-src '\(SHA256.source(HTMLStyle.sheet))'; "
        + "script-src '\(SHA256.source(HTMLScript.text))'; base-uri 'none'; form-action 'none'"

    private static func head(_ chart: DayChart) -> String {
        """
        <!DOCTYPE html>
        <html lang="en">
        <head>
        <meta charset="utf-8">
        <meta http-equiv="Content-Security-Policy" content="\(policy)">
        <meta name="referrer" content="no-referrer">
        <meta name="viewport" content="width=device-width, initial-scale=1">
        <meta name="color-scheme" content="light dark">
        <title>\(PictureText.escaped(chart.title))</title>
        <style>\(HTMLStyle.sheet)</style>
        </head>

        """
    }

    private static func subtitle(_ chart: DayChart) -> String {
        chart.subtitle.isEmpty ? "" : "<p>\(PictureText.escaped(chart.subtitle))</p>\n"
    }

    /// The tasks of each sheet; the first sheet also holds the conditions.
    private static func sheets(
        _ chart: DayChart, _ device: DeviceLane, _ codes: GateCodes, isFirst: Bool
    ) -> [Range<Int>] {
        var sheets: [Range<Int>] = []
        var next = 0
        repeat {
            let none = next..<next
            let empty = SVGSheet(chart, device, tasks: none, isFirst: next == 0, codes: codes, canvas: SVGCanvas())
            let height = isFirst && next == 0 ? firstSheetHeight : sheetHeight
            let room = height - empty.height + SVGSheet.laneHeight
            let count = max(1, Int(room / SVGSheet.laneHeight))
            sheets.append(next..<min(next + count, device.tasks.count))
            next += count
        } while next < device.tasks.count
        return sheets
    }

    private static func figure(
        _ chart: DayChart, _ device: DeviceLane, _ tasks: Range<Int>, _ codes: GateCodes
    ) -> (markup: String, merged: Int) {
        var sheet = SVGSheet(
            chart, device, tasks: tasks, isFirst: tasks.lowerBound == 0, codes: codes, canvas: SVGCanvas())
        sheet.draw(top: 0)
        let label = "\(device.name), policy \(device.policy): what was asked and what was granted"
        return ("<figure>\n\(svg(sheet.canvas, sheet.height + 4, label))</figure>\n", sheet.mergedCount)
    }

    private static func legend(_ chart: DayChart, _ codes: GateCodes, _ hasMerged: Bool) -> String {
        var canvas = SVGCanvas()
        let height = SVGLegend(chart, codes, hasMerged: hasMerged).draw(&canvas, top: 4)
        return canvas.markup.isEmpty ? "" : "<figure>\n\(svg(canvas, height + 4, "Legend"))</figure>\n"
    }

    private static func svg(_ canvas: SVGCanvas, _ height: Double, _ label: String) -> String {
        """
        <svg class="chart" viewBox="12 0 984 \(SVGCanvas.number(height))" \
        role="graphics-document" aria-roledescription="chart" aria-label="\(PictureText.escaped(label))">\
        \(canvas.markup)
        </svg>

        """
    }
}
