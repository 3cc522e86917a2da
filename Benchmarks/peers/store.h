/* The store of Runner in plain C: the same pragmas, tables and statements, so that only the code around them differs. */
#ifndef BENCH_STORE_H
#define BENCH_STORE_H

#include "common.h"
#include <sqlite3.h>

#define REQUEST_COLUMNS                                                                             \
    "app TEXT NOT NULL, traits INTEGER NOT NULL, floor INTEGER, title TEXT, subtitle TEXT,"         \
    "submitted_at INTEGER NOT NULL, submitted_boot INTEGER NOT NULL, boot TEXT NOT NULL,"           \
    "submission INTEGER NOT NULL, attempts INTEGER NOT NULL, postponements INTEGER NOT NULL,"       \
    "backoff_until INTEGER"
#define REQUEST_NAMES                                                                               \
    "identifier, app, traits, floor, title, subtitle, submitted_at, submitted_boot, boot,"          \
    "submission, attempts, postponements, backoff_until"

static const char *const boot = "3a1c9d52-4f0e-4b1e-9a57-2f8f4c6f7a10";

static inline void check(sqlite3 *database, int code) {
    if (code == SQLITE_OK || code == SQLITE_ROW || code == SQLITE_DONE) return;
    fprintf(stderr, "sqlite: %s\n", sqlite3_errmsg(database));
    exit(1);
}

static inline sqlite3_stmt *prepare(sqlite3 *database, const char *text) {
    sqlite3_stmt *statement;
    check(database, sqlite3_prepare_v3(database, text, -1, SQLITE_PREPARE_PERSISTENT, &statement, NULL));
    return statement;
}

static inline void run(sqlite3 *database, sqlite3_stmt *statement) {
    check(database, sqlite3_step(statement));
    sqlite3_reset(statement);
}

static inline sqlite3 *open_store(const char *path, int makes_tables) {
    sqlite3 *database;
    int flags = SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE | SQLITE_OPEN_NOMUTEX;
    check(NULL, sqlite3_open_v2(path, &database, flags, NULL));
    check(database, sqlite3_exec(database,
        "PRAGMA locking_mode = EXCLUSIVE; PRAGMA page_size = 1024; PRAGMA journal_mode = WAL;"
        "PRAGMA synchronous = FULL; PRAGMA foreign_keys = OFF; PRAGMA temp_store = MEMORY;"
        "PRAGMA wal_autocheckpoint = 1000; PRAGMA journal_size_limit = 4194304;", NULL, NULL, NULL));
    if (makes_tables)
        check(database, sqlite3_exec(database,
            "CREATE TABLE requests (identifier TEXT PRIMARY KEY, " REQUEST_COLUMNS ") WITHOUT ROWID;"
            "CREATE TABLE runs (run INTEGER PRIMARY KEY, identifier TEXT NOT NULL, " REQUEST_COLUMNS ","
            " origin INTEGER NOT NULL, attempt INTEGER NOT NULL, state INTEGER NOT NULL,"
            " claim_cancelled INTEGER NOT NULL, waited INTEGER NOT NULL, waits TEXT,"
            " started_at INTEGER NOT NULL, started_boot INTEGER NOT NULL, ended_at INTEGER, ended_boot INTEGER,"
            " budget INTEGER, expired_at INTEGER, reason INTEGER, message TEXT, progress REAL, progress_title TEXT,"
            " progress_subtitle TEXT, exit_code INTEGER, exit_signal INTEGER, process_group INTEGER,"
            " process_start INTEGER, process_boot TEXT, diagnostics TEXT);"
            "CREATE INDEX runs_by_identifier ON runs (identifier, run, submission);"
            "CREATE INDEX runs_unfinished ON runs (run) WHERE state < 3;"
            "CREATE INDEX runs_ended ON runs (ended_at, state) WHERE state >= 3;", NULL, NULL, NULL));
    return database;
}

/* Binds a request's columns, as the parameters from `first` on. */
static inline void bind_request(
    sqlite3_stmt *statement, int first, const char *identifier, int64_t floor, int64_t submission) {
    int64_t wall = nanoseconds(CLOCK_REALTIME) / 1000000;
    sqlite3_bind_text(statement, first, identifier, -1, SQLITE_STATIC);
    sqlite3_bind_text(statement, first + 1, "com.example.bench", -1, SQLITE_STATIC);
    sqlite3_bind_int64(statement, first + 2, 0);
    sqlite3_bind_int64(statement, first + 3, floor);
    sqlite3_bind_null(statement, first + 4);
    sqlite3_bind_null(statement, first + 5);
    sqlite3_bind_int64(statement, first + 6, wall);
    sqlite3_bind_int64(statement, first + 7, nanoseconds(CLOCK_BOOTTIME) / 1000000);
    sqlite3_bind_text(statement, first + 8, boot, -1, SQLITE_STATIC);
    sqlite3_bind_int64(statement, first + 9, submission);
    sqlite3_bind_int64(statement, first + 10, 0);
    sqlite3_bind_int64(statement, first + 11, 0);
    sqlite3_bind_null(statement, first + 12);
}

#endif
