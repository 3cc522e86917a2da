/// What is asked of the store by clients: one question at a time, in order.
struct StoreQuestions {
    private var waiting: [(isWanted: () -> Bool, ask: () -> Void)] = []
    private var next = 0
    private var isAsking = false

    mutating func add(isWanted: @escaping () -> Bool, _ ask: @escaping () -> Void) {
        waiting.append((isWanted, ask))
        askNext()
    }

    /// The store has answered: the next question may go.
    mutating func answered() {
        isAsking = false
        askNext()
    }

    private mutating func askNext() {
        while !isAsking, next < waiting.count {
            let question = waiting[next]
            next += 1
            guard question.isWanted() else { continue }
            isAsking = true
            question.ask()
        }
        if next == waiting.count {
            waiting.removeAll(keepingCapacity: next < 1_024)
            next = 0
        } else if next >= 1_024 {
            waiting.removeFirst(next)
            next = 0
        }
    }
}
