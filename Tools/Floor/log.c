// Packing and reading the log.
#include "log.h"
#include <lz4.h>
#include <stdlib.h>
#include <string.h>

// MARK: The event sequence: two CBOR byte strings an event

static void append(struct log *log, const uint8_t *bytes, size_t count) {
  if (log->sequence_count + count + 8 > log->sequence_capacity) {
    log->sequence_capacity = 2 * (log->sequence_count + count + 8);
    log->sequence = realloc(log->sequence, log->sequence_capacity);
    if (log->sequence == NULL) fail("floor", "is out of memory");
  }
  uint8_t *end = log->sequence + log->sequence_count;
  if (count < 24) {
    *end++ = (uint8_t)(0x40 | count);
  } else if (count < 256) {
    *end++ = 0x58;
    *end++ = (uint8_t)count;
  } else {
    *end++ = 0x59;
    *end++ = (uint8_t)(count >> 8);
    *end++ = (uint8_t)count;
  }
  memcpy(end, bytes, count);
  log->sequence_count = (size_t)(end - log->sequence) + count;
}

static const uint8_t *string(const uint8_t **place, size_t *count) {
  const uint8_t *bytes = *place;
  uint8_t head = *bytes++;
  *count = head & 31;
  if (head == 0x58) *count = *bytes++;
  if (head == 0x59) *count = (size_t)bytes[0] << 8 | bytes[1], bytes += 2;
  *place = bytes + *count;
  return bytes;
}

// MARK: Writing

static void remember(struct log *log, const uint8_t *stream, const uint8_t *header,
                     size_t header_count, const uint8_t *payload, size_t payload_count) {
  append(log, header, header_count);
  append(log, payload, payload_count);
  memcpy(log->streams[log->count], stream, 16);
  log->count++;
}

// The tail rows of a block that an earlier program began.
static void load_tail(struct log *log) {
  sqlite3_stmt *select = database_prepare(
      log->database, "SELECT stream, header, payload, leaf FROM _tail ORDER BY seq");
  while (sqlite3_step(select) == SQLITE_ROW) {
    memcpy(log->leaves[log->count], sqlite3_column_blob(select, 3), 32);
    remember(log, sqlite3_column_blob(select, 0), sqlite3_column_blob(select, 1),
             (size_t)sqlite3_column_bytes(select, 1), sqlite3_column_blob(select, 2),
             (size_t)sqlite3_column_bytes(select, 2));
  }
  sqlite3_finalize(select);
  log->tail_count = log->count;
}

void log_open(struct log *log, struct database *database) {
  memset(log, 0, sizeof *log);
  log->database = database;
  sqlite3_stmt *select =
      database_prepare(database, "SELECT size, frontier FROM _chains WHERE id = 1");
  database_check(database, sqlite3_step(select), SQLITE_ROW);
  log->chain.size = (uint64_t)sqlite3_column_int64(select, 0);
  const void *frontier = sqlite3_column_blob(select, 1);
  log->chain.node_count = sqlite3_column_bytes(select, 1) / 32;
  if (frontier) memcpy(log->chain.nodes, frontier, (size_t)log->chain.node_count * 32);
  sqlite3_finalize(select);
  chain_seed(log->chain.size / BLOCK_EVENTS, log->chain.seed);
  load_tail(log);
  log->insert_tail = database_prepare(
      database,
      "INSERT INTO _tail(chain, seq, stream, header, payload, leaf) VALUES (1, ?, ?, ?, ?, ?)");
  log->delete_tail = database_prepare(database, "DELETE FROM _tail WHERE chain = 1 AND seq < ?");
  log->insert_block = database_prepare(
      database, "INSERT INTO _blocks(chain, block, first, count, root, marks, byteCount, data)"
                " VALUES (1, ?, ?, 512, ?, ?, ?, ?)");
  log->insert_stream =
      database_prepare(database, "INSERT INTO _streams(stream, chain, block) VALUES (?, 1, ?)");
  log->insert_seed =
      database_prepare(database, "INSERT INTO _seeds(chain, block, seed) VALUES (1, ?, ?)");
  log->update_chain = database_prepare(
      database, "UPDATE _chains SET size = ?, root = ?, frontier = ? WHERE id = 1");
  log->update_device = database_prepare(database, "UPDATE _device SET hlc = ?");
  log->update_projection =
      database_prepare(database, "UPDATE _projections SET digest = ? WHERE name = 'meals'");
}

static int by_bytes(const void *left, const void *right) { return memcmp(left, right, 16); }

static void pack(struct log *log) {
  struct database *database = log->database;
  sqlite3_int64 block = (sqlite3_int64)(log->chain.size / BLOCK_EVENTS) - 1;
  uint8_t root[32], marks[BLOCK_EVENTS][4];
  if (log->tail_count > 0) {
    sqlite3_bind_int64(log->delete_tail, 1, (sqlite3_int64)log->chain.size);
    database_step(database, log->delete_tail);
  }
  for (int i = 0; i < BLOCK_EVENTS; i++) memcpy(marks[i], log->leaves[i], 4);
  chain_tree(log->leaves, BLOCK_EVENTS, root);
  int bound = LZ4_compressBound((int)log->sequence_count);
  log->packed = realloc(log->packed, (size_t)bound);
  if (log->packed == NULL) fail("floor", "is out of memory");
  int count = LZ4_compress_default((const char *)log->sequence, log->packed,
                                   (int)log->sequence_count, bound);
  sqlite3_bind_int64(log->insert_block, 1, block);
  sqlite3_bind_int64(log->insert_block, 2, block * BLOCK_EVENTS);
  sqlite3_bind_blob(log->insert_block, 3, root, 32, SQLITE_STATIC);
  sqlite3_bind_blob(log->insert_block, 4, marks, sizeof marks, SQLITE_STATIC);
  sqlite3_bind_int64(log->insert_block, 5, (sqlite3_int64)log->sequence_count);
  sqlite3_bind_blob(log->insert_block, 6, log->packed, count, SQLITE_STATIC);
  database_step(database, log->insert_block);
  qsort(log->streams, BLOCK_EVENTS, 16, by_bytes);
  for (int i = 0; i < BLOCK_EVENTS; i++) {
    if (i > 0 && memcmp(log->streams[i], log->streams[i - 1], 16) == 0) continue;
    sqlite3_bind_blob(log->insert_stream, 1, log->streams[i], 16, SQLITE_STATIC);
    sqlite3_bind_int64(log->insert_stream, 2, block);
    database_step(database, log->insert_stream);
  }
  log->sequence_count = 0;
  log->count = log->tail_count = 0;
}

void log_append(struct log *log, const struct event *event) {
  struct chain *chain = &log->chain;
  if (chain->size % BLOCK_EVENTS == 0) {
    chain_seed(chain->size / BLOCK_EVENTS, chain->seed);
    sqlite3_bind_int64(log->insert_seed, 1, (sqlite3_int64)(chain->size / BLOCK_EVENTS));
    sqlite3_bind_blob(log->insert_seed, 2, chain->seed, 32, SQLITE_STATIC);
    database_step(log->database, log->insert_seed);
  }
  log->waiting[log->count] = event;
  chain_append(chain, event->header, event->header_count, event->payload, event->payload_count,
               log->leaves[log->count]);
  remember(log, event->stream, event->header, event->header_count, event->payload,
           event->payload_count);
  if (log->count == BLOCK_EVENTS) pack(log);
}

void log_finish(struct log *log) {
  for (int i = log->tail_count; i < log->count; i++) {
    const struct event *event = log->waiting[i];
    uint64_t seq = log->chain.size - (uint64_t)(log->count - i);
    sqlite3_stmt *insert = log->insert_tail;
    sqlite3_bind_int64(insert, 1, (sqlite3_int64)seq);
    sqlite3_bind_blob(insert, 2, event->stream, 16, SQLITE_STATIC);
    sqlite3_bind_blob(insert, 3, event->header, (int)event->header_count, SQLITE_STATIC);
    sqlite3_bind_blob(insert, 4, event->payload, (int)event->payload_count, SQLITE_STATIC);
    sqlite3_bind_blob(insert, 5, log->leaves[i], 32, SQLITE_STATIC);
    database_step(log->database, insert);
  }
  log->tail_count = log->count;
}

// MARK: Reading

void log_read(struct database *database, log_body *body, void *context) {
  char *sequence = NULL;
  sqlite3_stmt *blocks = database_prepare(
      database, "SELECT byteCount, data FROM _blocks WHERE chain = 1 ORDER BY block");
  while (sqlite3_step(blocks) == SQLITE_ROW) {
    int count = sqlite3_column_int(blocks, 0);
    sequence = realloc(sequence, (size_t)count);
    if (sequence == NULL) fail("floor", "is out of memory");
    if (LZ4_decompress_safe(sqlite3_column_blob(blocks, 1), sequence,
                            sqlite3_column_bytes(blocks, 1), count) != count)
      fail("block", "cannot be unpacked");
    const uint8_t *place = (const uint8_t *)sequence, *end = place + count;
    while (place < end) {
      size_t header_count, payload_count;
      const uint8_t *header = string(&place, &header_count);
      const uint8_t *payload = string(&place, &payload_count);
      body(context, header, header_count, payload, payload_count);
    }
  }
  sqlite3_finalize(blocks);
  free(sequence);
  sqlite3_stmt *tail =
      database_prepare(database, "SELECT header, payload FROM _tail WHERE chain = 1 ORDER BY seq");
  while (sqlite3_step(tail) == SQLITE_ROW)
    body(context, sqlite3_column_blob(tail, 0), (size_t)sqlite3_column_bytes(tail, 0),
         sqlite3_column_blob(tail, 1), (size_t)sqlite3_column_bytes(tail, 1));
  sqlite3_finalize(tail);
}
