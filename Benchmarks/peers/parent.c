/*
 * parent ROUNDS PAUSE_MILLISECONDS TIMES -- PROGRAM ARGUMENT…
 *
 * The barest runner of a plugin: posix_spawn with one end of a socket pair, and literal answers. Says how long it takes
 * from before the socket pair until the plugin notes in TIMES that it had finished launching. It is then asked to exit by
 * the end of its stream, and waited for.
 */
#define _GNU_SOURCE
#include "common.h"
#include <fcntl.h>
#include <spawn.h>
#include <sys/wait.h>

extern char **environ;

static const char *answer_to(const char *line) {
    if (strstr(line, "\"hello\""))
        return "{\"protocol\":1,\"app\":\"com.example.bench\",\"permitted\":[\"com.example.bench.task0000\"],"
               "\"limits\":{\"lineBytes\":262144,\"depth\":32,\"unansweredRequests\":1024}}";
    return strstr(line, "\"register\"") ? "{\"registered\":true}" : "{}";
}

/* Serves until the launch was finished. */
static void serve(int channel) {
    static char input[65536];
    size_t kept = 0;
    for (int finished = 0; !finished;) {
        ssize_t bytes = read(channel, input + kept, sizeof input - kept - 1);
        if (bytes <= 0) fail("the plugin went");
        kept += (size_t)bytes;
        input[kept] = 0;
        char output[4096], *line = input, *end;
        size_t used = 0;
        while ((end = strchr(line, '\n'))) {
            *end = 0;
            char *identifier = strstr(line, "\"id\":");
            if (!identifier || used > sizeof output - 512) fail(line);
            used += (size_t)snprintf(output + used, sizeof output - used, "{\"jsonrpc\":\"2.0\",\"id\":%ld,\"result\":%s}\n",
                strtol(identifier + 5, NULL, 10), answer_to(line));
            if (strstr(line, "\"finishLaunching\"")) finished = 1;
            line = end + 1;
        }
        kept = (size_t)(input + kept - line);
        memmove(input, line, kept);
        write_all(channel, output, used);
    }
}

static int64_t noted(int times) {
    int64_t time = 0;
    for (int64_t deadline = now() + 5000000000; now() < deadline; usleep(100))
        if (pread(times, &time, sizeof time, 0) == sizeof time && time != 0) return time;
    fail("the plugin notes nothing");
    return 0;
}

int main(int count, char **arguments) {
    if (count < 6 || strcmp(arguments[4], "--") != 0) return 2;
    long rounds = strtol(arguments[1], NULL, 10), pause = strtol(arguments[2], NULL, 10);
    int times = open(arguments[3], O_RDWR | O_CLOEXEC);
    if (times < 0) fail(arguments[3]);
    setenv("RUNNER_PLUGIN_FD", "3", 1);
    struct samples samples = {0};
    for (long round = 0; round < rounds + 2; round++) {
        usleep((useconds_t)(pause * 1000));
        int64_t zero = 0;
        if (pwrite(times, &zero, sizeof zero, 0) != sizeof zero) fail("pwrite");
        int64_t begun = now();
        int pair[2], status;
        if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, pair) < 0) fail("socketpair");
        posix_spawn_file_actions_t actions;
        posix_spawn_file_actions_init(&actions);
        posix_spawn_file_actions_adddup2(&actions, pair[1], 3);
        pid_t child;
        errno = posix_spawn(&child, arguments[5], &actions, NULL, arguments + 5, environ);
        if (errno) fail(arguments[5]);
        posix_spawn_file_actions_destroy(&actions);
        close(pair[1]);
        serve(pair[0]);
        int64_t took = noted(times) - begun;
        if (round >= 2) add_sample(&samples, took);
        close(pair[0]);
        waitpid(child, &status, 0);
    }
    printf("{\"p50\": %.1f, \"p99\": %.1f}\n", percentile(&samples, 50) / 1e3, percentile(&samples, 99) / 1e3);
    return 0;
}
