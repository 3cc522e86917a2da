#!/usr/bin/env bash
# Walks through what Runner does, in a temporary folder: prints each command before its output, and checks each.
#
# RUNNERD and RUNNERCTL name the programs; else RUNNER_BIN names their folder; else they are looked for in .build.
set -euo pipefail

examples=$(cd -- "$(dirname -- "${BASH_SOURCE[0]}")" && pwd)
hello=com.example.hello
mirror=com.example.mirror.refresh

fail() {
    echo "demo: $1" >&2
    exit 1
}

# The first of the places where a build puts a program.
program() {
    local given=$1 name=$2 folder
    if [[ -n $given ]]; then
        [[ -x $given ]] || fail "there is no program $given"
        echo "$given"
        return
    fi
    for folder in ${RUNNER_BIN:+"$RUNNER_BIN"} "$examples"/../.build/{debug-strict/debug,debug,release/release,release}; do
        if [[ -x $folder/$name ]]; then
            echo "$folder/$name"
            return
        fi
    done
    fail "there is no $name; build it first with: make build"
}

runnerd=$(program "${RUNNERD:-}" runnerd)
runnerctl=$(program "${RUNNERCTL:-}" runnerctl)
command -v jq >/dev/null || fail "jq is missing; install it with: make deps"

folder=$(mktemp -d)
daemon=
finish() {
    if [[ -n $daemon ]]; then
        kill -KILL "$daemon" 2>/dev/null || true
        wait "$daemon" 2>/dev/null || true
    fi
    rm -rf -- "$folder"
}
trap finish EXIT
trap 'exit 130' INT
trap 'exit 143' TERM
# Everything that follows finds the daemon by this, and no other one.
export RUNNER_SOCKET=$folder/control.sock

heading() {
    printf '\n== %s\n' "$1"
}

# Prints a command as it would be typed.
typed() {
    local word line='$'
    for word in "$@"; do
        [[ $word =~ ^[A-Za-z0-9_./:+=-]+$ ]] || word="\"$word\""
        line+=" $word"
    done
    printf '\n%s\n' "$line"
}

# Runs a command of runnerctl that must end with the given status.
run() {
    local expected=$1 status=0
    shift
    typed runnerctl "$@"
    "$runnerctl" "$@" || status=$?
    ((status == expected)) || fail "'runnerctl $*' ended with $status instead of $expected"
}

# What a command says to programs.
ask() {
    "$runnerctl" --json "$@"
}

# Checks what a command says to programs.
check() {
    local what=$1 filter=$2 reply
    shift 2
    reply=$(ask "$@") || fail "'runnerctl --json $*' failed"
    jq --exit-status "$filter" >/dev/null <<<"$reply" || fail "$what is not what 'runnerctl $*' says: $reply"
}

# Waits, for some seconds, until what a command says is as it should be.
await() {
    local what=$1 filter=$2 deadline=$((SECONDS + 15))
    shift 2
    until ask "$@" 2>/dev/null | jq --exit-status "$filter" >/dev/null 2>&1; do
        ((SECONDS < deadline)) || fail "$what did not come; runnerctl $* says: $(ask "$@" 2>&1)"
        sleep 0.1
    done
}

start_daemon() {
    local plugins options=()
    for plugins in demo mirror database logrotate; do
        options+=(--plugins "examples/$plugins")
    done
    typed runnerd --foreground --state "$folder/state" "${options[@]}"
    # The examples work in the temporary folder only.
    (
        cd -- "$examples/.."
        exec "$runnerd" --foreground --log warning --state "$folder/state" --socket "$RUNNER_SOCKET" "${options[@]}" \
            --define "MIRROR_SOURCE=$examples/mirror/sample" --define "MIRROR_TARGET=$folder/mirror" \
            --define "DATABASE_FILE=$folder/example.db" --define "LOG_FOLDER=$folder/logs" 2>>"$folder/runnerd.log"
    ) &
    daemon=$!
    local deadline=$((SECONDS + 15))
    until "$runnerctl" status >/dev/null 2>&1; do
        kill -0 "$daemon" 2>/dev/null || fail "runnerd has ended: $(cat "$folder/runnerd.log")"
        ((SECONDS < deadline)) || fail "runnerd does not answer: $(cat "$folder/runnerd.log")"
        sleep 0.05
    done
}

echo "Runner decides when tasks run, runs them, and can always say why one has not run yet."

heading "A daemon with four bundles"
start_daemon
run 0 status
check "a running daemon with four apps" '.phase == "running" and .apps == 4' status

heading "Ask for a task, not before an hour has passed"
run 0 submit $hello.refresh --earliest +1h
run 0 pending
check "the pending request" '.requests | length == 1' pending $hello.refresh

heading "Why has it not run yet?"
run 0 explain $hello.refresh
# shellcheck disable=SC2016
check "the closed gate and when it opens" '
    .status == "waiting" and .pending.earliestBeginDate as $floor
    | any(.gates[]; .gate == "earliestBeginDate" and .verdict == "closed" and .opensAt == $floor)' \
    explain $hello.refresh

heading "A request runs by itself when its floor has passed"
run 0 submit $mirror --earliest +3s
await "the run of $mirror" '.runs[0].state == "succeeded"' history --identifier $mirror --limit 1
run 0 history --identifier $mirror
check "a run that was not early" '.runs[0] | .origin == "scheduled" and .startedAt >= .earliestBeginDate' \
    history --identifier $mirror --limit 1
run 0 log --run "$(ask history --identifier $mirror --limit 1 | jq '.runs[0].run')"
diff -r --exclude=.runner-mirror "$examples/mirror/sample" "$folder/mirror" || fail "the mirror differs from its source"

heading "Run a task now, whatever its gates say"
run 0 simulate-launch $hello.refresh --wait
check "a simulated run that succeeded" '.runs[0] | .origin == "simulated" and .state == "succeeded"' \
    history --identifier $hello.refresh --limit 1
check "that the request was consumed" '.requests == []' pending $hello.refresh

heading "Take the time away from a long task"
run 0 simulate-launch $hello.index --submit --no-wait
await "progress of $hello.index" '.runs[0].progress.fraction > 0.02' running
run 0 running
run 1 simulate-expiration $hello.index --wait
check "an expired run" '.runs[0] | .state == "expired" and .expirationReason == "simulated"' \
    history --identifier $hello.index --limit 1
run 0 log --run "$(ask history --identifier $hello.index --limit 1 | jq '.runs[0].run')"

heading "What has run"
run 0 history
check "three runs" '.runs | length == 3' history

heading "Pull the plug: what was accepted is still there"
run 0 submit $hello.refresh --earliest +2h
run 0 submit $hello.index --earliest "tomorrow 08:00" --power
run 0 pending
requests='[.requests[] | {identifier, submission, earliestBeginDate}] | sort_by(.identifier)'
before=$(ask pending | jq -c "$requests")
typed kill -9 "$daemon"
kill -9 "$daemon"
wait "$daemon" 2>/dev/null || true
daemon=
start_daemon
run 0 pending
after=$(ask pending | jq -c "$requests")
jq --exit-status 'length == 4' >/dev/null <<<"$before" || fail "not every request was pending: $before"
[[ $before == "$after" ]] || fail "the pending requests differ: $before before, $after after"
check "three runs still" '.runs | length == 3' history

heading "The end"
typed kill -TERM "$daemon"
kill -TERM "$daemon"
status=0
wait "$daemon" || status=$?
daemon=
((status == 0)) || fail "runnerd ended with $status: $(cat "$folder/runnerd.log")"
echo "runnerd has ended, and every step did what it shows."
