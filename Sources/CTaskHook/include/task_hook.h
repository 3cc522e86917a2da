#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/// Takes a job of Swift concurrency that would go to the default executor: true when it did.
typedef bool (*runner_job_taker)(void *_Nonnull job);

/// From now on the taker is asked for every such job of this process. Called once.
void runner_take_jobs(runner_job_taker _Nonnull taker);

/// A serial executor, as the runtime passes it: an `UnownedSerialExecutor` has the same two words.
struct runner_executor {
    uintptr_t identity;
    uintptr_t implementation;
};

/// From now on that is the executor of the main actor, and counts as the main one. Called once; it must live for ever, and
/// run its jobs on the main queue.
void runner_take_main_executor(struct runner_executor executor);

/// Whether a job is a task, and not the work of an actor or a timer.
bool runner_job_is_task(const void *_Nonnull job);

/// Whether a task can be kept alive: not one of an `async let`, which lives in the memory of the task around it.
bool runner_task_can_be_kept(const void *_Nonnull task);

/// The number of a task, which another one at the same address does not have.
uint32_t runner_task_number(const void *_Nonnull task);

/// Whether a task has been cancelled. It must be alive.
bool runner_task_is_cancelled(void *_Nonnull task);

/// Cancels a task, whose cancellation handlers run here. It must be alive.
void runner_task_cancel(void *_Nonnull task);

/// Gives a job to the default executor; the taker is asked first.
void runner_enqueue(void *_Nonnull job);

/// Keeps a task alive, so that its address is not given to another one.
void runner_task_retain(void *_Nonnull task);
void runner_task_release(void *_Nonnull task);

/// What this thread was marked with last.
void *_Nullable runner_thread_mark(void);
void runner_mark_thread(void *_Nullable mark);
