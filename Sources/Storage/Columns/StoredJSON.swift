import FoundationEssentials
import Scheduling

/// The columns that hold JSON: what is rare, small, and never searched.
extension SQLiteStatement {
    func bindJSON(_ index: Int32, _ value: some Encodable) throws(StoreFailure) {
        let encoder = JSONEncoder()
        encoder.nonConformingFloatEncodingStrategy = .convertToString(
            positiveInfinity: "+", negativeInfinity: "-", nan: "?")
        do {
            bind(index, String(decoding: try encoder.encode(value), as: UTF8.self))
        } catch {
            reset()
            throw StoreFailure(.inputOutput, "A value could not be written as JSON: \(error).")
        }
    }

    /// A list; an empty one is NULL, which costs nothing.
    func bindJSON<Element: Encodable>(list index: Int32, _ value: [Element]) throws(StoreFailure) {
        if value.isEmpty {
            bind(index, nil as String?)
        } else {
            try bindJSON(index, value)
        }
    }

    func json<Value: Decodable>(_ column: Int32, _ type: Value.Type) throws(StoreFailure) -> Value {
        let decoder = JSONDecoder()
        decoder.nonConformingFloatDecodingStrategy = .convertFromString(
            positiveInfinity: "+", negativeInfinity: "-", nan: "?")
        do {
            return try decoder.decode(type, from: Data(bytes(column)))
        } catch {
            throw damaged()
        }
    }

    func json<Element: Decodable>(list column: Int32, of type: Element.Type) throws(StoreFailure) -> [Element] {
        isNull(column) ? [] : try json(column, [Element].self)
    }
}
