/// What scenes can read of their surroundings: their phase.
public struct EnvironmentValues: Sendable {
    @MainActor static var current = EnvironmentValues()

    /// `active` while the program is launched, then `background`.
    public var scenePhase = ScenePhase.active
}

/// Reads a value of the surroundings.
@propertyWrapper
public struct Environment<Value> {
    private let keyPath: KeyPath<EnvironmentValues, Value>

    /// Reads the value at a key path.
    public init(_ keyPath: KeyPath<EnvironmentValues, Value>) {
        self.keyPath = keyPath
    }

    /// The present value.
    @MainActor public var wrappedValue: Value { EnvironmentValues.current[keyPath: keyPath] }
}
