#include "CLinux.h"

#include <pthread.h>
#include <stdio.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

void runner_error_text(int code, char *buffer, size_t capacity) {
    if (capacity == 0) return;
    const char *text = strerror_r(code, buffer, capacity);
    if (text != buffer) {
        strncpy(buffer, text, capacity - 1);
        buffer[capacity - 1] = 0;
    }
}

int32_t runner_atomic_load(const int32_t *cell) {
    return __atomic_load_n(cell, __ATOMIC_ACQUIRE);
}

int32_t runner_atomic_exchange(int32_t *cell, int32_t value) {
    return __atomic_exchange_n(cell, value, __ATOMIC_ACQ_REL);
}

uint64_t runner_atomic_load_word(const uint64_t *cell) {
    return __atomic_load_n(cell, __ATOMIC_ACQUIRE);
}

void runner_atomic_store_word(uint64_t *cell, uint64_t value) {
    __atomic_store_n(cell, value, __ATOMIC_RELEASE);
}

void runner_name_thread(const char *name) {
    char cut[16];
    strncpy(cut, name, sizeof cut - 1);
    cut[sizeof cut - 1] = 0;
    pthread_setname_np(pthread_self(), cut);
}

void runner_buffer_output_by_lines(void) {
    setvbuf(stdout, NULL, _IOLBF, 0);
}

int runner_thread_identifier(void) {
    return (int)syscall(SYS_gettid);
}
