import Scheduling

/// What one scheduler started from, and what it was told, as `runnerd --record` keeps it.
struct Life: Codable, Equatable {
    enum Step: Codable, Equatable {
        case event(Event, at: Moment)
        case reload(StoreContents, at: Moment)
    }

    var policy: Policy
    var contents: StoreContents
    var boot: BootIdentifier
    var at: Moment
    var steps: [Step] = []

    /// Lives through it once more, and gives what came out of each step.
    func replay() -> [[Effect]] {
        var scheduler = Scheduler(policy: policy, contents: contents, boot: boot, at: at)
        return steps.map { step in
            switch step {
            case .event(let event, let moment): return scheduler.handle(event, at: moment)
            case .reload(let contents, let moment):
                scheduler.reload(contents, at: moment)
                return []
            }
        }
    }
}

/// The lives of a history, with what came out.
struct Tape {
    private(set) var lives: [Life] = []
    private(set) var effects: [[[Effect]]] = []

    mutating func begin(_ life: Life) {
        lives.append(life)
        effects.append([])
    }

    mutating func add(_ step: Life.Step, _ new: [Effect]) {
        lives[lives.count - 1].steps.append(step)
        effects[effects.count - 1].append(new)
    }
}
