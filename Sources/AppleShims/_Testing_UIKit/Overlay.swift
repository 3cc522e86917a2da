// Empty, and needed: the toolchain's `Testing` says that whoever imports it beside a module named UIKit imports this one, too,
// on Linux as well. On Apple's platforms it attaches images to tests.
