#!/usr/bin/env bash
# Submits a request, waits for its run, and says how it ended; or why it waits. Needs socat and jq, and no runnerctl.
#
#   run-task.sh IDENTIFIER [SECONDS]
#
# Exit status: 0 the run succeeded, 1 it did not, 2 wrong arguments, 3 refused, 4 no daemon, 5 it has not ended in time.
set -euo pipefail

if (($# < 1 || $# > 2)) || [[ ! ${2:-60} =~ ^[0-9]+$ ]]; then
    echo "usage: run-task.sh IDENTIFIER [SECONDS]" >&2
    exit 2
fi
identifier=$1
patience=${2:-60}
if ((EUID == 0)); then folder=/run/runner; else folder=${XDG_RUNTIME_DIR:+$XDG_RUNTIME_DIR/runner}; fi
socket=${RUNNER_SOCKET:-${folder:-/tmp/runner-$EUID}/control.sock}

# Puts the result of a method into `result`; returns 5 when the time was over, and ends for every other error.
call() {
    local request reply
    request=$(jq -nc --arg method "$1" --argjson params "$2" '{jsonrpc: "2.0", id: 1, $method, $params}')
    # A client that has sent all it wants still gets its replies; then the daemon hangs up, and socat ends.
    if ! reply=$(socat -t 86400 - "UNIX-CONNECT:$socket" <<<"$request" 2>/dev/null) || [[ -z $reply ]]; then
        echo "No daemon answers at $socket; start one with: runnerd --foreground" >&2
        exit 4
    fi
    result=$(jq -c '.result // empty' <<<"$reply")
    if [[ -z $result ]]; then
        [[ $(jq -r '.error.data.kind' <<<"$reply") == timedOut ]] && return 5
        jq -r '.error.message' <<<"$reply" >&2
        exit 3
    fi
}

call submit "$(jq -nc --arg identifier "$identifier" '{$identifier, ifPending: "keep"}')"
submission=$(jq '.request.submission' <<<"$result")

# The request's run has its submission's number, now among the running and later in the history.
find_run() {
    local method
    for method in running history; do
        call "$method" "$(jq -nc --arg method "$method" --arg identifier "$identifier" \
            'if $method == "history" then {$identifier, limit: 10} else {} end')"
        run=$(jq --argjson submission "$submission" \
            'first(.runs[] | select(.submission == $submission) | .run) // empty' <<<"$result")
        [[ -n $run ]] && return 0
    done
    return 1
}

deadline=$((SECONDS + patience))
until find_run; do
    if ((SECONDS >= deadline)); then
        call explain "$(jq -nc --arg identifier "$identifier" '{$identifier}')"
        jq -r '.summary' <<<"$result" >&2
        exit 5
    fi
    sleep 0.2
done
remaining=$((deadline > SECONDS ? deadline - SECONDS : 0))
if ! call wait "{\"run\": $run, \"timeoutSeconds\": $remaining}"; then
    echo "Run $run of $identifier has not ended in $patience seconds, and goes on." >&2
    exit 5
fi
jq -r '.run | "Run \(.run) of \(.identifier) ended: \(.state)" + (if .message then " (\(.message))" else "" end)' <<<"$result"
[[ $(jq -r '.run.state' <<<"$result") == succeeded ]]
