// The bytes of a shared library, and what its headers say. Nothing in the file is trusted: every place is checked
// against the file's size, and every count has a bound.

#ifndef RUNNER_LIBRARY_FILE_H
#define RUNNER_LIBRARY_FILE_H

#include "CLinux.h"

#include <link.h>

struct library {
    int descriptor;
    uint64_t size;
    ElfW(Phdr) *segments;
    size_t segment_count;
    char *names;
    uint64_t names_size;
    struct runner_library_problem *problem;
};

/// What makes a shared library of an executable.
#define LIBRARY_LINK_FIX "Link it with -shared; in a Swift package make it a library product of type .dynamic."

#pragma GCC visibility push(hidden)

/// Writes down what is wrong, and returns 1.
__attribute__((format(printf, 3, 4)))
int library_refuse(struct library *library, const char *fix, const char *format, ...);
int library_refuse_damaged(struct library *library, const char *what);

/// Checks that the file is a shared library for this machine and has all its segments: 0, or 1 with what is wrong.
int library_read_headers(struct library *library);

/// Reads what would be at an address once the library was loaded; 0 when the file does not have all of it.
int library_read(const struct library *library, uint64_t address, void *buffer, uint64_t count);

#pragma GCC visibility pop

#endif
