/*
 * simulate SOCKET IDENTIFIER TIMES ROUNDS PAUSE_MILLISECONDS
 *
 * Simulates launches, one after the other, and waits for the end of each run. Says how long it took from the first byte
 * of the request until the plugin noted in TIMES that it had finished launching, and until it had entered the run.
 */
#define _GNU_SOURCE
#include "common.h"
#include <fcntl.h>

static void exchange(int server, const char *request, size_t count) {
    static char reply[65536];
    size_t used = 0;
    write_all(server, request, count);
    do {
        ssize_t bytes = read(server, reply + used, sizeof reply - used - 1);
        if (bytes <= 0) fail("read");
        used += (size_t)bytes;
        reply[used] = 0;
    } while (reply[used - 1] != '\n');
    errno = 0;
    if (!strstr(reply, "\"state\":\"succeeded\"")) fail(reply);
}

int main(int count, char **arguments) {
    if (count != 6) return 2;
    int server = connect_to(arguments[1]);
    int times = open(arguments[3], O_RDONLY | O_CLOEXEC);
    if (times < 0) fail(arguments[3]);
    char request[1024];
    int length = snprintf(request, sizeof request,
        "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"simulateLaunch\",\"params\":"
        "{\"identifier\":\"%s\",\"submit\":true,\"wait\":true}}\n", arguments[2]);
    long rounds = strtol(arguments[4], NULL, 10), warm = rounds / 10 + 1, pause = strtol(arguments[5], NULL, 10);
    struct samples ready = {0}, entered = {0};
    for (long round = 0; round < rounds + warm; round++) {
        sleep_until(CLOCK_MONOTONIC, now() + pause * 1000000);
        int64_t begun = now(), noted[2];
        exchange(server, request, (size_t)length);
        if (pread(times, noted, sizeof noted, 0) != sizeof noted) fail("the plugin notes nothing");
        if (noted[1] < begun) fail("a run was not entered");
        if (round < warm) continue;
        add_sample(&ready, noted[0] - begun);
        add_sample(&entered, noted[1] - begun);
    }
    printf("{\"ready\": {\"p50\": %.1f, \"p99\": %.1f, \"least\": %.1f}, \"entered\": {\"p50\": %.1f, \"p99\": %.1f}}\n",
        percentile(&ready, 50) / 1e3, percentile(&ready, 99) / 1e3, percentile(&ready, 0.001) / 1e3,
        percentile(&entered, 50) / 1e3, percentile(&entered, 99) / 1e3);
    return 0;
}
