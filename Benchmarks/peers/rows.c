/* rows DATABASE: opens a store of Runner and reads every pending request, each column; says how long that took. */
#include "store.h"

int main(int count, char **arguments) {
    if (count != 2) return 2;
    int64_t begun = now();
    sqlite3 *database = open_store(arguments[1], 0);
    sqlite3_stmt *rows = prepare(database, "SELECT " REQUEST_NAMES " FROM requests");
    int64_t read = 0, bytes = 0;
    while (sqlite3_step(rows) == SQLITE_ROW) {
        read++;
        for (int column = 0; column < 13; column++) {
            switch (sqlite3_column_type(rows, column)) {
            case SQLITE_INTEGER: bytes += sqlite3_column_int64(rows, column) & 1; break;
            case SQLITE_TEXT:
                if (sqlite3_column_text(rows, column)) bytes += sqlite3_column_bytes(rows, column);
                break;
            default: break;
            }
        }
    }
    sqlite3_finalize(rows);
    sqlite3_close(database);
    printf("{\"milliseconds\": %.3f, \"rows\": %ld, \"bytes\": %ld}\n", (double)(now() - begun) / 1e6, (long)read, (long)bytes);
    return 0;
}
