/// How wide text becomes at most, whichever of the usual fonts the reader has.
enum TextWidth {
    /// Advances of U+0020 to U+007E in thousandths of the size: the wider of DejaVu Sans and Liberation Sans (Arial).
    private static let ascii: [Double] = [
        318, 401, 460, 838, 637, 951, 780, 275, 391, 391, 500, 838, 318, 361, 318, 337, 637, 637, 637, 637, 637, 637,
        637, 637, 637, 637, 337, 337, 838, 838, 838, 557, 1016, 685, 687, 723, 771, 667, 611, 778, 752, 295, 500, 667,
        558, 863, 749, 788, 667, 788, 723, 667, 611, 732, 685, 989, 686, 667, 686, 391, 337, 391, 838, 557, 500, 613,
        635, 550, 635, 616, 353, 635, 634, 278, 278, 580, 278, 975, 634, 612, 635, 635, 412, 521, 393, 634, 592, 818,
        592, 592, 525, 637, 337, 637, 838,
    ]
    /// What bold letters are wider.
    private static let bold = 90.0

    static func of(_ text: String, size: Double, bold: Bool = false) -> Double {
        text.unicodeScalars.reduce(0.0) { $0 + thousandths($1) + (bold ? Self.bold : 0) } * size / 1_000
    }

    private static func thousandths(_ scalar: Unicode.Scalar) -> Double {
        switch scalar.value {
        case 0x20...0x7E: ascii[Int(scalar.value) - 0x20]
        case 0xB7: 318
        case _ where PictureText.isMark(scalar) || scalar.value == 0x200D: 0
        // Emoji and ideographs are at least as wide as high; so are some letters of other scripts.
        case 0x2190...: 1_400
        default: 1_050
        }
    }
}
