#include "library_hints.h"

#include <stdio.h>
#include <string.h>

static size_t least(size_t one, size_t other) {
    return one < other ? one : other;
}

/// How many bytes must be inserted, removed or exchanged to make one name of the other, which is not too long.
static size_t distance(const char *one, size_t one_length, const char *other, size_t other_length) {
    size_t row[LONGEST_NEAR_NAME + 1];
    for (size_t column = 0; column <= other_length; column++) row[column] = column;
    for (size_t line = 1; line <= one_length; line++) {
        size_t diagonal = row[0];
        row[0] = line;
        for (size_t column = 1; column <= other_length; column++) {
            size_t above = row[column];
            size_t exchanged = diagonal + (one[line - 1] != other[column - 1]);
            row[column] = least(exchanged, least(above, row[column - 1]) + 1);
            diagonal = above;
        }
    }
    return row[other_length];
}

/// Whether a person can read and write the name.
static int is_plain(const char *name, size_t length) {
    for (size_t index = 0; index < length; index++) {
        char byte = name[index];
        int is_letter = (byte >= 'a' && byte <= 'z') || (byte >= 'A' && byte <= 'Z') || byte == '_';
        if (!is_letter && !(byte >= '0' && byte <= '9')) return 0;
    }
    return length > 0;
}

void library_note_function(struct library_hints *hints, const char *name, size_t length, const char *wanted) {
    size_t wanted_length = strlen(wanted);
    if (length > wanted_length && strstr(name, wanted) != NULL) {
        if (strncmp(name, "_Z", 2) == 0) hints->is_mangled_cxx = 1;
        if (strncmp(name, "$s", 2) == 0) hints->is_mangled_swift = 1;
    }
    size_t difference = length > wanted_length ? length - wanted_length : wanted_length - length;
    if (difference > FARTHEST_NEAR_NAME || length > LONGEST_NEAR_NAME || !is_plain(name, length)) return;
    size_t away = distance(wanted, wanted_length, name, length);
    int is_nearer = hints->nearest[0] == 0 || away < hints->distance;
    if (away > FARTHEST_NEAR_NAME || !is_nearer) return;
    hints->distance = away;
    memcpy(hints->nearest, name, length);
    hints->nearest[length] = 0;
}

int library_refuse_without(struct library *library, const char *function, const struct library_hints *hints) {
    char fix[sizeof library->problem->fix];
    if (hints->is_no_function) {
        return library_refuse(
            library, "Make it a C function, int (int).", "exports %s, but not as a function", function);
    }
    if (hints->is_undefined) {
        return library_refuse(
            library, "Link what defines it into the library.", "calls %s and does not define it", function);
    }
    if (hints->is_mangled_swift) {
        snprintf(fix, sizeof fix, "Mark it @_cdecl(\"%s\").", function);
        return library_refuse(library, fix, "exports %s as a Swift function only", function);
    }
    if (hints->is_mangled_cxx) {
        return library_refuse(library, "Declare it extern \"C\".", "exports %s as a C++ function only", function);
    }
    if (hints->nearest[0] != 0) {
        snprintf(fix, sizeof fix, "Rename %s to %s.", hints->nearest, function);
        return library_refuse(
            library, fix, "does not export the function %s; the nearest is %s", function, hints->nearest);
    }
    snprintf(
        fix, sizeof fix, "Export int %s(int): in Swift with @_cdecl(\"%s\"), in C with default visibility.", function,
        function);
    return library_refuse(library, fix, "does not export the function %s", function);
}
