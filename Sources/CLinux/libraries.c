// Looks for a function in a shared library the way the dynamic linker does: by the dynamic section and a hash table.

#include "library_file.h"
#include "library_hints.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum {
    MOST_DYNAMIC_ENTRIES = 65536,
    MOST_BUCKETS = 1 << 24,
    MOST_SYMBOLS = 1 << 21,
    MOST_NAME_BYTES = 1 << 26,
    LONGEST_NAME = 4096,
    PIECE = 256,
};

/// What the dynamic section says; an address is 0 when it is not there.
struct dynamic {
    uint64_t symbols, symbol_size, names, names_size, hash, gnu_hash, flags;
};

static int read_dynamic(struct library *library, struct dynamic *dynamic) {
    const ElfW(Phdr) *section = NULL;
    for (size_t index = 0; index < library->segment_count && section == NULL; index++) {
        if (library->segments[index].p_type == PT_DYNAMIC) section = &library->segments[index];
    }
    if (section == NULL) {
        return library_refuse(library, "Link it with -shared, and without -static.", "has no dynamic section");
    }
    memset(dynamic, 0, sizeof *dynamic);
    for (uint64_t index = 0; index < MOST_DYNAMIC_ENTRIES; index++) {
        ElfW(Dyn) entry;
        // The dynamic linker reads on until DT_NULL too, whatever size is stated.
        if (!library_read(library, section->p_vaddr + index * sizeof entry, &entry, sizeof entry)) break;
        switch (entry.d_tag) {
        case DT_NULL: return 0;
        case DT_SYMTAB: dynamic->symbols = entry.d_un.d_ptr; break;
        case DT_SYMENT: dynamic->symbol_size = entry.d_un.d_val; break;
        case DT_STRTAB: dynamic->names = entry.d_un.d_ptr; break;
        case DT_STRSZ: dynamic->names_size = entry.d_un.d_val; break;
        case DT_HASH: dynamic->hash = entry.d_un.d_ptr; break;
        case DT_GNU_HASH: dynamic->gnu_hash = entry.d_un.d_ptr; break;
        case DT_FLAGS_1: dynamic->flags = entry.d_un.d_val; break;
        }
    }
    return library_refuse_damaged(library, "its dynamic section has no end");
}

/// The symbols up to the last one that a GNU hash table knows. It knows those that are defined, which come last.
static int read_gnu_hash(const struct library *library, uint64_t address, uint64_t *end) {
    // The number of buckets, the first symbol, the number of words of the filter, a shift.
    uint32_t header[4];
    if (!library_read(library, address, header, sizeof header)) return 0;
    if (header[0] > MOST_BUCKETS || header[1] > MOST_SYMBOLS) return 0;
    uint64_t buckets = address + sizeof header + (uint64_t)header[2] * sizeof(ElfW(Addr));
    uint64_t chains = buckets + (uint64_t)header[0] * sizeof(uint32_t);
    uint64_t last = 0;
    for (uint64_t index = 0; index < header[0]; index += PIECE) {
        uint32_t piece[PIECE];
        uint64_t count = header[0] - index < PIECE ? header[0] - index : PIECE;
        if (!library_read(library, buckets + index * sizeof *piece, piece, count * sizeof *piece)) return 0;
        for (uint64_t entry = 0; entry < count; entry++) {
            if (piece[entry] > last) last = piece[entry];
        }
    }
    *end = header[1];
    if (last < header[1]) return 1;
    // The chain of the last bucket ends with the last symbol, whose word is odd.
    for (; last < MOST_SYMBOLS; last++) {
        uint32_t word;
        if (!library_read(library, chains + (last - header[1]) * sizeof word, &word, sizeof word)) return 0;
        if (word & 1) {
            *end = last + 1;
            return 1;
        }
    }
    return 0;
}

/// The symbols that the older kind of hash table knows.
static int read_hash(const struct library *library, uint64_t address, uint64_t *end) {
    // The number of buckets, the number of symbols.
    uint32_t header[2];
    if (!library_read(library, address, header, sizeof header) || header[1] > MOST_SYMBOLS) return 0;
    *end = header[1];
    return 1;
}

static int read_names(struct library *library, const struct dynamic *dynamic) {
    if (dynamic->names_size > MOST_NAME_BYTES) {
        return library_refuse_damaged(library, "the names of its symbols have no end");
    }
    library->names = malloc(dynamic->names_size + 1);
    if (library->names == NULL) return library_refuse(library, "Free some memory.", "cannot be read: no memory");
    if (!library_read(library, dynamic->names, library->names, dynamic->names_size)) {
        return library_refuse_damaged(library, "the names of its symbols are not in it");
    }
    // Names end where the table ends, whatever is in it.
    library->names[dynamic->names_size] = 0;
    library->names_size = dynamic->names_size;
    return 0;
}

/// Whether a symbol is the wanted function, as the dynamic linker would find it; if not, what it tells is noted.
static int is_wanted(
    const struct library *library, const ElfW(Sym) *symbol, const char *function, struct library_hints *hints
) {
    if (symbol->st_name >= library->names_size) return 0;
    const char *name = library->names + symbol->st_name;
    int is_named = strcmp(name, function) == 0;
    if (symbol->st_shndx == SHN_UNDEF) {
        hints->is_undefined |= is_named;
        return 0;
    }
    unsigned binding = ELF64_ST_BIND(symbol->st_info), visibility = ELF64_ST_VISIBILITY(symbol->st_other);
    int is_exported = (binding == STB_GLOBAL || binding == STB_WEAK || binding == STB_GNU_UNIQUE)
        && (visibility == STV_DEFAULT || visibility == STV_PROTECTED);
    if (!is_exported) return 0;
    unsigned type = ELF64_ST_TYPE(symbol->st_info);
    int is_function = type == STT_FUNC || type == STT_GNU_IFUNC;
    if (is_named && !is_function) hints->is_no_function = 1;
    // A name may have no end but the table's, and millions of symbols may have it.
    size_t length = strnlen(name, LONGEST_NAME);
    if (!is_named && is_function && length < LONGEST_NAME) library_note_function(hints, name, length, function);
    return is_named && is_function;
}

static int find(struct library *library, const char *function) {
    struct dynamic dynamic;
    uint64_t end;
    if (read_dynamic(library, &dynamic)) return 1;
    if (dynamic.flags & DF_1_PIE) {
        return library_refuse(library, LIBRARY_LINK_FIX, "is an executable and no shared library");
    }
    if (dynamic.flags & DF_1_NOOPEN) {
        return library_refuse(library, "Link it without -z nodlopen.", "is linked so that it cannot be loaded");
    }
    int is_described = dynamic.symbols != 0 && dynamic.symbol_size == sizeof(ElfW(Sym)) && dynamic.names != 0;
    if (!is_described || (dynamic.gnu_hash == 0 && dynamic.hash == 0)) {
        return library_refuse_damaged(library, "it has no table of symbols");
    }
    int is_readable = dynamic.gnu_hash != 0 ? read_gnu_hash(library, dynamic.gnu_hash, &end)
                                            : read_hash(library, dynamic.hash, &end);
    if (!is_readable) return library_refuse_damaged(library, "its table of symbols has no end");
    if (read_names(library, &dynamic)) return 1;
    struct library_hints hints = {0};
    // The first symbol is none.
    for (uint64_t index = 1; index < end; index += PIECE) {
        ElfW(Sym) piece[PIECE];
        uint64_t count = end - index < PIECE ? end - index : PIECE;
        if (!library_read(library, dynamic.symbols + index * sizeof *piece, piece, count * sizeof *piece)) {
            return library_refuse_damaged(library, "its table of symbols is not in it");
        }
        for (uint64_t symbol = 0; symbol < count; symbol++) {
            if (is_wanted(library, &piece[symbol], function, &hints)) return 0;
        }
    }
    return library_refuse_without(library, function, &hints);
}

int runner_examine_library(const char *path, const char *function, struct runner_library_problem *problem) {
    struct library library = {.problem = problem};
    memset(problem, 0, sizeof *problem);
    // Nonblocking, so that a named pipe cannot hold us; a regular file does not mind.
    library.descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NOCTTY | O_NONBLOCK);
    if (library.descriptor < 0) {
        if (errno == ENOENT || errno == ENOTDIR) {
            return library_refuse(&library, "Put it there, or correct the path.", "does not exist");
        }
        char reason[128];
        runner_error_text(errno, reason, sizeof reason);
        return library_refuse(&library, "Let the runner's user read it.", "cannot be read: %s", reason);
    }
    int result = library_read_headers(&library) || find(&library, function);
    free(library.names);
    free(library.segments);
    close(library.descriptor);
    return result;
}
