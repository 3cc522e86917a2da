#include "task_hook.h"

#include <stdatomic.h>
#include <stdint.h>

// Declared by the runtime's own headers (swift/Runtime/Concurrency.h), which the toolchain does not install.
#define SWIFT_CALL __attribute__((swiftcall))

typedef SWIFT_CALL void (*enqueue)(void *job);
typedef SWIFT_CALL void (*enqueue_hook)(void *job, enqueue original);

extern enqueue_hook swift_task_enqueueGlobal_hook;
extern SWIFT_CALL bool swift_task_isCancelled(void *task);
extern void *swift_retain(void *object);
extern void swift_release(void *object);

// The head of a job, as the runtime lays it out (swift/ABI/Task.h).
struct job_head {
    void *object[2];
    void *scheduler_private[2];
    uint32_t flags;
};

static _Atomic(runner_job_taker) current_taker;
static _Thread_local void *mark;

static SWIFT_CALL void take(void *job, enqueue original) {
    runner_job_taker taker = atomic_load(&current_taker);
    if (!taker || !taker(job))
        original(job);
}

void runner_take_jobs(runner_job_taker taker) {
    atomic_store(&current_taker, taker);
    swift_task_enqueueGlobal_hook = take;
}

bool runner_job_is_task(const void *job) {
    return (((const struct job_head *)job)->flags & 0xff) == 0;
}

bool runner_task_is_cancelled(void *task) {
    return swift_task_isCancelled(task);
}

void runner_task_retain(void *task) {
    swift_retain(task);
}

void runner_task_release(void *task) {
    swift_release(task);
}

void *runner_thread_mark(void) {
    return mark;
}

void runner_mark_thread(void *new_mark) {
    mark = new_mark;
}
