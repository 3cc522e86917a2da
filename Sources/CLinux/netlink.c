#include "CLinux.h"

#include <errno.h>
#include <linux/netlink.h>
#include <linux/rtnetlink.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

static int open_netlink(int protocol, uint32_t groups, int nonblocking) {
    int type = SOCK_RAW | SOCK_CLOEXEC | (nonblocking ? SOCK_NONBLOCK : 0);
    int descriptor = socket(AF_NETLINK, type, protocol);
    if (descriptor < 0) return -errno;
    struct sockaddr_nl address;
    memset(&address, 0, sizeof address);
    address.nl_family = AF_NETLINK;
    address.nl_groups = groups;
    if (bind(descriptor, (const struct sockaddr *)&address, sizeof address) < 0) {
        int error = errno;
        close(descriptor);
        return -error;
    }
    return descriptor;
}

int runner_route_events_open(void) {
    uint32_t groups =
        RTMGRP_LINK | RTMGRP_IPV4_IFADDR | RTMGRP_IPV6_IFADDR | RTMGRP_IPV4_ROUTE | RTMGRP_IPV6_ROUTE;
    return open_netlink(NETLINK_ROUTE, groups, 1);
}

int runner_route_requests_open(void) {
    return open_netlink(NETLINK_ROUTE, 0, 0);
}

int runner_uevents_open(void) {
    return open_netlink(NETLINK_KOBJECT_UEVENT, 1, 1);
}

static int send_request(int descriptor, const void *request, size_t length) {
    struct sockaddr_nl kernel;
    memset(&kernel, 0, sizeof kernel);
    kernel.nl_family = AF_NETLINK;
    ssize_t sent;
    do sent = sendto(descriptor, request, length, 0, (const struct sockaddr *)&kernel, sizeof kernel);
    while (sent < 0 && errno == EINTR);
    return sent < 0 ? -errno : 0;
}

int runner_route_request_links(int descriptor, uint32_t sequence) {
    struct {
        struct nlmsghdr header;
        struct ifinfomsg body;
    } request;
    memset(&request, 0, sizeof request);
    request.header.nlmsg_len = sizeof request;
    request.header.nlmsg_type = RTM_GETLINK;
    request.header.nlmsg_flags = NLM_F_REQUEST | NLM_F_DUMP;
    request.header.nlmsg_seq = sequence;
    request.body.ifi_family = AF_UNSPEC;
    return send_request(descriptor, &request, sizeof request);
}

int runner_route_request_routes(int descriptor, int ipv6, uint32_t sequence) {
    struct {
        struct nlmsghdr header;
        struct rtmsg body;
    } request;
    memset(&request, 0, sizeof request);
    request.header.nlmsg_len = sizeof request;
    request.header.nlmsg_type = RTM_GETROUTE;
    request.header.nlmsg_flags = NLM_F_REQUEST | NLM_F_DUMP;
    request.header.nlmsg_seq = sequence;
    request.body.rtm_family = ipv6 ? AF_INET6 : AF_INET;
    return send_request(descriptor, &request, sizeof request);
}

int64_t runner_netlink_receive(int descriptor, void *buffer, size_t capacity, int wait, int32_t *from_kernel) {
    struct sockaddr_nl sender;
    memset(&sender, 0, sizeof sender);
    struct iovec vector = {buffer, capacity};
    struct msghdr message;
    memset(&message, 0, sizeof message);
    message.msg_name = &sender;
    message.msg_namelen = sizeof sender;
    message.msg_iov = &vector;
    message.msg_iovlen = 1;
    ssize_t count;
    do count = recvmsg(descriptor, &message, wait ? 0 : MSG_DONTWAIT);
    while (count < 0 && errno == EINTR);
    if (count < 0) return -errno;
    if (message.msg_flags & MSG_TRUNC) return -EMSGSIZE;
    *from_kernel = sender.nl_pid == 0;
    return count;
}
