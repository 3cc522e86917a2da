/*
 * client SOCKET REQUESTS SECONDS [--connections N] [--pipeline W] [--failure TEXT] [--replies R]
 *
 * The one client of all socket benchmarks. REQUESTS is a file with one request a line, in which \r and \n stand for
 * these bytes; each is sent with what stands there and nothing else. A reply is a line. Every one of N connections has
 * W requests in flight. Says as JSON how many replies came in a second, and how long they took; replies that hold TEXT
 * end it with an error. It is over after SECONDS, or once R replies came.
 */
#define _GNU_SOURCE
#include "common.h"
#include <getopt.h>
#include <sys/epoll.h>

struct request {
    char *bytes;
    size_t count;
};

struct connection {
    int descriptor;
    size_t next;
    /* When the requests in flight were sent, oldest at `first`. */
    int64_t *sent;
    size_t first, in_flight;
    char input[262144];
    size_t kept;
};

static struct request *requests;
static size_t request_count, pipeline = 1, connection_count = 1;
static size_t replies_wanted = SIZE_MAX, replies_seen;
static const char *failure;
static struct samples samples;
static int64_t counting_from, until;
static char *output;
static size_t output_capacity;

static void read_requests(const char *path) {
    FILE *file = fopen(path, "r");
    if (!file) fail(path);
    char *line = NULL;
    size_t capacity = 0;
    ssize_t length;
    while ((length = getline(&line, &capacity, file)) > 0) {
        struct request request = {malloc((size_t)length), 0};
        for (ssize_t index = 0; index < length && line[index] != '\n'; index++) {
            char byte = line[index];
            if (byte == '\\' && (line[index + 1] == 'r' || line[index + 1] == 'n')) byte = line[++index] == 'r' ? '\r' : '\n';
            request.bytes[request.count++] = byte;
        }
        requests = realloc(requests, (request_count + 1) * sizeof *requests);
        requests[request_count++] = request;
    }
    free(line);
    fclose(file);
    if (request_count == 0) fail("no requests");
}

/* Sends so many requests in one write. */
static void send_requests(struct connection *connection, size_t count) {
    size_t used = 0;
    int64_t time = now();
    for (size_t index = 0; index < count; index++) {
        struct request *request = &requests[connection->next];
        connection->next = (connection->next + connection_count) % request_count;
        if (used + request->count > output_capacity) {
            output_capacity = (used + request->count) * 2;
            output = realloc(output, output_capacity);
        }
        memcpy(output + used, request->bytes, request->count);
        used += request->count;
        connection->sent[(connection->first + connection->in_flight++) % pipeline] = time;
    }
    write_all(connection->descriptor, output, used);
}

/* Reads what is there; returns how many replies it completes. */
static size_t receive_replies(struct connection *connection) {
    char *start = connection->input;
    ssize_t bytes = read(connection->descriptor, start + connection->kept, sizeof connection->input - connection->kept);
    if (bytes <= 0) {
        errno = bytes == 0 ? EPIPE : errno;
        fail("read");
    }
    int64_t time = now();
    char *end = start + connection->kept + bytes, *newline;
    size_t replies = 0;
    while ((newline = memchr(start, '\n', (size_t)(end - start)))) {
        if (failure && memmem(start, (size_t)(newline - start), failure, strlen(failure))) {
            fprintf(stderr, "refused: %.*s\n", (int)(newline - start), start);
            exit(1);
        }
        if (connection->in_flight == 0) {
            fprintf(stderr, "unasked: %.*s\n", (int)(newline - start), start);
            exit(1);
        }
        if (time >= counting_from) add_sample(&samples, time - connection->sent[connection->first]);
        connection->first = (connection->first + 1) % pipeline;
        connection->in_flight--;
        replies++;
        replies_seen++;
        start = newline + 1;
    }
    connection->kept = (size_t)(end - start);
    if (connection->kept == sizeof connection->input) fail("a reply is too long");
    memmove(connection->input, start, connection->kept);
    return replies;
}

static int goes_on(int64_t time) { return time < until && replies_seen < replies_wanted; }

/* One connection needs no epoll, which would only add to every round trip. */
static int64_t run_alone(struct connection *connection) {
    int64_t time;
    while (goes_on(time = now())) send_requests(connection, receive_replies(connection));
    return time;
}

static int64_t run_many(struct connection *connections) {
    int epoll = epoll_create1(EPOLL_CLOEXEC);
    for (size_t index = 0; index < connection_count; index++) {
        struct epoll_event event = {.events = EPOLLIN, .data.ptr = &connections[index]};
        epoll_ctl(epoll, EPOLL_CTL_ADD, connections[index].descriptor, &event);
    }
    int64_t time;
    while (goes_on(time = now())) {
        struct epoll_event events[128];
        int ready = epoll_wait(epoll, events, 128, 1000);
        for (int index = 0; index < ready; index++) {
            struct connection *connection = events[index].data.ptr;
            size_t replies = receive_replies(connection);
            if (replies > 0) send_requests(connection, replies);
        }
    }
    return time;
}

int main(int count, char **arguments) {
    static const struct option options[] = {
        {"connections", required_argument, NULL, 'c'},
        {"pipeline", required_argument, NULL, 'p'},
        {"failure", required_argument, NULL, 'f'},
        {"replies", required_argument, NULL, 'r'},
        {0},
    };
    int option;
    while ((option = getopt_long(count, arguments, "", options, NULL)) != -1) switch (option) {
        case 'c': connection_count = strtoul(optarg, NULL, 10); break;
        case 'p': pipeline = strtoul(optarg, NULL, 10); break;
        case 'f': failure = optarg; break;
        case 'r': replies_wanted = strtoul(optarg, NULL, 10); break;
        default: return 2;
        }
    if (count - optind != 3 || connection_count == 0 || pipeline == 0) return 2;
    read_requests(arguments[optind + 1]);
    struct connection *connections = calloc(connection_count, sizeof *connections);
    for (size_t index = 0; index < connection_count; index++) {
        connections[index].descriptor = connect_to(arguments[optind]);
        connections[index].next = index % request_count;
        connections[index].sent = calloc(pipeline, sizeof(int64_t));
    }
    int64_t begun = now();
    counting_from = begun + 200000000;
    until = counting_from + (int64_t)(strtod(arguments[optind + 2], NULL) * 1e9);
    for (size_t index = 0; index < connection_count; index++) send_requests(&connections[index], pipeline);
    int64_t ended = connection_count == 1 ? run_alone(connections) : run_many(connections);
    double rate = (double)samples.count / ((double)(ended - counting_from) / 1e9);
    double median = percentile(&samples, 50) / 1e3, late = percentile(&samples, 99) / 1e3;
    printf("{\"rate\": %.0f, \"p50\": %.2f, \"p99\": %.2f}\n", rate, median, late);
    return samples.count > 0 ? 0 : 1;
}
