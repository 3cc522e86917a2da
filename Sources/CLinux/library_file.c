#include "library_file.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/// The header of the program that this code is in, which the linker defines. It tells what this machine runs.
extern const ElfW(Ehdr) __ehdr_start __attribute__((visibility("hidden")));

enum { MOST_SEGMENTS = 1024 };

int library_refuse(struct library *library, const char *fix, const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(library->problem->words, sizeof library->problem->words, format, arguments);
    va_end(arguments);
    snprintf(library->problem->fix, sizeof library->problem->fix, "%s", fix);
    return 1;
}

int library_refuse_damaged(struct library *library, const char *what) {
    return library_refuse(library, "Build it again.", "is damaged: %s", what);
}

static int refuse_cut_off(struct library *library) {
    return library_refuse(
        library, "Copy or build it again.", "is cut off after %llu bytes", (unsigned long long)library->size);
}

// MARK: Bytes

/// Whether so many bytes are there; then they have been read.
static int read_at(const struct library *library, uint64_t offset, void *buffer, uint64_t count) {
    if (offset > library->size || count > library->size - offset) return 0;
    uint8_t *rest = buffer;
    while (count > 0) {
        ssize_t got = pread(library->descriptor, rest, count, (off_t)offset);
        if (got < 0 && errno == EINTR) continue;
        // It may have become shorter since it was opened.
        if (got <= 0) return 0;
        rest += got;
        offset += (uint64_t)got;
        count -= (uint64_t)got;
    }
    return 1;
}

int library_read(const struct library *library, uint64_t address, void *buffer, uint64_t count) {
    for (size_t index = 0; index < library->segment_count; index++) {
        const ElfW(Phdr) *segment = &library->segments[index];
        if (segment->p_type != PT_LOAD || address < segment->p_vaddr) continue;
        uint64_t distance = address - segment->p_vaddr;
        if (distance > segment->p_filesz || count > segment->p_filesz - distance) continue;
        return read_at(library, segment->p_offset + distance, buffer, count);
    }
    return 0;
}

// MARK: Headers

static const char *machine_name(unsigned machine, char buffer[24]) {
    switch (machine) {
    case EM_386: return "i386";
    case EM_X86_64: return "x86_64";
    case EM_ARM: return "arm";
    case EM_AARCH64: return "aarch64";
    case EM_RISCV: return "riscv";
    case EM_PPC64: return "powerpc64";
    case EM_S390: return "s390";
    }
    snprintf(buffer, 24, "machine %u", machine);
    return buffer;
}

/// Checks whom the file is for.
static int check_machine(struct library *library, const ElfW(Ehdr) *header) {
    const ElfW(Ehdr) *own = &__ehdr_start;
    const char *fix = "Build it on this machine, or for it.";
    if (header->e_ident[EI_DATA] != own->e_ident[EI_DATA]) {
        return library_refuse(library, fix, "is built for a machine with another byte order");
    }
    if (header->e_machine != own->e_machine) {
        char theirs[24], ours[24];
        return library_refuse(
            library, fix, "is built for %s, and this machine is %s", machine_name(header->e_machine, theirs),
            machine_name(own->e_machine, ours));
    }
    if (header->e_ident[EI_CLASS] != own->e_ident[EI_CLASS]) {
        int bits = own->e_ident[EI_CLASS] == ELFCLASS64 ? 64 : 32;
        return library_refuse(library, fix, "is not built for %d bits, as programs on this machine are", bits);
    }
    unsigned char system = header->e_ident[EI_OSABI];
    if (system != ELFOSABI_SYSV && system != ELFOSABI_GNU) {
        return library_refuse(library, "Build it for Linux.", "is built for another system than Linux");
    }
    return 0;
}

static int check_header(struct library *library, ElfW(Ehdr) *header) {
    memset(header, 0, sizeof *header);
    uint64_t there = library->size < sizeof *header ? library->size : sizeof *header;
    if (there == 0) return library_refuse(library, "Copy or build it again.", "is empty");
    if (!read_at(library, 0, header, there)) return library_refuse(library, "Look at the disk.", "cannot be read");
    if (memcmp(header->e_ident, ELFMAG, there < SELFMAG ? there : SELFMAG) != 0) {
        return library_refuse(library, "Name a shared library, such as a linker makes with -shared.", "is no ELF file");
    }
    if (there < sizeof *header) return refuse_cut_off(library);
    if (check_machine(library, header)) return 1;
    if (header->e_ident[EI_VERSION] != EV_CURRENT || header->e_version != EV_CURRENT) {
        return library_refuse_damaged(library, "there is no such version of ELF");
    }
    switch (header->e_type) {
    case ET_DYN: return 0;
    case ET_EXEC: return library_refuse(library, LIBRARY_LINK_FIX, "is an executable and no shared library");
    case ET_REL: return library_refuse(library, LIBRARY_LINK_FIX, "is an object file that is not linked yet");
    default: return library_refuse(library, LIBRARY_LINK_FIX, "is no shared library");
    }
}

static int read_segments(struct library *library, const ElfW(Ehdr) *header) {
    if (header->e_phentsize != sizeof(ElfW(Phdr)) || header->e_phnum == 0 || header->e_phnum > MOST_SEGMENTS) {
        return library_refuse_damaged(library, "it has no table of segments");
    }
    uint64_t bytes = (uint64_t)header->e_phnum * sizeof(ElfW(Phdr));
    library->segments = malloc(bytes);
    if (library->segments == NULL) return library_refuse(library, "Free some memory.", "cannot be read: no memory");
    if (!read_at(library, header->e_phoff, library->segments, bytes)) return refuse_cut_off(library);
    library->segment_count = header->e_phnum;
    for (size_t index = 0; index < library->segment_count; index++) {
        const ElfW(Phdr) *segment = &library->segments[index];
        if (segment->p_type != PT_LOAD) continue;
        int is_there = segment->p_offset <= library->size && segment->p_filesz <= library->size - segment->p_offset;
        if (!is_there) return refuse_cut_off(library);
    }
    return 0;
}

int library_read_headers(struct library *library) {
    struct stat status;
    if (fstat(library->descriptor, &status) < 0) return library_refuse(library, "Look at the disk.", "cannot be read");
    if (S_ISDIR(status.st_mode)) return library_refuse(library, "Name a file.", "is a folder");
    if (!S_ISREG(status.st_mode)) return library_refuse(library, "Name a file.", "is not a regular file");
    library->size = (uint64_t)status.st_size;
    ElfW(Ehdr) header;
    return check_header(library, &header) || read_segments(library, &header);
}
