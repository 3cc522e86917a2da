#include "CCoverage.h"
#include <stdbool.h>
#include <stdint.h>

/* The callbacks are called all the time, so they are not themselves looked after by a sanitizer. */
#define PLAIN __attribute__((no_sanitize("address", "thread")))

enum { most_branches = 1 << 19 };

/* Indexed by branch, from 1 on. */
static _Alignas(8) uint8_t counts[most_branches];
/* A bit for each class of counts that was seen: once, twice, three times, up to 7, 15, 31, 127, and more. */
static uint8_t seen[most_branches];
static uint32_t branches;
static size_t reached;
static __thread bool is_ignored;

void __sanitizer_cov_trace_pc_guard_init(uint32_t *start, uint32_t *stop);
void __sanitizer_cov_trace_pc_guard(uint32_t *guard);

/* Called for each module, some of them more than once. */
PLAIN void __sanitizer_cov_trace_pc_guard_init(uint32_t *start, uint32_t *stop) {
    if (start == stop || *start) return;
    for (uint32_t *guard = start; guard < stop && branches < most_branches - 1; guard++) *guard = ++branches;
}

/* Threads may lose each other's counts, which does no harm. */
PLAIN void __sanitizer_cov_trace_pc_guard(uint32_t *guard) {
    if (is_ignored) return;
    uint8_t *count = &counts[*guard];
    uint8_t value = __atomic_load_n(count, __ATOMIC_RELAXED);
    if (value < UINT8_MAX) __atomic_store_n(count, value + 1, __ATOMIC_RELAXED);
}

size_t coverage_branches(void) { return branches; }

size_t coverage_reached(void) { return reached; }

void coverage_ignore_thread(void) { is_ignored = true; }

PLAIN static uint8_t class_of(uint8_t count) {
    if (count <= 3) return (uint8_t)(1u << (count - 1));
    return count <= 7 ? 8 : count <= 15 ? 16 : count <= 31 ? 32 : count <= 127 ? 64 : 128;
}

PLAIN static size_t take(bool notes) {
    size_t new = 0;
    for (uint32_t start = 0; start <= branches; start += 8) {
        uint64_t *group = (uint64_t *)(void *)&counts[start];
        if (__atomic_load_n(group, __ATOMIC_RELAXED) == 0) continue;
        for (uint32_t branch = start; branch < start + 8; branch++) {
            uint8_t count = __atomic_exchange_n(&counts[branch], 0, __ATOMIC_RELAXED);
            /* 0 is the place of guards that have no number. */
            if (!notes || count == 0 || branch == 0) continue;
            uint8_t class = class_of(count);
            if (seen[branch] & class) continue;
            if (seen[branch] == 0) reached++;
            seen[branch] |= class;
            new++;
        }
    }
    return new;
}

void coverage_reset(void) { take(false); }

size_t coverage_take(void) { return take(true); }
