#pragma once

#include <stdbool.h>
#include <stddef.h>

/// Takes a job of Swift concurrency that would go to the default executor: true when it did.
typedef bool (*runner_job_taker)(void *_Nonnull job);

/// From now on the taker is asked for every such job of this process. Called once.
void runner_take_jobs(runner_job_taker _Nonnull taker);

/// Whether a job is a task, and not the work of an actor or a timer.
bool runner_job_is_task(const void *_Nonnull job);

/// Whether a task has been cancelled. The caller keeps it alive.
bool runner_task_is_cancelled(void *_Nonnull task);

/// Keeps a task alive, so that its address is not given to another one.
void runner_task_retain(void *_Nonnull task);
void runner_task_release(void *_Nonnull task);

/// What this thread was marked with last.
void *_Nullable runner_thread_mark(void);
void runner_mark_thread(void *_Nullable mark);
