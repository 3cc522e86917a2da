#include "task_hook.h"

#include <stdatomic.h>

// Declared by the runtime's own headers (swift/Runtime/Concurrency.h), which the toolchain does not install.
#define SWIFT_CALL __attribute__((swiftcall))

typedef SWIFT_CALL void (*enqueue)(void *job);
typedef SWIFT_CALL void (*enqueue_hook)(void *job, enqueue original);
typedef SWIFT_CALL struct runner_executor (*get_main)(void);
typedef SWIFT_CALL struct runner_executor (*get_main_hook)(get_main original);
typedef SWIFT_CALL bool (*is_main)(struct runner_executor executor);
typedef SWIFT_CALL bool (*is_main_hook)(struct runner_executor executor, is_main original);

extern enqueue_hook swift_task_enqueueGlobal_hook;
extern get_main_hook swift_task_getMainExecutor_hook;
extern is_main_hook swift_task_isMainExecutor_hook;
extern SWIFT_CALL void swift_task_enqueueGlobal(void *job);
extern SWIFT_CALL bool swift_task_isCancelled(void *task);
extern SWIFT_CALL void swift_task_cancel(void *task);
extern void *swift_retain(void *object);
extern void swift_release(void *object);

// The head of a job, as the runtime lays it out (swift/ABI/Task.h).
struct job_head {
    void *object[2];
    void *scheduler_private[2];
    uint32_t flags;
    uint32_t number;
};

// The bit Task_IsAsyncLetTask (swift/ABI/MetadataValues.h).
static const uint32_t task_is_async_let = UINT32_C(1) << 28;

static _Atomic(runner_job_taker) current_taker;
static _Thread_local void *mark;
static struct runner_executor main_executor;

static SWIFT_CALL void take(void *job, enqueue original) {
    runner_job_taker taker = atomic_load(&current_taker);
    if (!taker || !taker(job))
        original(job);
}

void runner_take_jobs(runner_job_taker taker) {
    atomic_store(&current_taker, taker);
    __atomic_store_n(&swift_task_enqueueGlobal_hook, take, __ATOMIC_RELEASE);
}

static SWIFT_CALL struct runner_executor get_main_executor(get_main original) {
    (void)original;
    return main_executor;
}

static SWIFT_CALL bool is_main_executor(struct runner_executor executor, is_main original) {
    return executor.identity == main_executor.identity || original(executor);
}

void runner_take_main_executor(struct runner_executor executor) {
    // Who sees a hook has to see the executor too.
    main_executor = executor;
    __atomic_store_n(&swift_task_isMainExecutor_hook, is_main_executor, __ATOMIC_RELEASE);
    __atomic_store_n(&swift_task_getMainExecutor_hook, get_main_executor, __ATOMIC_RELEASE);
}

bool runner_job_is_task(const void *job) {
    return (((const struct job_head *)job)->flags & 0xff) == 0;
}

bool runner_task_can_be_kept(const void *task) {
    return (((const struct job_head *)task)->flags & task_is_async_let) == 0;
}

uint32_t runner_task_number(const void *task) {
    return ((const struct job_head *)task)->number;
}

bool runner_task_is_cancelled(void *task) {
    return swift_task_isCancelled(task);
}

void runner_task_cancel(void *task) {
    swift_task_cancel(task);
}

void runner_enqueue(void *job) {
    swift_task_enqueueGlobal(job);
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
