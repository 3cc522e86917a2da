// Linux calls that Glibc's Swift module lacks, in shapes that import well.
//
// The header needs no feature macro. Unless a comment says otherwise, a function returns a number that is not
// negative, or a negative errno; descriptors that it returns are close-on-exec.

#ifndef RUNNER_CLINUX_H
#define RUNNER_CLINUX_H

#include <stddef.h>
#include <stdint.h>

// MARK: Errors, atomics, threads

/// Writes the system's text for an errno, ended by NUL and cut to the capacity.
void runner_error_text(int code, char *buffer, size_t capacity);

int32_t runner_atomic_load(const int32_t *cell);
int32_t runner_atomic_exchange(int32_t *cell, int32_t value);
uint64_t runner_atomic_load_word(const uint64_t *cell);
void runner_atomic_store_word(uint64_t *cell, uint64_t value);

/// Names the calling thread; the kernel keeps 15 bytes.
void runner_name_thread(const char *name);
/// Writes standard output after each line.
void runner_buffer_output_by_lines(void);
/// The kernel's number of the calling thread.
int runner_thread_identifier(void);

// MARK: Epoll, eventfd, timerfd

enum {
    RUNNER_EPOLL_READ = 1,
    RUNNER_EPOLL_WRITE = 2,
    RUNNER_EPOLL_HANG_UP = 4,
    RUNNER_EPOLL_ERROR = 8,
};

enum {
    RUNNER_EPOLL_ADD = 1,
    RUNNER_EPOLL_REMOVE = 2,
    RUNNER_EPOLL_MODIFY = 3,
};

/// The most events that one `runner_epoll_wait` returns.
#define RUNNER_EPOLL_BATCH 128

struct runner_epoll_event {
    uint64_t token;
    uint32_t readiness;
    uint32_t reserved;
};

int runner_epoll_create(void);
int runner_epoll_control(int epoll, int operation, int descriptor, uint32_t interest, uint64_t token);
/// The number of events, which is never above RUNNER_EPOLL_BATCH.
int runner_epoll_wait(int epoll, struct runner_epoll_event *events, int capacity, int timeout_milliseconds);

/// Blocks the signals in the calling thread, and opens a descriptor that becomes readable when one of them comes.
int runner_signalfd(const int *signals, size_t count);

int runner_eventfd(void);
/// Makes an eventfd readable.
int runner_eventfd_signal(int descriptor);
/// Reads an eventfd empty: 1 when it had been signalled, 0 when not.
int runner_eventfd_clear(int descriptor);

/// A timer on the wall clock that never comes due and reports when that clock is set.
int runner_clock_watch_open(void);
/// Arms the watch; the clock being set before this is not reported.
int runner_clock_watch_arm(int descriptor);
/// 1 when the clock was set since the watch was armed, 0 when not.
int runner_clock_watch_read(int descriptor);

// MARK: Files, pipes, sockets

/// Opens a name below a folder (-1: the working folder) as a mere reference, without following a link.
int runner_open_reference(int folder, const char *name);
int runner_open_folder(const char *path);
/// Locks an open file for this process, or says -EAGAIN at once.
int runner_lock_exclusively(int descriptor);
int runner_unlock(int descriptor);
int runner_pipe(int32_t descriptors[2]);

int runner_unix_socket(int nonblocking);
int runner_unix_socket_pair(int32_t descriptors[2]);
/// The path must be shorter than 108 bytes (-ENAMETOOLONG).
int runner_unix_connect(int descriptor, const char *path);
int runner_unix_bind(int descriptor, const char *path);
/// Changes owner group (-1 keeps it) and mode of the file behind a reference descriptor.
int runner_set_access_of_reference(int descriptor, int64_t group, uint32_t mode);
/// Writes the path at which a Unix stream socket listens, and returns its length. -EINVAL when it does not listen,
/// -EPROTOTYPE and -EAFNOSUPPORT for other sockets, -EADDRNOTAVAIL for one outside the file system.
int runner_listening_path(int descriptor, char *path, size_t capacity);
/// A nonblocking connection.
int runner_accept(int descriptor);
/// Writes to a socket or anything else; a peer that is gone never raises SIGPIPE for a socket.
int64_t runner_write(int descriptor, const void *bytes, size_t count);
int runner_set_nonblocking(int descriptor);

struct runner_peer_credentials {
    uint32_t uid;
    uint32_t gid;
    int32_t pid;
};

int runner_peer_credentials(int descriptor, struct runner_peer_credentials *credentials);
/// The number of supplementary groups; -ERANGE when the capacity is too small.
int runner_peer_groups(int descriptor, uint32_t *groups, int capacity);

// MARK: Processes

int runner_pidfd_open(int32_t pid);
int runner_pidfd_signal(int pidfd, int signal);

struct runner_exit_status {
    int32_t signalled;
    int32_t value;
};

/// 1 when the child was reaped now, 0 while it runs.
int runner_pidfd_reap(int pidfd, struct runner_exit_status *status);

enum {
    RUNNER_LIMIT_CPU_SECONDS = 1,
    RUNNER_LIMIT_DATA_BYTES,
    RUNNER_LIMIT_ADDRESS_SPACE_BYTES,
    RUNNER_LIMIT_FILE_BYTES,
    RUNNER_LIMIT_OPEN_FILES,
    RUNNER_LIMIT_PROCESSES,
    RUNNER_LIMIT_CORE_BYTES,
};

struct runner_resource_limit {
    int32_t kind;
    uint64_t soft;
    uint64_t hard;
};

enum {
    RUNNER_SPAWN_PREPARE = 1,
    RUNNER_SPAWN_CLONE,
    RUNNER_SPAWN_SESSION,
    RUNNER_SPAWN_DESCRIPTORS,
    RUNNER_SPAWN_LIMITS,
    RUNNER_SPAWN_GROUPS,
    RUNNER_SPAWN_USER,
    RUNNER_SPAWN_FOLDER,
    RUNNER_SPAWN_DEATH_SIGNAL,
    RUNNER_SPAWN_EXECUTE,
};

struct runner_spawn_options {
    /// A path; nothing is looked up.
    const char *executable;
    /// Both arrays end with NULL.
    char *const *arguments;
    char *const *environment;
    /// NULL keeps the parent's.
    const char *folder;
    /// What becomes the child's descriptors 0 to 3. -1 is the null device, and for 3 nothing.
    int32_t descriptors[4];
    /// A new session, else only a new process group; the child leads it.
    int32_t new_session;
    /// The signal that the child gets when the spawning thread ends; 0 for none.
    int32_t death_signal;
    int32_t change_user;
    uint32_t uid;
    uint32_t gid;
    const uint32_t *groups;
    size_t group_count;
    const struct runner_resource_limit *limits;
    size_t limit_count;
};

struct runner_spawn_result {
    int32_t pid;
    int32_t pidfd;
    /// Both are 0 after success.
    int32_t failed_step;
    int32_t error;
};

/// Starts a child and returns once it runs its program, or could not. 0, or -1 with the result's step and error.
int runner_spawn(const struct runner_spawn_options *options, struct runner_spawn_result *result);

// MARK: Netlink

/// Changes of links, addresses and routes.
int runner_route_events_open(void);
/// A socket for requests to the routing tables.
int runner_route_requests_open(void);
/// Asks for a dump of all links or, by address family, of all routes.
int runner_route_request_links(int descriptor, uint32_t sequence);
int runner_route_request_routes(int descriptor, int ipv6, uint32_t sequence);
/// The kernel's reports of devices that came, changed or went.
int runner_uevents_open(void);
/// The next datagram's length; *from_kernel tells whether the kernel sent it. -EMSGSIZE when it did not fit.
int64_t runner_netlink_receive(int descriptor, void *buffer, size_t capacity, int wait, int32_t *from_kernel);

#endif
