/* lateness COUNT MILLISECONDS: how long after its deadline a timerfd wakes its thread, for deadlines so far apart. */
#include "common.h"
#include <sys/timerfd.h>

int main(int count, char **arguments) {
    if (count != 3) return 2;
    long deadlines = strtol(arguments[1], NULL, 10);
    int64_t apart = strtol(arguments[2], NULL, 10) * 1000000;
    int timer = timerfd_create(CLOCK_REALTIME, TFD_CLOEXEC);
    if (timer < 0) fail("timerfd");
    struct samples samples = {0};
    int64_t deadline = (nanoseconds(CLOCK_REALTIME) / 1000000 + 20) * 1000000;
    for (long index = 0; index < deadlines; index++, deadline += apart) {
        struct itimerspec time = {
            .it_value = {.tv_sec = deadline / 1000000000, .tv_nsec = deadline % 1000000000}};
        if (timerfd_settime(timer, TFD_TIMER_ABSTIME, &time, NULL) < 0) fail("timerfd_settime");
        uint64_t expirations;
        if (read(timer, &expirations, sizeof expirations) < 0) fail("read");
        add_sample(&samples, nanoseconds(CLOCK_REALTIME) - deadline);
    }
    double median = percentile(&samples, 50) / 1e3, late = percentile(&samples, 99) / 1e3;
    printf("{\"p50\": %.1f, \"p99\": %.1f}\n", median, late);
    return 0;
}
