import Platform

/// Whose rights somebody else's code gets.
enum RunAs {
    /// What a process needs to run as a user; `nil` leaves it the runner's own rights.
    ///
    /// A user that is gone since the bundle was loaded is an error: code never gets more rights than it was to have.
    static func credentials(
        _ name: String?, of daemonUser: UInt32 = ProcessEnvironment.effectiveUser
    ) throws(ProcessProblem) -> UserCredentials? {
        guard let name else { return nil }
        guard let user = UserDatabase.user(named: name) else {
            throw ProcessProblem(
                "there is no user \(name) any more; make that user again, or name another in the manifest and reload")
        }
        // Only root can change who a process is; anybody may be who they are.
        guard daemonUser != 0 else { return UserDatabase.credentials(of: user) }
        guard user.uid == daemonUser else {
            throw ProcessProblem(
                "only a runner that is started by root can run it as \(name); name no user in the manifest and reload")
        }
        return nil
    }
}
