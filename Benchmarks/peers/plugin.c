/*
 * plugin PREFIX COUNT [--times FILE] [--exit] [--flood]
 *
 * The least that a plugin can be: literal lines, and no JSON but that. It registers COUNT identifiers that begin with
 * PREFIX, and completes every run as soon as it has entered it. FILE gets two numbers, of eight bytes each: when it had
 * finished launching, and when it entered its last run. With --exit it exits once a completion was answered; with --flood
 * it writes into the log without end.
 */
#define _GNU_SOURCE
#include "common.h"
#include <fcntl.h>
#include <getopt.h>

static const int channel = 3;
static int times = -1;
static char input[65536];
static size_t kept;

static void note(off_t place) {
    int64_t time = now();
    if (times >= 0 && pwrite(times, &time, sizeof time, place) != sizeof time) fail("pwrite");
}

static void begin(const char *prefix, long count) {
    size_t capacity = 512 + (size_t)count * (160 + strlen(prefix));
    char *lines = malloc(capacity);
    if (!lines) fail("malloc");
    size_t used = (size_t)snprintf(lines, capacity,
        "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"hello\",\"params\":{\"protocol\":1,\"kit\":\"bench\",\"version\":\"1\"}}\n");
    for (long number = 0; number < count; number++)
        used += (size_t)snprintf(lines + used, capacity - used,
            "{\"jsonrpc\":\"2.0\",\"id\":2,\"method\":\"register\",\"params\":{\"identifier\":\"%s%04ld\"}}\n", prefix, number);
    used += (size_t)snprintf(lines + used, capacity - used,
        "{\"jsonrpc\":\"2.0\",\"id\":3,\"method\":\"finishLaunching\",\"params\":{}}\n");
    write_all(channel, lines, used);
    free(lines);
}

/* The number behind a member's name, as it stands there. */
static long number_of(const char *line, const char *name) {
    char *found = strstr(line, name);
    return found ? strtol(found + strlen(name), NULL, 10) : -1;
}

/* Answers a launch and completes its run in one breath. */
static void take_launch(const char *line) {
    char lines[512];
    note(8);
    int used = snprintf(lines, sizeof lines,
        "{\"jsonrpc\":\"2.0\",\"id\":%ld,\"result\":{}}\n"
        "{\"jsonrpc\":\"2.0\",\"id\":4,\"method\":\"task.complete\",\"params\":{\"run\":%ld,\"result\":\"succeeded\"}}\n",
        number_of(line, "\"id\":"), number_of(line, "\"run\":"));
    write_all(channel, lines, (size_t)used);
}

static void flood(void) {
    static const char line[] =
        "{\"jsonrpc\":\"2.0\",\"method\":\"log\",\"params\":{\"level\":\"info\",\"message\":\"a line of a flood\"}}\n";
    char lines[256 * (sizeof line - 1)];
    for (int index = 0; index < 256; index++) memcpy(lines + (size_t)index * (sizeof line - 1), line, sizeof line - 1);
    for (;;) write_all(channel, lines, sizeof lines);
}

int main(int count, char **arguments) {
    static const struct option options[] = {
        {"times", required_argument, NULL, 't'}, {"exit", no_argument, NULL, 'e'}, {"flood", no_argument, NULL, 'f'}, {0}};
    int option, exits = 0, floods = 0;
    while ((option = getopt_long(count, arguments, "", options, NULL)) != -1) switch (option) {
        case 't': times = open(optarg, O_WRONLY | O_CLOEXEC); break;
        case 'e': exits = 1; break;
        case 'f': floods = 1; break;
        default: return 2;
        }
    if (count - optind != 2) return 2;
    begin(arguments[optind], strtol(arguments[optind + 1], NULL, 10));
    for (;;) {
        ssize_t bytes = read(channel, input + kept, sizeof input - kept - 1);
        // The end of the stream is the order to exit.
        if (bytes <= 0) return 0;
        kept += (size_t)bytes;
        input[kept] = 0;
        char *line = input, *end;
        while ((end = strchr(line, '\n'))) {
            *end = 0;
            if (strstr(line, "\"error\"")) fail(line);
            if (strstr(line, "\"task.launch\"")) take_launch(line);
            else if (strstr(line, "\"id\":3,\"result\"")) {
                note(0);
                if (floods) flood();
            } else if (exits && strstr(line, "\"id\":4,\"result\"")) return 0;
            line = end + 1;
        }
        kept = (size_t)(input + kept - line);
        memmove(input, line, kept);
    }
}
