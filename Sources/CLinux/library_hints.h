// What the symbols of a library that lacks a function tell about the reason.

#ifndef RUNNER_LIBRARY_HINTS_H
#define RUNNER_LIBRARY_HINTS_H

#include "library_file.h"

enum {
    /// Names above this are not compared.
    LONGEST_NEAR_NAME = 63,
    /// How many bytes may have to be inserted, removed or exchanged in a near name.
    FARTHEST_NEAR_NAME = 6,
};

struct library_hints {
    int is_undefined, is_no_function, is_mangled_cxx, is_mangled_swift;
    /// How far the nearest name is; it is empty when none is near.
    size_t distance;
    char nearest[LONGEST_NEAR_NAME + 1];
};

#pragma GCC visibility push(hidden)

/// Notes a function that is exported under another name than the wanted one.
void library_note_function(struct library_hints *hints, const char *name, size_t length, const char *wanted);

/// Writes down why the function is not there, and returns 1.
int library_refuse_without(struct library *library, const char *function, const struct library_hints *hints);

#pragma GCC visibility pop

#endif
