// Opening, statements, and the clock.
#include "database.h"
#include <stdlib.h>
#include <string.h>
#include <time.h>

void database_check(struct database *database, int code, int wanted) {
  if (code != wanted) fail("SQLite", sqlite3_errmsg(database->handle));
}

static int note_wal(void *context, sqlite3 *handle, const char *name, int frame_count) {
  (void)handle, (void)name;
  ((struct database *)context)->wal_frame_count = frame_count;
  return SQLITE_OK;
}

static void configure(struct database *database, int option, int on) {
  database_check(database, sqlite3_db_config(database->handle, option, on, NULL), SQLITE_OK);
}

struct database *database_open(const char *path) {
  struct database *database = calloc(1, sizeof *database);
  if (!database) fail(path, "no memory");
  int flags = SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE | SQLITE_OPEN_NOMUTEX |
              SQLITE_OPEN_EXRESCODE;
  if (sqlite3_open_v2(path, &database->handle, flags, NULL)) fail(path, "cannot be opened");
  sqlite3_wal_hook(database->handle, note_wal, database);
  sqlite3_busy_timeout(database->handle, 5000);
  configure(database, SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, 1);
  configure(database, SQLITE_DBCONFIG_ENABLE_FKEY, 1);
  configure(database, SQLITE_DBCONFIG_DEFENSIVE, 1);
  configure(database, SQLITE_DBCONFIG_TRUSTED_SCHEMA, 0);
  configure(database, SQLITE_DBCONFIG_ENABLE_QPSG, 1);
  database_run(database,
               "PRAGMA mmap_size = 0; PRAGMA cell_size_check = ON; PRAGMA temp_store = FILE;"
               "PRAGMA page_size = 4096; PRAGMA auto_vacuum = NONE; PRAGMA journal_mode = WAL;"
               "PRAGMA synchronous = FULL; PRAGMA secure_delete = FAST; PRAGMA cache_size = -8192");
  database->begin = database_prepare(database, "BEGIN");
  database->begin_writing = database_prepare(database, "BEGIN IMMEDIATE");
  database->commit = database_prepare(database, "COMMIT");
  return database;
}

void database_run(struct database *database, const char *sql) {
  database_check(database, sqlite3_exec(database->handle, sql, NULL, NULL, NULL), SQLITE_OK);
}

void database_run_file(struct database *database, const char *path) {
  static char sql[64 * 1024];
  FILE *file = fopen(path, "rb");
  if (!file) fail(path, "cannot be opened");
  size_t count = fread(sql, 1, sizeof sql - 1, file);
  if (!feof(file)) fail(path, "is too long");
  fclose(file);
  sql[count] = 0;
  database_run(database, sql);
}

sqlite3_stmt *database_prepare(struct database *database, const char *sql) {
  sqlite3_stmt *statement = NULL;
  int code = sqlite3_prepare_v3(database->handle, sql, -1, SQLITE_PREPARE_PERSISTENT, &statement,
                                NULL);
  database_check(database, code, SQLITE_OK);
  return statement;
}

void database_step(struct database *database, sqlite3_stmt *statement) {
  int code = sqlite3_step(statement);
  if (code != SQLITE_DONE) fail("SQLite", sqlite3_errmsg(database->handle));
  sqlite3_reset(statement);
}

struct columns {
  int count;
  char names[128][64];
};

static void read_columns(struct database *database, const char *table, struct columns *columns) {
  char query[192];
  snprintf(query, sizeof query, "SELECT name FROM pragma_table_info('%s') ORDER BY cid", table);
  sqlite3_stmt *select = database_prepare(database, query);
  columns->count = 0;
  while (sqlite3_step(select) == SQLITE_ROW) {
    if (columns->count == 128) fail(table, "has too many columns");
    snprintf(columns->names[columns->count++], sizeof columns->names[0], "%s",
             (const char *)sqlite3_column_text(select, 0));
  }
  sqlite3_finalize(select);
}

// INSERT INTO table VALUES (?, …)
static sqlite3_stmt *prepare_insert(struct database *database, const char *table,
                                    const struct columns *columns) {
  static char sql[16 * 1024];
  size_t used = (size_t)snprintf(sql, sizeof sql, "INSERT INTO %s VALUES (?", table);
  for (int i = 1; i < columns->count; i++)
    used += (size_t)snprintf(sql + used, sizeof sql - used, ", ?");
  snprintf(sql + used, sizeof sql - used, ")");
  return database_prepare(database, sql);
}

// UPDATE table SET second = ?2, … WHERE first = ?1
static sqlite3_stmt *prepare_update(struct database *database, const char *table,
                                    const struct columns *columns) {
  static char sql[16 * 1024];
  size_t used = (size_t)snprintf(sql, sizeof sql, "UPDATE %s SET ", table);
  for (int i = 1; i < columns->count; i++)
    used += (size_t)snprintf(sql + used, sizeof sql - used, "%s%s = ?%d", i == 1 ? "" : ", ",
                             columns->names[i], i + 1);
  snprintf(sql + used, sizeof sql - used, " WHERE %s = ?1", columns->names[0]);
  return database_prepare(database, sql);
}

// A live table has its own name, one of another generation the generation in front.
static void table_name(char *text, size_t size, const char *generation, const char *table) {
  const char *between = generation[0] && table[0] != '_' ? "_" : "";
  snprintf(text, size, "%s%s%s", generation, between, table);
}

void database_prepare_rows(struct database *database, const char *generation) {
  static const char *const tables[] = {"MealEntries", "NutritionLogs", "_folded_meals"};
  static const int deleting[] = {DELETE_ENTRY, DELETE_LOG};
  static struct columns columns;
  char text[128];
  for (int i = 0; i < 3; i++) {
    table_name(text, sizeof text, generation, tables[i]);
    read_columns(database, text, &columns);
    database->rows[INSERT_ENTRY + i] = prepare_insert(database, text, &columns);
    database->rows[UPDATE_ENTRY + i] = prepare_update(database, text, &columns);
    database->row_columns[INSERT_ENTRY + i] = columns.count;
    database->row_columns[UPDATE_ENTRY + i] = columns.count;
  }
  for (int i = 0; i < 2; i++) {
    char name[64];
    table_name(name, sizeof name, generation, tables[i]);
    snprintf(text, sizeof text, "DELETE FROM %s WHERE id = ?", name);
    database->rows[deleting[i]] = database_prepare(database, text);
    database->row_columns[deleting[i]] = 1;
  }
}

void database_write_row(struct database *database, const struct row *row) {
  sqlite3_stmt *statement = database->rows[row->statement];
  if (row->value_count != database->row_columns[row->statement])
    fail("dump", "does not fit the tables");
  sqlite3_clear_bindings(statement);
  for (int i = 0; i < row->value_count; i++) {
    const struct value *value = &row->values[i];
    switch (value->type) {
    case VALUE_INTEGER: sqlite3_bind_int64(statement, i + 1, value->integer); break;
    case VALUE_TEXT:
      sqlite3_bind_text(statement, i + 1, (const char *)value->bytes, (int)value->count,
                        SQLITE_STATIC);
      break;
    case VALUE_BLOB:
      sqlite3_bind_blob(statement, i + 1, value->bytes, (int)value->count, SQLITE_STATIC);
      break;
    }
  }
  database_step(database, statement);
}

void database_checkpoint_above(struct database *database, int64_t byte_count, struct watch *watch) {
  if (32 + (int64_t)database->wal_frame_count * (4096 + 24) <= byte_count) return;
  watch_start(watch);
  int code = sqlite3_wal_checkpoint_v2(database->handle, "main", SQLITE_CHECKPOINT_PASSIVE, NULL,
                                       NULL);
  watch_stop(watch);
  database_check(database, code, SQLITE_OK);
}

// MARK: Measuring

static double seconds(clockid_t clock) {
  struct timespec time;
  clock_gettime(clock, &time);
  return (double)time.tv_sec + (double)time.tv_nsec / 1e9;
}

double watch_now(void) { return seconds(CLOCK_MONOTONIC); }

void watch_start(struct watch *watch) {
  watch->processor_begun = seconds(CLOCK_PROCESS_CPUTIME_ID);
  watch->wall_begun = watch_now();
}

void watch_stop(struct watch *watch) {
  watch->wall += watch_now() - watch->wall_begun;
  watch->processor += seconds(CLOCK_PROCESS_CPUTIME_ID) - watch->processor_begun;
}

void report(const char *name, double value) { printf("%s %.9g\n", name, value); }

void report_watch(const char *name, const struct watch *watch) {
  printf("%s.wall %.9g\n%s.processor %.9g\n", name, watch->wall, name, watch->processor);
}

void report_memory(void) {
  char line[256];
  long kilobytes = 0;
  FILE *file = fopen("/proc/self/status", "r");
  while (file && fgets(line, sizeof line, file)) sscanf(line, "VmHWM: %ld", &kilobytes);
  if (file) fclose(file);
  if (kilobytes > 0) report("memory", (double)kilobytes * 1024);
}

static int compare(const void *left, const void *right) {
  double a = *(const double *)left, b = *(const double *)right;
  return a < b ? -1 : a > b;
}

void report_durations(const char *name, double *durations, size_t count) {
  if (count == 0) return;
  qsort(durations, count, sizeof *durations, compare);
  printf("%s.p50 %.9g\n", name, durations[count / 2]);
  printf("%s.p99 %.9g\n", name, durations[count - 1 - count / 100]);
  printf("%s.max %.9g\n", name, durations[count - 1]);
}
