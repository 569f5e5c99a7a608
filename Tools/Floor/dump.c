// Reads the dump. Nothing here is timed.
#include "dump.h"
#include <stdlib.h>
#include <string.h>

static const char magic[8] = "LRDBNCH1";

_Noreturn void fail(const char *what, const char *why) {
  fprintf(stderr, "error: %s: %s\n", what, why);
  exit(1);
}

FILE *dump_open(const char *path) {
  FILE *file = fopen(path, "rb");
  char found[sizeof magic];
  if (!file) fail(path, "cannot be opened");
  if (fread(found, sizeof found, 1, file) != 1 || memcmp(found, magic, sizeof magic))
    fail(path, "is no dump");
  return file;
}

static void *allocate(size_t count, size_t size) {
  void *memory = calloc(count ? count : 1, size);
  if (!memory) fail("dump", "no memory");
  return memory;
}

static uint32_t take32(const uint8_t **at) {
  uint32_t number;
  memcpy(&number, *at, sizeof number);
  *at += sizeof number;
  return number;
}

static const uint8_t *take_bytes(const uint8_t **at, size_t count) {
  const uint8_t *start = *at;
  *at += count;
  return start;
}

static void take_value(const uint8_t **at, struct value *value) {
  value->type = *take_bytes(at, 1);
  if (value->type == VALUE_INTEGER) {
    memcpy(&value->integer, take_bytes(at, 8), 8);
  } else if (value->type != VALUE_NULL) {
    value->count = take32(at);
    value->bytes = take_bytes(at, value->count);
  }
}

int dump_next(FILE *file, struct chunk *chunk) {
  uint32_t counts[4]; // bytes, events, rows, values
  for (int i = 0; i < 4; i++) free(chunk->memory[i]);
  memset(chunk, 0, sizeof *chunk);
  if (fread(counts, sizeof counts, 1, file) != 1) return 0;
  uint8_t *bytes = chunk->memory[0] = allocate(counts[0], 1);
  struct event *events = chunk->memory[1] = allocate(counts[1], sizeof *events);
  struct row *rows = chunk->memory[2] = allocate(counts[2], sizeof *rows);
  struct value *values = chunk->memory[3] = allocate(counts[3], sizeof *values);
  if (fread(bytes, 1, counts[0], file) != counts[0]) fail("dump", "is cut off");
  const uint8_t *at = bytes;
  memcpy(&chunk->hlc, take_bytes(&at, 8), 8);
  chunk->digest = take_bytes(&at, 16);
  chunk->event_count = counts[1];
  chunk->row_count = counts[2];
  chunk->events = events;
  chunk->rows = rows;
  for (size_t i = 0; i < chunk->event_count; i++) {
    events[i].stream = take_bytes(&at, 16);
    events[i].header_count = take32(&at);
    events[i].payload_count = take32(&at);
    events[i].header = take_bytes(&at, events[i].header_count);
    events[i].payload = take_bytes(&at, events[i].payload_count);
  }
  for (size_t i = 0; i < chunk->row_count; i++) {
    rows[i].statement = *take_bytes(&at, 1);
    rows[i].value_count = *take_bytes(&at, 1);
    rows[i].values = values;
    if (rows[i].statement >= STATEMENT_COUNT) fail("dump", "has an unknown statement");
    for (int j = 0; j < rows[i].value_count; j++) take_value(&at, values++);
  }
  if (at != bytes + counts[0]) fail("dump", "does not add up");
  return 1;
}
