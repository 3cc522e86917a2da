enum RunnerControlPlaceholder {}
