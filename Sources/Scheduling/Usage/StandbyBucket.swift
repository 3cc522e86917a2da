/// How recently an app was used, in the steps of the policy `doze`.
package enum StandbyBucket: String, Sendable, Codable, CaseIterable {
    case active
    case workingSet
    case frequent
    case rare
    case restricted
}

extension DozeParameters {
    /// The bucket of an app that was opened so long ago; one that was never opened is in the working set, as new ones are.
    func bucket(openedBefore time: Duration?) -> StandbyBucket {
        guard let time else { return .workingSet }
        if time < activeFor { return .active }
        if time < workingSetFor { return .workingSet }
        if time < frequentFor { return .frequent }
        return time < rareFor ? .rare : .restricted
    }

    /// The span within which runs of a bucket may take the quota; `nil` is without one.
    func span(of bucket: StandbyBucket) -> Duration? {
        switch bucket {
        case .active: nil
        case .workingSet: workingSetSpan
        case .frequent: frequentSpan
        case .rare, .restricted: rareSpan
        }
    }

    /// What expedited work of a bucket may take within 24 hours.
    func expedited(of bucket: StandbyBucket) -> Duration {
        switch bucket {
        case .active: expeditedActive
        case .workingSet: expeditedWorkingSet
        case .frequent: expeditedFrequent
        case .rare: expeditedRare
        case .restricted: expeditedRestricted
        }
    }
}
