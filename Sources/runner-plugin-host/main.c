// Runs a plugin that is a shared library, in a process of its own. It is C, and has no Swift runtime, so that a library
// brings its own: two of them in one process do not get on, and no library has to match ours.

#include "CLinux.h"

#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// SwiftPM links every program with Swift's library. What stands in this section comes before it on the linker's line:
// what nothing refers to stays out then.
__attribute__((section(".swift1_autolink_entries"), used)) static const char link_options[] = "-Wl,--as-needed";

static const char program[] = "runner-plugin-host";
static const char entry_point[] = "runner_plugin_main";
static const char variable[] = "RUNNER_PLUGIN_FD";

enum { NOT_LOADED = 2 };

static const char help[] =
    "runner-plugin-host LIBRARY [ARGUMENT...]\n"
    "\n"
    "Loads a shared library and calls its function int runner_plugin_main(int fd), which\n"
    "speaks Runner's plugin protocol on the descriptor. runnerd starts it; there is\n"
    "nothing to start by hand. To load a library, put it into a bundle:\n"
    "\n"
    "    mail.plugin/Info.json   { \"RunnerPlugin\": { \"library\": \"libMail.so\" }, ... }\n"
    "    mail.plugin/libMail.so\n"
    "\n"
    "Check the bundle with \"runnerctl manifest check mail.plugin\", and name the folder\n"
    "that it is in: \"runnerd --plugins FOLDER\".\n"
    "\n"
    "Exit status: what the function returns; 2 when the library cannot be loaded, with\n"
    "the reason on standard error.\n";

/// The open descriptor that the variable names, else -1 with a complaint.
static int plugin_descriptor(const char *text) {
    char *end;
    errno = 0;
    long number = strtol(text, &end, 10);
    int is_number = text[0] >= '0' && text[0] <= '9' && *end == 0 && errno == 0 && number <= INT_MAX;
    int flags = is_number ? fcntl((int)number, F_GETFD) : -1;
    if (flags < 0) {
        fprintf(stderr, "%s: %s=%s names no open descriptor; let runnerd start this.\n", program, variable, text);
        return -1;
    }
    // What the library starts must not keep the channel open.
    fcntl((int)number, F_SETFD, flags | FD_CLOEXEC);
    return (int)number;
}

/// A name without a slash would be searched for in the system's folders.
static const char *path_of(const char *name) {
    if (strchr(name, '/') != NULL) return name;
    size_t size = strlen(name) + sizeof "./";
    char *path = malloc(size);
    if (path == NULL) return name;
    snprintf(path, size, "./%s", name);
    return path;
}

int main(int count, char **arguments) {
    if (count == 2 && strcmp(arguments[1], "--help") == 0) {
        fputs(help, stdout);
        return 0;
    }
    const char *text = getenv(variable);
    if (text == NULL || count < 2) {
        fputs(help, stderr);
        return NOT_LOADED;
    }
    int descriptor = plugin_descriptor(text);
    if (descriptor < 0) return NOT_LOADED;

    const char *path = path_of(arguments[1]);
    struct runner_library_problem problem;
    if (runner_examine_library(path, entry_point, &problem)) {
        fprintf(stderr, "%s: %s %s. %s\n", program, path, problem.words, problem.fix);
        return NOT_LOADED;
    }
    void *library = dlopen(path, RTLD_NOW | RTLD_LOCAL);
    if (library == NULL) {
        const char *reason = dlerror();
        fprintf(
            stderr, "%s: %s cannot be loaded: %s. Install what it needs, or link that into the library.\n", program,
            path, reason != NULL ? reason : "the linker does not say why");
        return NOT_LOADED;
    }
    int (*plugin_main)(int) = (int (*)(int))dlsym(library, entry_point);
    if (plugin_main == NULL) {
        const char *reason = dlerror();
        fprintf(
            stderr, "%s: %s does not give out %s: %s. Build it again.\n", program, path, entry_point,
            reason != NULL ? reason : "it is empty");
        return NOT_LOADED;
    }
    // The library stays: its threads may run until the process ends.
    return plugin_main(descriptor);
}
