/// A bundle with one command, in the shell.
struct ShellTemplate {
    let names: BundleNames

    var files: [TemplateFile] {
        [
            TemplateFile(path: "Info.json", text: manifest),
            TemplateFile(path: "bin/refresh", text: Self.program, isExecutable: true),
        ]
    }

    private var manifest: String {
        """
        {
            "CFBundleIdentifier": "\(names.app)",
            "BGTaskSchedulerPermittedIdentifiers": ["\(names.task)"],
            "UIBackgroundModes": ["fetch"],
            "RunnerTasks": {
                "\(names.task)": { "command": ["bin/refresh"], "kind": "appRefresh", "every": "1h" }
            }
        }

        """
    }

    private static let program = #"""
        #!/usr/bin/env bash
        # Runs once for each launch of the task. Exit 0 is success, 143 after SIGTERM is an expiration that went well, and any
        # other status is a failure. What is printed goes to the log of the run.
        set -euo pipefail

        steps=5

        ended() {
            echo "asked to end"
            exit 143
        }
        trap ended TERM

        for ((step = 1; step <= steps; step++)); do
            # The work goes here. In the background, so that SIGTERM is heard at once.
            sleep 0.1 &
            wait "$!"
            # Progress goes to descriptor 3, as a fraction from 0 to 1.
            printf '{"fraction": %d.%02d, "title": "step %d of %d"}\n' \
                $((step / steps)) $((step * 100 / steps % 100)) "$step" "$steps" >&3
        done
        echo "done in run $RUNNER_RUN of $RUNNER_TASK_IDENTIFIER"

        """#
}
