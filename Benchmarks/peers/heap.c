/* heap COUNT: an indexed heap of bare entries: the bytes of each, and what it costs to replace a random one. */
#include "common.h"

/* What a scheduler cannot do without: the deadline, the order among equals, and the request's own values. */
struct entry {
    int64_t floor, submitted, submission;
    uint64_t name;
};
struct node {
    int64_t key, tie;
    int32_t slot;
};

static struct node *nodes;
static int32_t *positions, count;
static struct entry *entries;

static int precedes(const struct node *left, const struct node *right) {
    return left->key != right->key ? left->key < right->key : left->tie < right->tie;
}

static void put(int32_t index, struct node node) {
    nodes[index] = node;
    positions[node.slot] = index;
}

static void sift(int32_t index, struct node node) {
    while (index > 0) {
        int32_t parent = (index - 1) / 4;
        if (!precedes(&node, &nodes[parent])) break;
        put(index, nodes[parent]);
        index = parent;
    }
    for (;;) {
        int32_t first = index * 4 + 1, least = first;
        if (first >= count) break;
        for (int32_t child = first + 1; child < first + 4 && child < count; child++)
            if (precedes(&nodes[child], &nodes[least])) least = child;
        if (!precedes(&nodes[least], &node)) break;
        put(index, nodes[least]);
        index = least;
    }
    put(index, node);
}

static void insert(int32_t slot, int64_t key, int64_t tie) {
    entries[slot] = (struct entry){key, tie, tie, (uint64_t)slot};
    sift(count++, (struct node){key, tie, slot});
}

static void take(int32_t slot) {
    int32_t index = positions[slot];
    struct node last = nodes[--count];
    if (index < count) sift(index, last);
}

static uint64_t state = 0x9E3779B97F4A7C15;
static uint64_t number(void) {
    state ^= state << 13;
    state ^= state >> 7;
    state ^= state << 17;
    return state;
}

static long resident(void) {
    long pages = 0, ignored;
    FILE *file = fopen("/proc/self/statm", "r");
    if (!file || fscanf(file, "%ld %ld", &ignored, &pages) != 2) fail("statm");
    fclose(file);
    return pages * sysconf(_SC_PAGESIZE);
}

int main(int argument_count, char **arguments) {
    if (argument_count != 2) return 2;
    int32_t size = (int32_t)strtol(arguments[1], NULL, 10);
    long before = resident();
    nodes = malloc((size_t)size * sizeof *nodes);
    positions = malloc((size_t)size * sizeof *positions);
    entries = malloc((size_t)size * sizeof *entries);
    for (int32_t slot = 0; slot < size; slot++) insert(slot, (int64_t)(number() >> 20), slot);
    double bytes = (double)(resident() - before) / size;
    int rounds = 200000;
    int64_t begun = now();
    for (int round = 0; round < rounds; round++) {
        int32_t slot = (int32_t)(number() % (uint64_t)size);
        take(slot);
        insert(slot, (int64_t)(number() >> 20), size + round);
    }
    printf("{\"bytes\": %.0f, \"microseconds\": %.3f}\n", bytes, (double)(now() - begun) / rounds / 1e3);
    return 0;
}
