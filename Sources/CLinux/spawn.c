// One way to start a child: share the parent's memory until exec, so that a large parent costs nothing, and make only
// plain system calls meanwhile. The C library's own functions are avoided in the child even where they would be
// async-signal-safe: its setuid family signals all threads of a process, and sanitizers keep tables behind close and
// sigaction that the child would change for its parent.

#include "CLinux.h"

#include <errno.h>
#include <fcntl.h>
#include <sched.h>
#include <signal.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#define STACK_BYTES (64 * 1024)
#define CHILD_DESCRIPTORS 4
#define KERNEL_SIGNALS 64
#define KERNEL_SIGNAL_SET_BYTES 8

#ifdef SYS_setresuid32
#define SET_GROUPS SYS_setgroups32
#define SET_GROUP SYS_setresgid32
#define SET_USER SYS_setresuid32
#else
#define SET_GROUPS SYS_setgroups
#define SET_GROUP SYS_setresgid
#define SET_USER SYS_setresuid
#endif

#if defined(__clang__)
#define UNINSTRUMENTED __attribute__((noinline, disable_sanitizer_instrumentation, no_stack_protector))
#else
#define UNINSTRUMENTED __attribute__((noinline, no_sanitize_address, no_sanitize_thread))
#endif

// The name that sanitizers do not intercept.
extern int __clone(int (*function)(void *), void *stack, int flags, void *argument, ...);

struct child {
    const struct runner_spawn_options *options;
    struct runner_spawn_result *result;
    long parent;
};

UNINSTRUMENTED __attribute__((noreturn))
static void fail(struct child *child, int step) {
    child->result->error = errno;
    child->result->failed_step = step;
    for (;;) syscall(SYS_exit_group, 127);
}

/// Every signal gets its default action: what the parent ignores must not be ignored by its children.
UNINSTRUMENTED
static void reset_signals(void) {
    // All zero is SIG_DFL without flags in every layout that the kernel has for its struct sigaction.
    unsigned long action[8];
    for (size_t index = 0; index < sizeof action / sizeof action[0]; index++) action[index] = 0;
    for (int number = 1; number <= KERNEL_SIGNALS; number++) {
        syscall(SYS_rt_sigaction, number, action, NULL, KERNEL_SIGNAL_SET_BYTES);
    }
}

UNINSTRUMENTED
static int place_descriptors(const int32_t *wanted) {
    int moved[CHILD_DESCRIPTORS];
    // First out of the way of the numbers that are about to be overwritten.
    for (int target = 0; target < CHILD_DESCRIPTORS; target++) {
        int source = wanted[target];
        int opened = -1;
        if (source < 0) {
            if (target == 3) {
                moved[target] = -1;
                continue;
            }
            opened = (int)syscall(SYS_openat, AT_FDCWD, "/dev/null", O_RDWR | O_CLOEXEC, 0);
            if (opened < 0) return -1;
            source = opened;
        }
        moved[target] = (int)syscall(SYS_fcntl, source, F_DUPFD_CLOEXEC, CHILD_DESCRIPTORS);
        if (moved[target] < 0) return -1;
        if (opened >= 0) syscall(SYS_close, opened);
    }
    for (int target = 0; target < CHILD_DESCRIPTORS; target++) {
        if (moved[target] < 0) {
            syscall(SYS_close, target);
        } else if (syscall(SYS_dup3, moved[target], target, 0) < 0) {
            return -1;
        }
    }
    if (syscall(SYS_close_range, CHILD_DESCRIPTORS, ~0U, 0) < 0) {
        // Not there in old kernels, and refused by some sandboxes.
        struct rlimit limit;
        if (syscall(SYS_prlimit64, 0, RLIMIT_NOFILE, NULL, &limit) < 0) return -1;
        for (rlim_t number = CHILD_DESCRIPTORS; number < limit.rlim_cur && number < (1 << 20); number++) {
            syscall(SYS_close, (int)number);
        }
    }
    return 0;
}

UNINSTRUMENTED
static int kernel_limit(int kind) {
    switch (kind) {
    case RUNNER_LIMIT_CPU_SECONDS: return RLIMIT_CPU;
    case RUNNER_LIMIT_DATA_BYTES: return RLIMIT_DATA;
    case RUNNER_LIMIT_ADDRESS_SPACE_BYTES: return RLIMIT_AS;
    case RUNNER_LIMIT_FILE_BYTES: return RLIMIT_FSIZE;
    case RUNNER_LIMIT_OPEN_FILES: return RLIMIT_NOFILE;
    case RUNNER_LIMIT_PROCESSES: return RLIMIT_NPROC;
    case RUNNER_LIMIT_CORE_BYTES: return RLIMIT_CORE;
    default: return -1;
    }
}

UNINSTRUMENTED
static int set_limits(const struct runner_resource_limit *limits, size_t count) {
    for (size_t index = 0; index < count; index++) {
        uint64_t values[2] = {limits[index].soft, limits[index].hard};
        if (syscall(SYS_prlimit64, 0, kernel_limit(limits[index].kind), values, NULL) < 0) return -1;
    }
    return 0;
}

UNINSTRUMENTED
static int run_child(void *argument) {
    struct child *child = argument;
    const struct runner_spawn_options *options = child->options;

    // All signals are blocked here; a handler of the parent must never run in the memory that both share.
    reset_signals();
    long led = options->new_session ? syscall(SYS_setsid) : syscall(SYS_setpgid, 0, 0);
    if (led < 0) fail(child, RUNNER_SPAWN_SESSION);
    if (place_descriptors(options->descriptors) < 0) fail(child, RUNNER_SPAWN_DESCRIPTORS);
    if (set_limits(options->limits, options->limit_count) < 0) fail(child, RUNNER_SPAWN_LIMITS);
    if (options->change_user) {
        if (syscall(SET_GROUPS, options->group_count, options->groups) < 0) fail(child, RUNNER_SPAWN_GROUPS);
        if (syscall(SET_GROUP, options->gid, options->gid, options->gid) < 0) fail(child, RUNNER_SPAWN_GROUPS);
        if (syscall(SET_USER, options->uid, options->uid, options->uid) < 0) fail(child, RUNNER_SPAWN_USER);
    }
    // As the new user, so that its permissions decide.
    if (options->folder != NULL && syscall(SYS_chdir, options->folder) < 0) fail(child, RUNNER_SPAWN_FOLDER);
    if (options->death_signal != 0) {
        // A change of user clears the setting, so it comes after it.
        if (syscall(SYS_prctl, PR_SET_PDEATHSIG, options->death_signal, 0, 0, 0) < 0) {
            fail(child, RUNNER_SPAWN_DEATH_SIGNAL);
        }
        // The parent may have died before the setting took effect.
        if (syscall(SYS_getppid) != child->parent) {
            errno = ESRCH;
            fail(child, RUNNER_SPAWN_DEATH_SIGNAL);
        }
    }
    uint64_t none = 0;
    syscall(SYS_rt_sigprocmask, SIG_SETMASK, &none, NULL, KERNEL_SIGNAL_SET_BYTES);
    syscall(SYS_execve, options->executable, options->arguments, options->environment);
    fail(child, RUNNER_SPAWN_EXECUTE);
}

int runner_spawn(const struct runner_spawn_options *options, struct runner_spawn_result *result) {
    memset(result, 0, sizeof *result);
    result->pid = -1;
    result->pidfd = -1;

    for (size_t index = 0; index < options->limit_count; index++) {
        if (kernel_limit(options->limits[index].kind) < 0) {
            result->failed_step = RUNNER_SPAWN_LIMITS;
            result->error = EINVAL;
            return -1;
        }
    }
    char *stack = mmap(NULL, STACK_BYTES, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_STACK, -1, 0);
    if (stack == MAP_FAILED) {
        result->failed_step = RUNNER_SPAWN_PREPARE;
        result->error = errno;
        return -1;
    }

    // The kernel's own call, because the C library's keeps two of its signals open.
    uint64_t all = ~(uint64_t)0;
    uint64_t previous = 0;
    syscall(SYS_rt_sigprocmask, SIG_SETMASK, &all, &previous, KERNEL_SIGNAL_SET_BYTES);
    struct child child = {options, result, syscall(SYS_getpid)};
    int pidfd = -1;
    // CLONE_VFORK: this thread sleeps until the child has executed its program or is gone.
    int pid = __clone(run_child, stack + STACK_BYTES, CLONE_VM | CLONE_VFORK | CLONE_PIDFD | SIGCHLD, &child, &pidfd);
    int clone_error = errno;
    syscall(SYS_rt_sigprocmask, SIG_SETMASK, &previous, NULL, KERNEL_SIGNAL_SET_BYTES);
    munmap(stack, STACK_BYTES);

    if (pid < 0) {
        result->failed_step = RUNNER_SPAWN_CLONE;
        result->error = clone_error;
        return -1;
    }
    if (result->failed_step != 0) {
        // It is about to be gone; wait for that, so that nobody ever sees it.
        siginfo_t information;
        while (waitid(P_PID, (id_t)pid, &information, WEXITED) < 0 && errno == EINTR) continue;
        close(pidfd);
        return -1;
    }
    result->pid = pid;
    result->pidfd = pidfd;
    return 0;
}
