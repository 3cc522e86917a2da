/// Where a picture has text, so that no two lie on each other.
struct TextBox {
    let text: String
    let left: Double
    let right: Double
    let top: Double
    let bottom: Double

    func overlaps(_ other: TextBox) -> Bool {
        left < other.right && other.left < right && top < other.bottom && other.top < bottom
    }
}
