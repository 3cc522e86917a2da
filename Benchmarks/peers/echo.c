/* echo SOCKET: gives back what comes in, from every client. The limit of what a socket's server can reach. */
#define _GNU_SOURCE
#include "common.h"
#include <sys/epoll.h>

int main(int count, char **arguments) {
    if (count != 2) return 2;
    int listening = listen_at(arguments[1]);
    int epoll = epoll_create1(EPOLL_CLOEXEC);
    struct epoll_event event = {.events = EPOLLIN, .data.fd = listening};
    epoll_ctl(epoll, EPOLL_CTL_ADD, listening, &event);
    puts("ready");
    fflush(stdout);
    for (;;) {
        struct epoll_event events[128];
        int ready = epoll_wait(epoll, events, 128, -1);
        for (int index = 0; index < ready; index++) {
            int descriptor = events[index].data.fd;
            if (descriptor == listening) {
                struct epoll_event added = {.events = EPOLLIN};
                added.data.fd = accept4(listening, NULL, NULL, SOCK_CLOEXEC);
                if (added.data.fd >= 0) epoll_ctl(epoll, EPOLL_CTL_ADD, added.data.fd, &added);
                continue;
            }
            char buffer[65536];
            ssize_t bytes = read(descriptor, buffer, sizeof buffer);
            if (bytes <= 0) {
                close(descriptor);
                continue;
            }
            write_all(descriptor, buffer, (size_t)bytes);
        }
    }
}
