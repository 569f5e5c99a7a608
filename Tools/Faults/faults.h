/* What the parts of the fault shim share. */
#ifndef LARDER_FAULTS_H
#define LARDER_FAULTS_H

#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

/* What happens at the call that was chosen. */
enum mode {
  MODE_NONE,       /* nothing: calls are only listed */
  MODE_KILL,       /* SIGKILL before it */
  MODE_KILL_AFTER, /* SIGKILL after it */
  MODE_TORN,       /* half of a write, then SIGKILL */
  MODE_FAIL,       /* EIO, once */
  MODE_FULL,       /* ENOSPC, from then on, for calls that need space */
  MODE_SHORT,      /* half of a write, once, and told so */
  MODE_POWER,      /* a power cut before it: nothing unsynced is left, names neither */
  MODE_REORDER,    /* the same, but some unsynced writes are left, out of order */
};

/* power.c: what a power cut would take. Every function is called before the call it names. */
void power_begin(const char *backups);
void power_note_write(int fd, const char *path, off_t offset, const void *bytes, size_t size);
void power_note_truncate(int fd, off_t size);
void power_note_sync(int fd);
void power_note_create(const char *path);
void power_note_folder(const char *path);
void power_note_rename(const char *source, const char *target);
void power_note_unlink(const char *path);
/* Puts the files back as they may be after a power cut; `seed` chooses what is left of unsynced
 * writes, 0 leaves nothing. */
void power_cut(unsigned seed);

/* The system's own calls, behind those of the shim. */
int real_ftruncate(int fd, off_t size);
int real_rename(const char *source, const char *target);
int real_unlink(const char *path);
ssize_t real_pwrite(int fd, const void *bytes, size_t size, off_t offset);

#endif
