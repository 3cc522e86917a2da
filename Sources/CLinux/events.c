#include "CLinux.h"

#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/signalfd.h>
#include <sys/timerfd.h>
#include <unistd.h>

int runner_epoll_create(void) {
    int descriptor = epoll_create1(EPOLL_CLOEXEC);
    return descriptor < 0 ? -errno : descriptor;
}

int runner_epoll_control(int epoll, int operation, int descriptor, uint32_t interest, uint64_t token) {
    struct epoll_event event = {0};
    if (interest & RUNNER_EPOLL_READ) event.events |= EPOLLIN;
    if (interest & RUNNER_EPOLL_WRITE) event.events |= EPOLLOUT;
    event.data.u64 = token;
    int kernel_operation;
    switch (operation) {
    case RUNNER_EPOLL_ADD: kernel_operation = EPOLL_CTL_ADD; break;
    case RUNNER_EPOLL_REMOVE: kernel_operation = EPOLL_CTL_DEL; break;
    case RUNNER_EPOLL_MODIFY: kernel_operation = EPOLL_CTL_MOD; break;
    default: return -EINVAL;
    }
    return epoll_ctl(epoll, kernel_operation, descriptor, &event) < 0 ? -errno : 0;
}

int runner_epoll_wait(int epoll, struct runner_epoll_event *events, int capacity, int timeout_milliseconds) {
    struct epoll_event batch[RUNNER_EPOLL_BATCH];
    if (capacity > RUNNER_EPOLL_BATCH) capacity = RUNNER_EPOLL_BATCH;
    int count = epoll_wait(epoll, batch, capacity, timeout_milliseconds);
    if (count < 0) return -errno;
    for (int index = 0; index < count; index++) {
        uint32_t readiness = 0;
        if (batch[index].events & EPOLLIN) readiness |= RUNNER_EPOLL_READ;
        if (batch[index].events & EPOLLOUT) readiness |= RUNNER_EPOLL_WRITE;
        if (batch[index].events & EPOLLHUP) readiness |= RUNNER_EPOLL_HANG_UP;
        if (batch[index].events & EPOLLERR) readiness |= RUNNER_EPOLL_ERROR;
        events[index].token = batch[index].data.u64;
        events[index].readiness = readiness;
        events[index].reserved = 0;
    }
    return count;
}

int runner_signalfd(const int *signals, size_t count) {
    sigset_t set;
    sigemptyset(&set);
    for (size_t index = 0; index < count; index++) {
        if (sigaddset(&set, signals[index]) < 0) return -errno;
    }
    int failure = pthread_sigmask(SIG_BLOCK, &set, NULL);
    if (failure != 0) return -failure;
    int descriptor = signalfd(-1, &set, SFD_CLOEXEC | SFD_NONBLOCK);
    return descriptor < 0 ? -errno : descriptor;
}

int runner_eventfd(void) {
    int descriptor = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
    return descriptor < 0 ? -errno : descriptor;
}

int runner_eventfd_signal(int descriptor) {
    uint64_t one = 1;
    ssize_t written;
    do written = write(descriptor, &one, sizeof one);
    while (written < 0 && errno == EINTR);
    // A counter that is full is readable already.
    return written < 0 && errno != EAGAIN ? -errno : 0;
}

int runner_eventfd_clear(int descriptor) {
    uint64_t value;
    ssize_t count;
    do count = read(descriptor, &value, sizeof value);
    while (count < 0 && errno == EINTR);
    if (count < 0) return errno == EAGAIN ? 0 : -errno;
    return 1;
}

int runner_clock_watch_open(void) {
    int descriptor = timerfd_create(CLOCK_REALTIME, TFD_CLOEXEC | TFD_NONBLOCK);
    return descriptor < 0 ? -errno : descriptor;
}

int runner_clock_watch_arm(int descriptor) {
    struct itimerspec never = {0};
    never.it_value.tv_sec = sizeof(time_t) == 8 ? (time_t)INT64_MAX : (time_t)INT32_MAX;
    int result = timerfd_settime(descriptor, TFD_TIMER_ABSTIME | TFD_TIMER_CANCEL_ON_SET, &never, NULL);
    // The kernel arms the timer and says ECANCELED when the clock was set after the previous arming.
    return result < 0 && errno != ECANCELED ? -errno : 0;
}

int runner_clock_watch_read(int descriptor) {
    uint64_t value;
    ssize_t count;
    do count = read(descriptor, &value, sizeof value);
    while (count < 0 && errno == EINTR);
    if (count >= 0) return 0;
    if (errno == ECANCELED) return 1;
    return errno == EAGAIN ? 0 : -errno;
}
