// The work both sides of the benchmark do, as LarderBench wrote it down: events and the rows they
// fold to, chunk by chunk. Numbers are of this machine's byte order: the file is read where it was
// written.
#ifndef LARDER_FLOOR_DUMP_H
#define LARDER_FLOOR_DUMP_H
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

// What a row does to the tables; the numbers LarderBench writes.
enum {
  INSERT_ENTRY,
  INSERT_LOG,
  INSERT_STREAM,
  UPDATE_ENTRY,
  UPDATE_LOG,
  UPDATE_STREAM,
  DELETE_ENTRY,
  DELETE_LOG,
  STATEMENT_COUNT
};

enum { VALUE_NULL, VALUE_INTEGER, VALUE_TEXT, VALUE_BLOB };

struct value {
  uint8_t type;
  uint32_t count; // bytes of a text or blob
  int64_t integer;
  const uint8_t *bytes;
};

struct event {
  const uint8_t *stream; // 16 bytes
  const uint8_t *header, *payload;
  uint32_t header_count, payload_count;
};

struct row {
  uint8_t statement, value_count;
  const struct value *values;
};

// One transaction.
struct chunk {
  uint64_t hlc;          // after its last event
  const uint8_t *digest; // 16 bytes: of the projection after it
  size_t event_count, row_count;
  const struct event *events;
  const struct row *rows;
  void *memory[4];
};

// Opens a dump; ends the program if it is none.
FILE *dump_open(const char *path);
// Reads the next chunk into memory, in place of the one before; 0 at the end.
int dump_next(FILE *file, struct chunk *chunk);
// Ends the program with a message.
_Noreturn void fail(const char *what, const char *why);
#endif
