#include "CLinux.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/file.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/un.h>
#include <unistd.h>

int runner_open_reference(int folder, const char *name) {
    int descriptor = openat(folder < 0 ? AT_FDCWD : folder, name, O_PATH | O_NOFOLLOW | O_CLOEXEC);
    return descriptor < 0 ? -errno : descriptor;
}

int runner_open_folder(const char *path) {
    int descriptor = open(path, O_PATH | O_DIRECTORY | O_CLOEXEC);
    return descriptor < 0 ? -errno : descriptor;
}

int runner_lock_exclusively(int descriptor) {
    int result;
    do result = flock(descriptor, LOCK_EX | LOCK_NB);
    while (result < 0 && errno == EINTR);
    return result < 0 ? -errno : 0;
}

int runner_unlock(int descriptor) {
    return flock(descriptor, LOCK_UN) < 0 ? -errno : 0;
}

int runner_pipe(int32_t descriptors[2]) {
    return pipe2(descriptors, O_CLOEXEC) < 0 ? -errno : 0;
}

int runner_unix_socket(int nonblocking) {
    int descriptor = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC | (nonblocking ? SOCK_NONBLOCK : 0), 0);
    return descriptor < 0 ? -errno : descriptor;
}

int runner_unix_socket_pair(int32_t descriptors[2]) {
    return socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, descriptors) < 0 ? -errno : 0;
}

static int fill_address(struct sockaddr_un *address, const char *path) {
    size_t length = strlen(path);
    if (length >= sizeof address->sun_path) return -ENAMETOOLONG;
    // An empty path would be an abstract or unnamed address, which anyone may take.
    if (length == 0) return -EINVAL;
    memset(address, 0, sizeof *address);
    address->sun_family = AF_UNIX;
    memcpy(address->sun_path, path, length);
    return 0;
}

int runner_unix_connect(int descriptor, const char *path) {
    struct sockaddr_un address;
    int result = fill_address(&address, path);
    if (result < 0) return result;
    // A call that a signal interrupted left the socket unconnected, so it may simply be repeated.
    do result = connect(descriptor, (const struct sockaddr *)&address, sizeof address);
    while (result < 0 && errno == EINTR);
    return result < 0 ? -errno : 0;
}

int runner_unix_bind(int descriptor, const char *path) {
    struct sockaddr_un address;
    int result = fill_address(&address, path);
    if (result < 0) return result;
    return bind(descriptor, (const struct sockaddr *)&address, sizeof address) < 0 ? -errno : 0;
}

int runner_set_access_of_reference(int descriptor, int64_t group, uint32_t mode) {
    if (group >= 0 && fchownat(descriptor, "", (uid_t)-1, (gid_t)group, AT_EMPTY_PATH) < 0) return -errno;
    // fchmod refuses a reference descriptor; this name leads to the very same file.
    char path[32];
    snprintf(path, sizeof path, "/proc/self/fd/%d", descriptor);
    return chmod(path, mode) < 0 ? -errno : 0;
}

int runner_listening_path(int descriptor, char *path, size_t capacity) {
    int value = 0;
    socklen_t length = sizeof value;
    if (getsockopt(descriptor, SOL_SOCKET, SO_ACCEPTCONN, &value, &length) < 0) return -errno;
    if (!value) return -EINVAL;
    length = sizeof value;
    if (getsockopt(descriptor, SOL_SOCKET, SO_TYPE, &value, &length) < 0) return -errno;
    if (value != SOCK_STREAM) return -EPROTOTYPE;
    struct sockaddr_un address;
    length = sizeof address;
    if (getsockname(descriptor, (struct sockaddr *)&address, &length) < 0) return -errno;
    if (address.sun_family != AF_UNIX) return -EAFNOSUPPORT;
    // An abstract name begins with NUL; a path need not end with one.
    size_t count = length - offsetof(struct sockaddr_un, sun_path);
    if (count == 0 || address.sun_path[0] == 0) return -EADDRNOTAVAIL;
    count = strnlen(address.sun_path, count);
    if (count >= capacity) return -ENAMETOOLONG;
    memcpy(path, address.sun_path, count);
    path[count] = 0;
    return (int)count;
}

int runner_accept(int descriptor) {
    int connection;
    do connection = accept4(descriptor, NULL, NULL, SOCK_CLOEXEC | SOCK_NONBLOCK);
    while (connection < 0 && (errno == EINTR || errno == ECONNABORTED));
    return connection < 0 ? -errno : connection;
}

int64_t runner_write(int descriptor, const void *bytes, size_t count) {
    ssize_t written;
    do written = send(descriptor, bytes, count, MSG_NOSIGNAL);
    while (written < 0 && errno == EINTR);
    if (written < 0 && errno == ENOTSOCK) {
        do written = write(descriptor, bytes, count);
        while (written < 0 && errno == EINTR);
    }
    return written < 0 ? -errno : written;
}

int runner_set_nonblocking(int descriptor) {
    int flags = fcntl(descriptor, F_GETFL);
    if (flags < 0) return -errno;
    if (flags & O_NONBLOCK) return 0;
    return fcntl(descriptor, F_SETFL, flags | O_NONBLOCK) < 0 ? -errno : 0;
}

int runner_peer_credentials(int descriptor, struct runner_peer_credentials *credentials) {
    struct ucred kernel;
    socklen_t length = sizeof kernel;
    if (getsockopt(descriptor, SOL_SOCKET, SO_PEERCRED, &kernel, &length) < 0) return -errno;
    credentials->uid = kernel.uid;
    credentials->gid = kernel.gid;
    credentials->pid = kernel.pid;
    return 0;
}

int runner_peer_groups(int descriptor, uint32_t *groups, int capacity) {
    socklen_t length = (socklen_t)(sizeof(uint32_t) * (size_t)capacity);
    if (getsockopt(descriptor, SOL_SOCKET, SO_PEERGROUPS, groups, &length) < 0) return -errno;
    return (int)(length / sizeof(uint32_t));
}
