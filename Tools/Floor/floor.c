// The floor of the benchmark: the least a program can do that keeps the same rows in the same
// tables. It computes the hashes of the log and writes what LarderBench worked out; it encodes,
// decodes and folds nothing. One command is one measurement, in a process of its own, reported as
// "name value" lines; times are in seconds, sizes in bytes.
#include "log.h"
#include <sodium.h>
#include <stdlib.h>
#include <string.h>

static const int64_t wal_byte_count_max = 16 << 20;

// MARK: The log

// One transaction: the events, the rows unless only the log is wanted, and the chain's new end.
static void log_write(struct log *log, const struct chunk *chunk, int log_only) {
  struct database *database = log->database;
  uint8_t root[32];
  database_step(database, database->begin_writing);
  for (size_t i = 0; i < chunk->event_count; i++) log_append(log, &chunk->events[i]);
  log_finish(log);
  if (!log_only) {
    for (size_t i = 0; i < chunk->row_count; i++) database_write_row(database, &chunk->rows[i]);
    sqlite3_bind_blob(log->update_projection, 1, chunk->digest, 16, SQLITE_STATIC);
    database_step(database, log->update_projection);
  }
  chain_root(&log->chain, root);
  sqlite3_bind_int64(log->update_chain, 1, (int64_t)log->chain.size);
  sqlite3_bind_blob(log->update_chain, 2, root, 32, SQLITE_STATIC);
  sqlite3_bind_blob(log->update_chain, 3, log->chain.nodes, log->chain.node_count * 32,
                    SQLITE_STATIC);
  database_step(database, log->update_chain);
  sqlite3_bind_int64(log->update_device, 1, (int64_t)chunk->hlc);
  database_step(database, log->update_device);
  database_step(database, database->commit);
}

static void append(char **argument, int log_only) {
  struct database *database = database_open(argument[0]);
  database_run_file(database, argument[1]);
  FILE *dump = dump_open(argument[2]);
  struct chunk chunk = {0};
  struct watch work = {0}, checkpoints = {0};
  struct log log;
  log_open(&log, database);
  database_prepare_rows(database, "");
  while (dump_next(dump, &chunk)) {
    watch_start(&work);
    log_write(&log, &chunk, log_only);
    watch_stop(&work);
    database_checkpoint_above(database, wal_byte_count_max, &checkpoints);
  }
  database_checkpoint_above(database, 0, &checkpoints);
  report_watch("work", &work);
  report_watch("checkpoints", &checkpoints);
}

// MARK: Single captures

static void capture(char **argument) {
  static double durations[100000], checkpoints[100000];
  size_t count = 0, checkpoint_count = 0;
  struct database *database = database_open(argument[0]);
  FILE *dump = dump_open(argument[1]);
  size_t skipped = (size_t)atol(argument[2]);
  int64_t wal_max = atol(argument[3]);
  struct chunk chunk = {0};
  struct watch all = {0};
  struct log log;
  log_open(&log, database);
  database_prepare_rows(database, "");
  while (dump_next(dump, &chunk) && count < 100000) {
    double begun = watch_now();
    watch_start(&all);
    log_write(&log, &chunk, 0);
    watch_stop(&all);
    if (skipped > 0) {
      skipped--;
      memset(&all, 0, sizeof all);
    } else {
      durations[count++] = watch_now() - begun;
    }
    struct watch checkpoint = {0};
    database_checkpoint_above(database, wal_max, &checkpoint);
    if (checkpoint.wall > 0) checkpoints[checkpoint_count++] = checkpoint.wall;
  }
  report_durations("capture", durations, count);
  report_durations("checkpoint", checkpoints, checkpoint_count);
  report("processor", all.processor / (double)(count ? count : 1));
}

// MARK: Rebuilding

static void look(void *context, const uint8_t *header, size_t header_count, const uint8_t *payload,
                 size_t payload_count) {
  uint64_t *sum = context;
  *sum += header[0] + header[header_count - 1];
  if (payload_count > 0) *sum += payload[0] + payload[payload_count - 1];
}

// Reads all events, as a rebuild has to, and looks at their bytes.
static void read_log(struct database *database, struct watch *watch) {
  uint64_t sum = 0;
  watch_start(watch);
  log_read(database, look, &sum);
  watch_stop(watch);
  if (sum == 0) fail("log", "is empty");
}

static void rebuild(char **argument) {
  struct database *database = database_open(argument[0]);
  struct watch rows = {0}, indexes = {0}, swap = {0}, reading = {0};
  struct chunk chunk = {0};
  read_log(database, &reading);
  FILE *dump = dump_open(argument[1]);
  database_run_file(database, argument[2]);
  database_prepare_rows(database, "_g2");
  while (dump_next(dump, &chunk)) {
    watch_start(&rows);
    database_step(database, database->begin_writing);
    for (size_t i = 0; i < chunk.row_count; i++) database_write_row(database, &chunk.rows[i]);
    database_step(database, database->commit);
    watch_stop(&rows);
    database_checkpoint_above(database, wal_byte_count_max, &rows);
  }
  for (int i = 0; i < STATEMENT_COUNT; i++) sqlite3_finalize(database->rows[i]);
  watch_start(&indexes);
  database_run_file(database, argument[3]);
  watch_stop(&indexes);
  database_checkpoint_above(database, wal_byte_count_max, &indexes);
  watch_start(&swap);
  sqlite3_db_config(database->handle, SQLITE_DBCONFIG_ENABLE_FKEY, 0, NULL);
  database_step(database, database->begin_writing);
  database_run_file(database, argument[4]);
  database_step(database, database->commit);
  watch_stop(&swap);
  report("work.wall", rows.wall + indexes.wall + swap.wall);
  report("work.processor", rows.processor + indexes.processor + swap.processor);
  report_watch("rows", &rows);
  report_watch("indexes", &indexes);
  report_watch("swap", &swap);
  report_watch("reading", &reading);
}

// MARK: Reading

// Looks at every column of every row.
static size_t read_rows(sqlite3_stmt *select, const char *day) {
  size_t count = 0;
  sqlite3_bind_text(select, 1, day, -1, SQLITE_STATIC);
  while (sqlite3_step(select) == SQLITE_ROW) {
    int column_count = sqlite3_data_count(select);
    for (int i = 0; i < column_count; i++) {
      switch (sqlite3_column_type(select, i)) {
      case SQLITE_INTEGER: count += sqlite3_column_int64(select, i) == INT64_MIN; break;
      case SQLITE_TEXT: count += sqlite3_column_text(select, i) == NULL; break;
      }
    }
    count++;
  }
  sqlite3_reset(select);
  return count;
}

static void day(char **argument) {
  static char days[4096][16];
  static double durations[1 << 20];
  size_t day_count = 0, count = 0, row_count = 0;
  struct database *database = database_open(argument[0]);
  FILE *file = fopen(argument[1], "r");
  while (file && day_count < 4096 && fscanf(file, "%15s", days[day_count]) == 1) day_count++;
  sqlite3_stmt *entries = database_prepare(
      database, "SELECT * FROM MealEntries WHERE day = ? ORDER BY consumedAt, id");
  sqlite3_stmt *logs = database_prepare(
      database, "SELECT * FROM NutritionLogs WHERE day = ? ORDER BY consumedAt, id");
  struct watch all = {0};
  for (int pass = 0; pass <= atoi(argument[2]); pass++) {
    if (pass == 1) watch_start(&all); // The first one warms the cache.
    for (size_t i = 0; i < day_count; i++) {
      double begun = watch_now();
      database_step(database, database->begin);
      row_count += read_rows(entries, days[i]) + read_rows(logs, days[i]);
      database_step(database, database->commit);
      if (pass > 0 && count < 1 << 20) durations[count++] = watch_now() - begun;
    }
  }
  watch_stop(&all);
  report_durations("day", durations, count);
  report("processor", all.processor / (double)(count ? count : 1));
  report("rows", (double)row_count);
}

static void hash_event(void *context, const uint8_t *header, size_t header_count,
                       const uint8_t *payload, size_t payload_count) {
  struct chain *chain = context;
  uint8_t leaf[32];
  if (chain->size % BLOCK_EVENTS == 0) chain_seed(chain->size / BLOCK_EVENTS, chain->seed);
  chain_append(chain, header, header_count, payload, payload_count, leaf);
}

// Computes every leaf and the root anew.
static void verify(char **argument) {
  struct database *database = database_open(argument[0]);
  struct chain chain = {0};
  struct watch work = {0};
  uint8_t root[32];
  watch_start(&work);
  log_read(database, hash_event, &chain);
  chain_root(&chain, root);
  watch_stop(&work);
  sqlite3_stmt *stated = database_prepare(database, "SELECT root FROM _chains WHERE id = 1");
  database_check(database, sqlite3_step(stated), SQLITE_ROW);
  if (memcmp(sqlite3_column_blob(stated, 0), root, 32)) fail("log", "has another root");
  report_watch("work", &work);
}

// Bytes of the pages of the log's tables and of their indexes, and of the whole file.
static void size(char **argument) {
  struct database *database = database_open(argument[0]);
  sqlite3_stmt *select = database_prepare(
      database,
      "SELECT sum(iif(m.type = 'index' OR m.name = '_streams', 0, s.pgsize)),"
      "  sum(iif(m.type = 'index' OR m.name = '_streams', s.pgsize, 0))"
      " FROM dbstat s JOIN sqlite_schema m USING (name)"
      " WHERE m.tbl_name IN ('_blocks', '_tail', '_streams', '_seeds', '_edges', '_chains',"
      " '_device') AND s.aggregate = TRUE");
  database_check(database, sqlite3_step(select), SQLITE_ROW);
  report("log", sqlite3_column_double(select, 0));
  report("logIndex", sqlite3_column_double(select, 1));
  sqlite3_finalize(select);
  select = database_prepare(database, "SELECT page_count * page_size FROM pragma_page_count,"
                                      " pragma_page_size");
  database_check(database, sqlite3_step(select), SQLITE_ROW);
  report("file", sqlite3_column_double(select, 0));
}

// A hash over all rows of the tables both sides write: equal if both did the same.
static void tables(char **argument) {
  static const char *const queries[] = {
      "SELECT * FROM _tail ORDER BY chain, seq",    "SELECT * FROM _seeds ORDER BY chain, block",
      "SELECT * FROM _blocks ORDER BY block",       "SELECT * FROM _streams ORDER BY stream, block",
      "SELECT size, root, frontier FROM _chains",   "SELECT hlc FROM _device",
      "SELECT * FROM MealEntries ORDER BY id",      "SELECT * FROM NutritionLogs ORDER BY id",
      "SELECT * FROM _folded_meals ORDER BY stream",
      "SELECT digest FROM _projections WHERE name = 'meals'",
  };
  struct database *database = database_open(argument[0]);
  crypto_generichash_blake2b_state state;
  uint8_t output[16];
  crypto_generichash_blake2b_init(&state, NULL, 0, sizeof output);
  for (size_t i = 0; i < sizeof queries / sizeof *queries; i++) {
    sqlite3_stmt *select = database_prepare(database, queries[i]);
    while (sqlite3_step(select) == SQLITE_ROW) {
      for (int j = 0; j < sqlite3_data_count(select); j++) {
        int32_t head[2] = {sqlite3_column_type(select, j)};
        const void *bytes = sqlite3_column_blob(select, j); // numbers as their text
        head[1] = sqlite3_column_bytes(select, j);
        crypto_generichash_blake2b_update(&state, (const uint8_t *)head, sizeof head);
        if (bytes)
          crypto_generichash_blake2b_update(&state, bytes, (unsigned long long)head[1]);
      }
    }
    sqlite3_finalize(select);
  }
  crypto_generichash_blake2b_final(&state, output, sizeof output);
  printf("tables ");
  for (size_t i = 0; i < sizeof output; i++) printf("%02x", output[i]);
  printf("\n");
}

int main(int count, char **argument) {
  if (sodium_init() < 0) fail("libsodium", "cannot start");
  const char *command = count > 1 ? argument[1] : "";
  char **rest = argument + 2;
  if (!strcmp(command, "append") && count == 5) append(rest, 0);
  else if (!strcmp(command, "log") && count == 5) append(rest, 1);
  else if (!strcmp(command, "capture") && count == 6) capture(rest);
  else if (!strcmp(command, "rebuild") && count == 7) rebuild(rest);
  else if (!strcmp(command, "day") && count == 5) day(rest);
  else if (!strcmp(command, "verify") && count == 3) verify(rest);
  else if (!strcmp(command, "size") && count == 3) size(rest);
  else if (!strcmp(command, "tables") && count == 3) tables(rest);
  else fail("floor", "is run by Tools/bench");
  report_memory();
  return 0;
}
