enum ArgumentsPlaceholder {}
