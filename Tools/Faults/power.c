/* What a power cut takes: every write, truncation and name that no sync has made durable.
 *
 * Each change is kept, with what it replaced, until a sync of its file (for names, of its folder)
 * makes it durable. At the cut the rest is undone, newest first. A disk may also have written some
 * of it already, in any order: then a part is done again, chosen by a seed.
 *
 * Strict on purpose: the name of a new file lasts only from the sync of its folder on, although
 * many file systems are kinder. Changes through mapped memory and of other processes are not known
 * here.
 */
#define _GNU_SOURCE
#include "faults.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum kind { WRITTEN, TRUNCATED, CREATED, MADE_FOLDER, RENAMED, UNLINKED };

struct change {
  enum kind kind;
  bool is_durable;
  /* Contents: a descriptor of ours, the file's identity, what was there and what came. */
  int fd;
  dev_t device;
  ino_t inode;
  off_t offset;
  off_t old_size;
  size_t old_count;
  size_t new_count;
  char *old_bytes;
  char *new_bytes;
  /* Names. */
  char *path;
  char *source;
  char *backup;
};

static struct {
  struct change *changes;
  size_t count;
  size_t room;
  char backups[PATH_MAX];
  unsigned backup_count;
} disk;

static void *checked(void *memory) {
  if (!memory) abort();
  return memory;
}

void power_begin(const char *backups) {
  snprintf(disk.backups, sizeof disk.backups, "%s", backups);
}

static struct change *add(enum kind kind) {
  if (disk.count == disk.room) {
    disk.room = disk.room ? disk.room * 2 : 256;
    disk.changes = checked(realloc(disk.changes, disk.room * sizeof *disk.changes));
  }
  struct change *change = &disk.changes[disk.count++];
  memset(change, 0, sizeof *change);
  change->kind = kind;
  change->fd = -1;
  return change;
}

/* ---- Contents ---- */

/* A descriptor that stays open, one for each file. Closing it would drop SQLite's locks. */
static int lasting(int fd, const struct stat *info) {
  for (size_t index = disk.count; index > 0; index--) {
    struct change *known = &disk.changes[index - 1];
    if (known->fd >= 0 && known->device == info->st_dev && known->inode == info->st_ino)
      return known->fd;
  }
  int copy = dup(fd);
  if (copy < 0) abort();
  return copy;
}

static struct change *add_content(enum kind kind, int fd, off_t offset, size_t size) {
  struct stat info;
  if (fstat(fd, &info) != 0) abort();
  int kept = lasting(fd, &info);
  struct change *change = add(kind);
  change->fd = kept;
  change->device = info.st_dev;
  change->inode = info.st_ino;
  change->offset = offset;
  change->old_size = info.st_size;
  change->old_bytes = checked(malloc(size + 1));
  ssize_t count = pread(kept, change->old_bytes, size, offset);
  change->old_count = count > 0 ? (size_t)count : 0;
  return change;
}

/* Whether SQLite's shared memory, which no power cut leaves and no one syncs. */
static bool is_shared_memory(const char *path) {
  size_t length = strlen(path);
  return length > 4 && strcmp(path + length - 4, "-shm") == 0;
}

void power_note_write(int fd, const char *path, off_t offset, const void *bytes, size_t size) {
  if (is_shared_memory(path)) return;
  struct change *change = add_content(WRITTEN, fd, offset, size);
  change->new_bytes = checked(malloc(size + 1));
  memcpy(change->new_bytes, bytes, size);
  change->new_count = size;
}

void power_note_truncate(int fd, off_t size) {
  struct stat info;
  if (fstat(fd, &info) != 0) abort();
  size_t lost = info.st_size > size ? (size_t)(info.st_size - size) : 0;
  add_content(TRUNCATED, fd, size, lost);
}

/* ---- Names ---- */

static char *fresh_backup(void) {
  char name[PATH_MAX + 20];
  snprintf(name, sizeof name, "%s.old%u", disk.backups, disk.backup_count++);
  return checked(strdup(name));
}

/* A second name for what a call is about to take away; NULL if there is nothing. */
static char *backup_of(const char *path) {
  char *name = fresh_backup();
  if (link(path, name) == 0) return name;
  free(name);
  return NULL;
}

static struct change *add_name(enum kind kind, const char *path) {
  struct change *change = add(kind);
  change->path = checked(strdup(path));
  return change;
}

void power_note_create(const char *path) { add_name(CREATED, path); }

void power_note_folder(const char *path) { add_name(MADE_FOLDER, path); }

void power_note_rename(const char *source, const char *target) {
  struct change *change = add_name(RENAMED, target);
  change->source = checked(strdup(source));
  change->backup = backup_of(target);
}

void power_note_unlink(const char *path) {
  struct change *change = add_name(UNLINKED, path);
  change->backup = backup_of(path);
}

/* ---- Durable ---- */

/* Whether the folder with this identity holds the name a change is about. */
static bool is_in(const struct change *change, const struct stat *folder) {
  char parent[PATH_MAX];
  snprintf(parent, sizeof parent, "%s", change->path);
  char *slash = strrchr(parent, '/');
  if (!slash || slash == parent) return false;
  *slash = 0;
  struct stat info;
  return stat(parent, &info) == 0 && info.st_dev == folder->st_dev &&
         info.st_ino == folder->st_ino;
}

void power_note_sync(int fd) {
#ifdef PLANTED_UNSYNCED
  /* As if the program had not asked for it. */
  (void)fd;
  return;
#endif
  struct stat info;
  if (fstat(fd, &info) != 0) abort();
  for (size_t index = 0; index < disk.count; index++) {
    struct change *change = &disk.changes[index];
    if (change->is_durable) continue;
    change->is_durable = S_ISDIR(info.st_mode)
                             ? change->path && is_in(change, &info)
                             : change->fd >= 0 && change->device == info.st_dev &&
                                   change->inode == info.st_ino;
  }
}

/* ---- The cut ---- */

static void undo(const struct change *change) {
  char *backup;
  switch (change->kind) {
  case WRITTEN:
  case TRUNCATED:
    if (change->old_count > 0)
      real_pwrite(change->fd, change->old_bytes, change->old_count, change->offset);
    real_ftruncate(change->fd, change->old_size);
    break;
  case CREATED: real_unlink(change->path); break;
  case MADE_FOLDER:
    backup = fresh_backup();
    real_rename(change->path, backup);
    free(backup);
    break;
  case RENAMED:
    real_rename(change->path, change->source);
    if (change->backup) real_rename(change->backup, change->path);
    break;
  case UNLINKED:
    if (change->backup) real_rename(change->backup, change->path);
    break;
  }
}

static void redo(const struct change *change) {
  if (change->kind == WRITTEN)
    real_pwrite(change->fd, change->new_bytes, change->new_count, change->offset);
}

void power_cut(unsigned seed) {
  for (size_t index = disk.count; index > 0; index--) {
    struct change *change = &disk.changes[index - 1];
    /* A disk that writes out of order is one that keeps names, as journals of names do. */
    if (!change->is_durable && (seed == 0 || change->fd >= 0)) undo(change);
  }
  for (size_t index = 0; seed != 0 && index < disk.count; index++) {
    /* Knuth's multiplicative hash: about half of them, others for each seed. */
    unsigned draw = (seed * 40503u + (unsigned)index) * 2654435761u;
    if (!disk.changes[index].is_durable && draw >> 31) redo(&disk.changes[index]);
  }
}
