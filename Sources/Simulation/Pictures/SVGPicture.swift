/// Draws a chart as one SVG file that needs nothing else.
package enum SVGPicture {
    package static func draw(_ chart: DayChart) -> String {
        let (canvas, height) = picture(chart)
        let clock = PictureClock(chart)
        let size = "\(SVGCanvas.number(SVGSheet.width)) \(SVGCanvas.number(height))"
        return """
            <?xml version="1.0" encoding="UTF-8"?>
            <svg xmlns="http://www.w3.org/2000/svg" class="chart" viewBox="0 0 \(size)" \
            width="\(SVGCanvas.number(SVGSheet.width))" height="\(SVGCanvas.number(height))" \
            role="graphics-document" aria-roledescription="chart" aria-labelledby="title" aria-describedby="desc">
            <title id="title">\(PictureText.escaped(chart.title))</title>
            <desc id="desc">\(PictureText.escaped(description(chart, clock)))</desc>
            <style>
            \(SVGStyle.sheet)</style>
            \(SVGSigns.definitions)\(canvas.markup)
            </svg>

            """
    }

    /// One sentence on what is to be seen.
    static func description(_ chart: DayChart, _ clock: PictureClock) -> String {
        let tasks = chart.devices.flatMap(\.tasks)
        let counts = LaneCounts(tasks.flatMap(\.requests))
        return "\(period(chart, clock)). \(PictureWords.count(chart.devices.count, "device", "devices")), "
            + "\(PictureWords.count(tasks.count, "task", "tasks")): \(counts.words)."
    }

    /// `Mon 30 Nov 2026 00:00 to Tue 1 Dec 2026 00:00, UTC`.
    static func period(_ chart: DayChart, _ clock: PictureClock) -> String {
        "\(clock.fullDay(chart.start)) \(clock.clock(chart.start)) to "
            + "\(clock.fullDay(chart.end)) \(clock.clock(chart.end)), \(clock.zone)"
    }

    /// All that is drawn, and how high it is.
    static func picture(_ chart: DayChart) -> (canvas: SVGCanvas, height: Double) {
        let codes = GateCodes(chart)
        let clock = PictureClock(chart)
        let room = SVGSheet.width - 2 * SVGSheet.margin
        var canvas = SVGCanvas()
        // As large as any picture: the height is not known yet.
        canvas.backdrop()
        canvas.text("ink", SVGSheet.margin, 32, chart.title, size: 21, bold: true, room: room)
        canvas.text("dim", SVGSheet.margin, 52, period(chart, clock), size: 12, room: room)
        canvas.text("dim", SVGSheet.margin, 68, chart.subtitle, size: 12, room: room)
        var y = 84.0
        var merged = 0
        for device in chart.devices {
            var sheet = SVGSheet(
                chart, device, tasks: device.tasks.indices, isFirst: true, codes: codes, canvas: canvas)
            sheet.draw(top: y)
            y += sheet.height + 18
            canvas = sheet.canvas
            merged += sheet.mergedCount
        }
        if chart.devices.isEmpty {
            canvas.text("dim", SVGSheet.margin, y + 20, "No devices.", size: 12)
            y += 40
        }
        y = SVGLegend(chart, codes, hasMerged: merged > 0).draw(&canvas, top: y)
        return (canvas, y + 12)
    }
}
