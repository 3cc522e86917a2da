#include "CLinux.h"

#include <errno.h>
#include <signal.h>
#include <string.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#ifndef P_PIDFD
#define P_PIDFD 3
#endif

int runner_pidfd_open(int32_t pid) {
    int descriptor = (int)syscall(SYS_pidfd_open, pid, 0);
    return descriptor < 0 ? -errno : descriptor;
}

int runner_pidfd_signal(int pidfd, int signal) {
    return syscall(SYS_pidfd_send_signal, pidfd, signal, NULL, 0) < 0 ? -errno : 0;
}

int runner_pidfd_reap(int pidfd, struct runner_exit_status *status) {
    siginfo_t information;
    memset(&information, 0, sizeof information);
    int result;
    do result = waitid((idtype_t)P_PIDFD, (id_t)pidfd, &information, WEXITED | WNOHANG);
    while (result < 0 && errno == EINTR);
    if (result < 0) return -errno;
    if (information.si_pid == 0) return 0;
    status->signalled = information.si_code != CLD_EXITED;
    status->value = information.si_status;
    return 1;
}
