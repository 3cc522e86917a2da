/* What the peers share: the clock, and figures from samples. */
#ifndef BENCH_COMMON_H
#define BENCH_COMMON_H

#include <errno.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <time.h>
#include <unistd.h>

static inline int64_t nanoseconds(clockid_t clock) {
    struct timespec time;
    clock_gettime(clock, &time);
    return (int64_t)time.tv_sec * 1000000000 + time.tv_nsec;
}

static inline int64_t now(void) { return nanoseconds(CLOCK_MONOTONIC); }

static inline void fail(const char *what) {
    fprintf(stderr, "%s: %s\n", what, errno ? strerror(errno) : "failed");
    exit(1);
}

/* Samples of durations in nanoseconds. */
struct samples {
    uint32_t *values;
    size_t count, capacity;
};

static inline void add_sample(struct samples *samples, int64_t value) {
    if (samples->count == samples->capacity) {
        samples->capacity = samples->capacity ? samples->capacity * 2 : 65536;
        samples->values = realloc(samples->values, samples->capacity * sizeof(uint32_t));
        if (!samples->values) fail("realloc");
    }
    samples->values[samples->count++] = value < 0 ? 0 : value > UINT32_MAX ? UINT32_MAX : (uint32_t)value;
}

static inline int compare_samples(const void *left, const void *right) {
    uint32_t a = *(const uint32_t *)left, b = *(const uint32_t *)right;
    return a < b ? -1 : a > b;
}

/* The nearest rank; the samples are in order afterwards. */
static inline double percentile(struct samples *samples, double rank) {
    if (samples->count == 0) return 0;
    qsort(samples->values, samples->count, sizeof(uint32_t), compare_samples);
    size_t place = (size_t)(rank / 100 * (double)samples->count + 0.999999);
    return samples->values[place > 0 ? place - 1 : 0];
}

static inline struct sockaddr_un socket_address(const char *path) {
    struct sockaddr_un address = {.sun_family = AF_UNIX};
    if (strlen(path) >= sizeof address.sun_path) {
        errno = ENAMETOOLONG;
        fail(path);
    }
    strcpy(address.sun_path, path);
    return address;
}

static inline int listen_at(const char *path) {
    struct sockaddr_un address = socket_address(path);
    int descriptor = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
    if (descriptor < 0 || bind(descriptor, (struct sockaddr *)&address, sizeof address) < 0 ||
        listen(descriptor, 256) < 0)
        fail(path);
    return descriptor;
}

static inline int connect_to(const char *path) {
    struct sockaddr_un address = socket_address(path);
    int descriptor = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
    if (descriptor < 0 || connect(descriptor, (struct sockaddr *)&address, sizeof address) < 0) fail(path);
    return descriptor;
}

static inline void write_all(int descriptor, const char *bytes, size_t count) {
    while (count > 0) {
        ssize_t written = write(descriptor, bytes, count);
        if (written < 0 && errno == EINTR) continue;
        if (written <= 0) fail("write");
        bytes += written;
        count -= (size_t)written;
    }
}

static inline void sleep_until(clockid_t clock, int64_t deadline) {
    struct timespec time = {.tv_sec = deadline / 1000000000, .tv_nsec = deadline % 1000000000};
    while (clock_nanosleep(clock, TIMER_ABSTIME, &time, NULL) == EINTR) {}
}

#endif
