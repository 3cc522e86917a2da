extension Scene {
    /// Calls the action with the old and the new value when a value changes, such as the scene phase.
    public func onChange<Value: Equatable>(
        of value: Value, _ action: @escaping @MainActor (_ oldValue: Value, _ newValue: Value) -> Void
    ) -> some Scene {
        ChangedScene(content: self) { contents in
            contents.changes.append(
                SceneContents.Change(value: value) { old in
                    if let old = old as? Value { action(old, value) }
                })
        }
    }

    /// Calls the action with the new value when a value changes.
    public func onChange<Value: Equatable>(
        of value: Value, perform action: @escaping @MainActor (_ newValue: Value) -> Void
    ) -> some Scene {
        onChange(of: value) { _, new in action(new) }
    }

    /// Calls the action when a value changes.
    public func onChange<Value: Equatable>(
        of value: Value, _ action: @escaping @MainActor () -> Void
    ) -> some Scene {
        onChange(of: value) { _, _ in action() }
    }
}
