import Glibc
import RunnerDaemon

exit(DaemonProgram.main(Array(CommandLine.arguments.dropFirst())))
