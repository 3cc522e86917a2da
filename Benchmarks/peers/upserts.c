/* upserts FOLDER IDENTIFIERS SECONDS: durable upserts of one row a transaction, one after the other. */
#include "store.h"

int main(int count, char **arguments) {
    if (count != 4) return 2;
    char path[4096];
    snprintf(path, sizeof path, "%s/upserts.sqlite", arguments[1]);
    sqlite3 *database = open_store(path, 1);
    sqlite3_stmt *begin = prepare(database, "BEGIN IMMEDIATE"), *commit = prepare(database, "COMMIT");
    sqlite3_stmt *put = prepare(database,
        "INSERT OR REPLACE INTO requests (" REQUEST_NAMES ") VALUES (?1,?2,?3,?4,?5,?6,?7,?8,?9,?10,?11,?12,?13)");
    long identifiers = strtol(arguments[2], NULL, 10);
    struct samples samples = {0};
    int64_t begun = now(), counting_from = begun + 200000000;
    int64_t until = counting_from + (int64_t)(strtod(arguments[3], NULL) * 1e9), time = begun;
    for (int64_t submission = 1; time < until; submission++) {
        char identifier[64];
        snprintf(identifier, sizeof identifier, "com.example.bench.task%04ld", (long)(submission % identifiers));
        run(database, begin);
        bind_request(put, 1, identifier, 4102444800000, submission);
        run(database, put);
        run(database, commit);
        int64_t ended = now();
        if (ended >= counting_from) add_sample(&samples, ended - time);
        time = ended;
    }
    double rate = (double)samples.count / ((double)(time - counting_from) / 1e9);
    double median = percentile(&samples, 50) / 1e3, late = percentile(&samples, 99) / 1e3;
    printf("{\"rate\": %.0f, \"p50\": %.2f, \"p99\": %.2f}\n", rate, median, late);
    return 0;
}
