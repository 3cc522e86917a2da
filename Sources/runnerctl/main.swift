import RunnerControl

ControlProgram.main()
