// SQLite as the store uses it: the same settings, statements prepared once, values bound where they
// lie. What is measured and the one clock it is measured with.
#ifndef LARDER_FLOOR_DATABASE_H
#define LARDER_FLOOR_DATABASE_H
#include "dump.h"
#include <sqlite3.h>

struct database {
  sqlite3 *handle;
  int wal_frame_count; // after the last commit
  sqlite3_stmt *begin, *begin_writing, *commit;
  sqlite3_stmt *rows[STATEMENT_COUNT];
  int row_columns[STATEMENT_COUNT];
};

// Time passed and processor time used, in seconds.
struct watch {
  double wall, processor;
  double wall_begun, processor_begun;
};

struct database *database_open(const char *path);
void database_run(struct database *database, const char *sql);
// Runs the statements of a file.
void database_run_file(struct database *database, const char *path);
sqlite3_stmt *database_prepare(struct database *database, const char *sql);
// Steps a statement that gives no rows, and resets it.
void database_step(struct database *database, sqlite3_stmt *statement);
// Ends the program unless `code` is what was wanted.
void database_check(struct database *database, int code, int wanted);
// Prepares what writes the rows of the meal projection. `suffix` is that of the tables.
void database_prepare_rows(struct database *database, const char *suffix);
void database_write_row(struct database *database, const struct row *row);
// Moves the write-ahead log into the file if it has more than `byte_count`.
void database_checkpoint_above(struct database *database, int64_t byte_count, struct watch *watch);

void watch_start(struct watch *watch);
void watch_stop(struct watch *watch);
double watch_now(void);
void report(const char *name, double value);
void report_watch(const char *name, const struct watch *watch);
// The most memory the process had, in bytes.
void report_memory(void);
// Sorts the durations, in seconds, and reports their middle, 99th percentile and largest.
void report_durations(const char *name, double *durations, size_t count);
#endif
