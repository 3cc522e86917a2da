/*
 * launch FOLDER IDLE_MILLISECONDS COUNT [--process]: a client asks a server over a socket, the server commits one row of
 * `runs` and calls a handler, with --process in a child of it, over another socket. Says how long that took from the
 * first byte to the handler.
 */
#define _GNU_SOURCE
#include "store.h"
#include <pthread.h>
#include <sys/mman.h>

static int client, server, child = -1;
static sqlite3 *database;
static volatile int64_t *entered;

__attribute__((noinline)) static void handler(const char *identifier) {
    *entered = now();
    (void)identifier;
}

/* A child with the handler: a line in, a line out. */
static void start_child(void) {
    int pair[2];
    if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, pair) < 0) fail("socketpair");
    pid_t process = fork();
    if (process < 0) fail("fork");
    child = pair[0];
    if (process > 0) {
        close(pair[1]);
        return;
    }
    close(pair[0]);
    char line[4096];
    ssize_t bytes;
    while ((bytes = read(pair[1], line, sizeof line)) > 0) {
        handler(line);
        write_all(pair[1], line, (size_t)bytes);
    }
    _exit(0);
}

static void call_handler(char *identifier) {
    if (child < 0) {
        handler(identifier);
        return;
    }
    char line[4096];
    int length = snprintf(line, sizeof line,
        "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"task.launch\",\"params\":{\"run\":1,\"identifier\":\"%s\"}}\n", identifier);
    write_all(child, line, (size_t)length);
    if (read(child, line, sizeof line) <= 0) fail("the child went");
}

static void commit_run(sqlite3_stmt **statements, const char *identifier, int64_t number) {
    sqlite3_stmt *put = statements[1];
    int64_t wall = nanoseconds(CLOCK_REALTIME) / 1000000;
    run(database, statements[0]);
    sqlite3_bind_int64(put, 1, number);
    bind_request(put, 2, identifier, wall, number);
    for (int column = 15; column < 20; column++) sqlite3_bind_int64(put, column, 0);
    for (int column = 21; column < 23; column++) sqlite3_bind_int64(put, column, wall);
    run(database, put);
    run(database, statements[2]);
}

static void *serve(void *unused) {
    sqlite3_stmt *statements[] = {
        prepare(database, "BEGIN IMMEDIATE"),
        prepare(database,
            "INSERT INTO runs (run, " REQUEST_NAMES ", origin, attempt, state, claim_cancelled, waited, waits,"
            " started_at, started_boot) VALUES (?1,?2,?3,?4,?5,?6,?7,?8,?9,?10,?11,?12,?13,?14,"
            "?15,?16,?17,?18,?19,?20,?21,?22)"),
        prepare(database, "COMMIT"),
    };
    char line[4096];
    for (int64_t number = 1;; number++) {
        ssize_t bytes = read(server, line, sizeof line - 1);
        if (bytes <= 0) return unused;
        line[bytes] = 0;
        char *identifier = strstr(line, "com.example.");
        char *end = identifier ? strchr(identifier, '"') : NULL;
        if (!end || line[bytes - 1] != '\n') fail("a request");
        *end = 0;
        commit_run(statements, identifier, number);
        call_handler(identifier);
        static const char reply[] = "{\"jsonrpc\":\"2.0\",\"id\":1,\"result\":{}}\n";
        write_all(server, reply, sizeof reply - 1);
    }
}

int main(int count, char **arguments) {
    int has_child = count == 5 && strcmp(arguments[4], "--process") == 0;
    if (count != 4 && !has_child) return 2;
    entered = mmap(NULL, sizeof *entered, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    if (entered == MAP_FAILED) fail("mmap");
    // Before there is a thread or a database.
    if (has_child) start_child();
    char path[4096];
    snprintf(path, sizeof path, "%s/launch.sqlite", arguments[1]);
    unlink(path);
    database = open_store(path, 1);
    int pair[2];
    if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, pair) < 0) fail("socketpair");
    client = pair[0];
    server = pair[1];
    pthread_t thread;
    if (pthread_create(&thread, NULL, serve, NULL) != 0) fail("pthread_create");

    int64_t idle = (int64_t)(strtod(arguments[2], NULL) * 1e6);
    long rounds = strtol(arguments[3], NULL, 10), warm = rounds / 10 + 1;
    struct samples samples = {0};
    for (long round = 0; round < rounds + warm; round++) {
        static const char request[] =
            "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"simulateLaunch\",\"params\":"
            "{\"identifier\":\"com.example.bench.task\",\"submit\":true}}\n";
        sleep_until(CLOCK_MONOTONIC, now() + idle);
        int64_t begun = now();
        write_all(client, request, sizeof request - 1);
        char reply[4096];
        if (read(client, reply, sizeof reply) <= 0) fail("read");
        if (round >= warm) add_sample(&samples, *entered - begun);
    }
    shutdown(client, SHUT_RDWR);
    pthread_join(thread, NULL);
    double median = percentile(&samples, 50) / 1e3, late = percentile(&samples, 99) / 1e3;
    printf("{\"p50\": %.1f, \"p99\": %.1f}\n", median, late);
    return 0;
}
