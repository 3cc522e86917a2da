internal import Scheduling

/// Times of one condition that are drawn as one, because a reader could not tell them apart.
struct BandGroup {
    private(set) var bands: [ChartBand]
    let from: Double
    private(set) var until: Double

    /// How close to each other they may be: about a pixel.
    private static let gap = 1.5

    /// - Parameter bands: of one kind, in the order of time.
    static func of(_ bands: [ChartBand], _ scale: ChartScale) -> [BandGroup] {
        var groups: [BandGroup] = []
        for band in bands {
            let from = scale.place(band.start)
            let until = max(scale.place(band.end), from)
            if let last = groups.last, from - max(last.until, last.from + 2) < gap {
                groups[groups.count - 1].bands.append(band)
                groups[groups.count - 1].until = max(last.until, until)
            } else {
                groups.append(BandGroup(bands: [band], from: from, until: until))
            }
        }
        return groups
    }
}
