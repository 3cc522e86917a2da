/* Which branches of an instrumented program are taken; counts nothing in one that is not instrumented. */
#ifndef CCOVERAGE_H
#define CCOVERAGE_H

#include <stddef.h>

/* Branches that can be counted; 0 when the program was built without -sanitize-coverage=edge,trace-pc-guard. */
size_t coverage_branches(void);

/* Branches that were taken by now, as far as `coverage_take` was told. */
size_t coverage_reached(void);

/* What the calling thread does from now on does not count. */
void coverage_ignore_thread(void);

/* Forgets what was counted since the last call. */
void coverage_reset(void);

/* The same, and says how much of it was new: branches taken for the first time, or oftener by a power of two than ever. */
size_t coverage_take(void);

#endif
