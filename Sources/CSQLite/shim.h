// SQLite as LarderSQL sees it. Variadic C calls get a static inline shim here.
#ifndef LARDER_CSQLITE_SHIM_H
#define LARDER_CSQLITE_SHIM_H
#include <errno.h>
#include <sqlite3.h>

// Switches one of the boolean SQLITE_DBCONFIG options (`sqlite3_db_config` is variadic).
static inline int larder_sqlite3_configure(sqlite3 *database, int option, int on) {
    return sqlite3_db_config(database, option, on, (int *)0);
}

// Whether the last failed system call of `database` failed for want of disk space. SQLite reports
// that as SQLITE_FULL where it writes, and as an I/O error where it extends the shared memory file.
static inline int larder_sqlite3_ran_out_of_space(sqlite3 *database) {
    int code = sqlite3_system_errno(database);
    return code == ENOSPC || code == EDQUOT;
}
#endif
