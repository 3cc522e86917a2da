FuzzProgram.run(Array(CommandLine.arguments.dropFirst()))
