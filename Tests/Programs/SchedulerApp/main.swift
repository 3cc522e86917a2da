// A program without a delegate, as code for iOS writes it: what it does is registered in a function that main calls.
import BackgroundTasks
import os

startBackgroundWork()
RunLoop.main.run()
