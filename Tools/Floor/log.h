// The log in C: tail rows, and packed blocks once a block is full. SPEC.md, "Blocks".
#ifndef LARDER_FLOOR_LOG_H
#define LARDER_FLOOR_LOG_H
#include "chain.h"
#include "database.h"

enum { BLOCK_EVENTS = 512 };

struct log {
  struct database *database;
  struct chain chain;
  // The block being filled: its event sequence, leaves and streams, tail rows included.
  uint8_t *sequence;
  size_t sequence_count, sequence_capacity;
  uint8_t leaves[BLOCK_EVENTS][32], streams[BLOCK_EVENTS][16];
  int count;      // events in it
  int tail_count; // of those, the ones that are tail rows already
  const struct event *waiting[BLOCK_EVENTS]; // the others, of this transaction
  char *packed;
  sqlite3_stmt *insert_tail, *delete_tail, *insert_block, *insert_stream;
  sqlite3_stmt *insert_seed, *update_chain, *update_device, *update_projection;
};

// Goes on where the database is; its chain's row is there.
void log_open(struct log *log, struct database *database);
// Adds an event, and packs its block if that is full.
void log_append(struct log *log, const struct event *event);
// Writes the tail rows of the events that were added and not packed.
void log_finish(struct log *log);

// Calls `body` for each event of the chain in its order, out of blocks and tail.
typedef void log_body(void *context, const uint8_t *header, size_t header_count,
                      const uint8_t *payload, size_t payload_count);
void log_read(struct database *database, log_body *body, void *context);
#endif
