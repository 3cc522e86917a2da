enum RunnerPlaceholder {}
