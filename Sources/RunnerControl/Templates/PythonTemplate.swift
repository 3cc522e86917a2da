/// A bundle whose process speaks the plugin protocol, in Python without dependencies.
///
/// What speaks the protocol is that of `examples/plugin-python`, and a test compares them.
struct PythonTemplate {
    let names: BundleNames

    var files: [TemplateFile] {
        [
            TemplateFile(path: "Info.json", text: manifest),
            TemplateFile(path: "bin/plugin", text: Self.head + handlers + Self.tail, isExecutable: true),
        ]
    }

    private var manifest: String {
        """
        {
            "CFBundleIdentifier": "\(names.app)",
            "BGTaskSchedulerPermittedIdentifiers": ["\(names.task)"],
            "UIBackgroundModes": ["fetch"],
            "RunnerPlugin": { "executable": "bin/plugin" },
            "RunnerTasks": {
                "\(names.task)": { "kind": "appRefresh", "every": "1h" }
            }
        }

        """
    }

    private var handlers: String {
        """
        def refresh(task):
            # The work goes here. Returning is success, raising an error is failure.
            for step in range(1, 6):
                if task.expired.wait(0.1):
                    raise RuntimeError(f"asked to end after {step - 1} of 5 steps")
                task.progress(step / 5, f"step {step} of 5")
            print(f"done in run {task.run} of {task.identifier}", flush=True)


        HANDLERS = {"\(names.task)": ("appRefresh", refresh)}


        """
    }

    private static let head = #"""
        #!/usr/bin/env python3
        """A plugin of Runner in Python, without dependencies: one JSON-RPC 2.0 message a line, on the descriptor it was given."""
        import itertools, json, os, socket, sys, threading


        class Runner:
            def __init__(self, descriptor):
                os.set_inheritable(descriptor, False)  # What the plugin starts must not keep the channel open.
                self.channel = socket.socket(fileno=descriptor)
                self.numbers, self.writing = itertools.count(1), threading.Lock()

            def send(self, **message):
                with self.writing:
                    self.channel.sendall(json.dumps({"jsonrpc": "2.0", **message}).encode() + b"\n")

            def ask(self, method, **params):
                self.send(id=next(self.numbers), method=method, params=params)

            def tell(self, method, **params):
                self.send(method=method, params=params)


        class Task:
            """A launched run; `expired` is set when it has to end within the grace period."""
            running = {}

            def __init__(self, runner, run, identifier, **_):
                self.runner, self.run, self.identifier, self.expired = runner, run, identifier, threading.Event()
                self.running[run] = self

            def work(self):
                outcome = {"result": "succeeded"}
                try:
                    HANDLERS[self.identifier][1](self)
                except Exception as error:
                    outcome = {"result": "failed", "message": str(error)}
                del self.running[self.run]
                self.runner.ask("task.complete", run=self.run, **outcome)

            def progress(self, fraction, title):
                self.runner.tell("task.progress", run=self.run, fraction=fraction, title=title)



        """#

    private static let tail = #"""
        if "RUNNER_PLUGIN_FD" not in os.environ:
            print("This is a plugin of Runner. Load its bundle with: runnerd --plugins FOLDER", file=sys.stderr)
            sys.exit(2)
        runner = Runner(int(os.environ["RUNNER_PLUGIN_FD"]))
        runner.ask("hello", protocol=1, kit="python", version="1")
        for identifier, (kind, _) in HANDLERS.items():
            runner.ask("register", identifier=identifier, kind=kind)
        runner.ask("finishLaunching")
        for line in runner.channel.makefile(encoding="utf-8", newline="\n"):  # Its end is the order to exit.
            message = json.loads(line)
            method, params = message.get("method"), message.get("params", {})
            if method == "task.launch":
                runner.send(id=message["id"], result={})  # The handler is entered; the budget starts.
                threading.Thread(target=Task(runner, **params).work, daemon=True).start()
            elif method in ("task.expire", "shutdown"):
                for task in list(Task.running.values()):
                    if params.get("run", task.run) == task.run:
                        task.expired.set()
            elif "error" in message:  # Such as a refusal to register; it goes to the app's log.
                print(message["error"]["message"], file=sys.stderr, flush=True)

        """#
}
