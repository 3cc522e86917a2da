enum RunnerDaemonPlaceholder {}
