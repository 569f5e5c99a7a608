/* A library for LD_PRELOAD that counts what a program asks of the allocator, the disk and SQLite
 * while it says so. Tools/bench counts builds and uses it.
 *
 *   LARDER_COUNTS  a file that gets a line for each counter when the process ends: name, number
 *
 * The program turns the counters on and off with larder_counting, which it looks up by name.
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <sqlite3.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/types.h>
#include <unistd.h>

/* The C library's own, for its names are taken here. */
extern void *__libc_malloc(size_t);
extern void *__libc_calloc(size_t, size_t);
extern void *__libc_realloc(void *, size_t);
extern void *__libc_memalign(size_t, size_t);

static atomic_int is_counting;
static struct {
  const char *name;
  atomic_long count;
} counters[] = {{"allocations", 0}, {"statements", 0}, {"prepared", 0},
                {"syncs", 0},       {"writes", 0},     {"written", 0}};
enum { allocations, statements, prepared, syncs, writes, written };

static void add(int counter, long count) {
  if (atomic_load_explicit(&is_counting, memory_order_relaxed))
    atomic_fetch_add_explicit(&counters[counter].count, count, memory_order_relaxed);
}

void larder_counting(int is_on) { atomic_store(&is_counting, is_on); }

__attribute__((destructor)) static void report(void) {
  atomic_store(&is_counting, 0);
  const char *path = getenv("LARDER_COUNTS");
  FILE *file = path ? fopen(path, "w") : NULL;
  if (!file) return;
  for (size_t i = 0; i < sizeof counters / sizeof counters[0]; i++)
    fprintf(file, "%s %ld\n", counters[i].name, atomic_load(&counters[i].count));
  fclose(file);
}

static void *next_of(const char *name) {
  void *found = dlsym(RTLD_NEXT, name);
  if (!found) abort();
  return found;
}

#define NEXT(name) ((__typeof__(&name))next_of(#name))

/* The allocator. */

void *malloc(size_t size) {
  add(allocations, 1);
  return __libc_malloc(size);
}

void *calloc(size_t count, size_t size) {
  add(allocations, 1);
  return __libc_calloc(count, size);
}

void *realloc(void *old, size_t size) {
  add(allocations, 1);
  return __libc_realloc(old, size);
}

int posix_memalign(void **place, size_t alignment, size_t size) {
  add(allocations, 1);
  void *found = __libc_memalign(alignment, size);
  if (!found) return ENOMEM;
  *place = found;
  return 0;
}

void *aligned_alloc(size_t alignment, size_t size) {
  add(allocations, 1);
  return __libc_memalign(alignment, size);
}

/* The disk. */

int fsync(int descriptor) {
  static __typeof__(&fsync) next;
  if (!next) next = NEXT(fsync);
  add(syncs, 1);
  return next(descriptor);
}

int fdatasync(int descriptor) {
  static __typeof__(&fdatasync) next;
  if (!next) next = NEXT(fdatasync);
  add(syncs, 1);
  return next(descriptor);
}

static void note_write(ssize_t count) {
  add(writes, 1);
  if (count > 0) add(written, count);
}

ssize_t write(int descriptor, const void *bytes, size_t size) {
  static __typeof__(&write) next;
  if (!next) next = NEXT(write);
  ssize_t count = next(descriptor, bytes, size);
  note_write(count);
  return count;
}

ssize_t pwrite(int descriptor, const void *bytes, size_t size, off_t offset) {
  static __typeof__(&pwrite) next;
  if (!next) next = NEXT(pwrite);
  ssize_t count = next(descriptor, bytes, size, offset);
  note_write(count);
  return count;
}

ssize_t pwrite64(int descriptor, const void *bytes, size_t size, off64_t offset) {
  static __typeof__(&pwrite64) next;
  if (!next) next = NEXT(pwrite64);
  ssize_t count = next(descriptor, bytes, size, offset);
  note_write(count);
  return count;
}

/* SQLite: a statement runs from its first step to its reset. */

int sqlite3_step(sqlite3_stmt *statement) {
  static __typeof__(&sqlite3_step) next;
  if (!next) next = NEXT(sqlite3_step);
  if (!sqlite3_stmt_busy(statement)) add(statements, 1);
  return next(statement);
}

int sqlite3_prepare_v3(sqlite3 *database, const char *text, int size, unsigned flags,
                       sqlite3_stmt **statement, const char **tail) {
  static __typeof__(&sqlite3_prepare_v3) next;
  if (!next) next = NEXT(sqlite3_prepare_v3);
  add(prepared, 1);
  return next(database, text, size, flags, statement, tail);
}
