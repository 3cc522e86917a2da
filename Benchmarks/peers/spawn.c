/*
 * spawn ROUNDS [--ready FOLDER] -- PROGRAM ARGUMENT…
 *
 * How many milliseconds a program takes from its spawn to its exit or, with --ready, to READY=1 on a socket in FOLDER;
 * it is then asked to end and waited for. Its output is dropped.
 */
#define _GNU_SOURCE
#include "common.h"
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <spawn.h>
#include <sys/wait.h>

extern char **environ;

static int notifications(const char *folder) {
    char path[100];
    snprintf(path, sizeof path, "%s/notify", folder);
    unlink(path);
    struct sockaddr_un address = socket_address(path);
    int descriptor = socket(AF_UNIX, SOCK_DGRAM | SOCK_CLOEXEC, 0);
    if (descriptor < 0 || bind(descriptor, (struct sockaddr *)&address, sizeof address) < 0) fail(path);
    setenv("NOTIFY_SOCKET", path, 1);
    return descriptor;
}

static void wait_until_ready(int descriptor) {
    struct pollfd wanted = {.fd = descriptor, .events = POLLIN};
    char message[4096];
    do {
        if (poll(&wanted, 1, 10000) <= 0) fail("no READY=1");
        ssize_t bytes = recv(descriptor, message, sizeof message - 1, 0);
        message[bytes > 0 ? bytes : 0] = 0;
    } while (!strstr(message, "READY=1"));
}

int main(int count, char **arguments) {
    int ready = count > 2 && strcmp(arguments[2], "--ready") == 0;
    int program = ready ? 5 : 3;
    if (count <= program || strcmp(arguments[program - 1], "--") != 0) return 2;
    long rounds = strtol(arguments[1], NULL, 10);
    int notified = ready ? notifications(arguments[3]) : -1;
    posix_spawn_file_actions_t actions;
    posix_spawn_file_actions_init(&actions);
    posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0);
    posix_spawn_file_actions_addopen(&actions, 1, "/dev/null", O_WRONLY, 0);
    posix_spawn_file_actions_addopen(&actions, 2, "/dev/null", O_WRONLY, 0);
    struct samples samples = {0};
    for (long round = 0; round < rounds; round++) {
        pid_t child;
        int status;
        int64_t begun = now();
        errno = posix_spawn(&child, arguments[program], &actions, NULL, arguments + program, environ);
        if (errno) fail(arguments[program]);
        if (ready) {
            wait_until_ready(notified);
            add_sample(&samples, now() - begun);
            kill(child, SIGTERM);
            waitpid(child, &status, 0);
        } else {
            waitpid(child, &status, 0);
            add_sample(&samples, now() - begun);
        }
        if (!WIFEXITED(status) || WEXITSTATUS(status) != 0) {
            fprintf(stderr, "%s ended with status %d\n", arguments[program], status);
            return 1;
        }
    }
    double least = percentile(&samples, 0.001) / 1e6, median = percentile(&samples, 50) / 1e6;
    printf("{\"least\": %.3f, \"p50\": %.3f, \"p99\": %.3f}\n", least, median, percentile(&samples, 99) / 1e6);
    return 0;
}
