/* A library for LD_PRELOAD that counts the calls which change files below one folder, lists them,
 * and lets one of them go wrong. Tools/crash builds and uses it.
 *
 *   LARDER_FAULT_FOLDER  the folder, an absolute path; without it nothing is counted
 *   LARDER_FAULT         MODE:N, what happens at call N, from 1; the modes are in faults.h
 *   LARDER_FAULT_TRACE   a file that gets a line for each call: number, name, file, bytes
 *
 * Counted: open that makes a file, write, pwrite, ftruncate, fsync, fdatasync, rename, unlink,
 * mkdir, chmod, fchmod, flock.
 *
 * What it cannot see: writes to mapped memory. SQLite maps its -shm file; the index in it is made
 * anew from the write-ahead log by whoever comes first, so nothing in it is a promise. Calls the
 * program does not know here (writev, copy_file_range, renameat and the like) are not used by
 * Larder or SQLite; a build that begins to use one shows it as a call that is missing in the list.
 */
#define _GNU_SOURCE
#include "faults.h"

#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <pthread.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

/* The next definition of a function: the C library's. */
#define NEXT(name) ((__typeof__(&name))next_of(#name))

static struct {
  char folder[PATH_MAX];
  size_t folder_length;
  int trace;
  enum mode mode;
  long chosen;
  long count;
  pthread_mutex_t mutex;
} shim = {.trace = -1, .mutex = PTHREAD_MUTEX_INITIALIZER};

static void *next_of(const char *name) {
  void *found = dlsym(RTLD_NEXT, name);
  if (!found) abort();
  return found;
}

static const char *const mode_names[] = {"none", "kill",  "killafter", "torn",   "fail",
                                         "full", "short", "power",     "reorder"};

static void refuse(const char *what) {
  dprintf(2, "error: faults.so: %s\n", what);
  _exit(64);
}

static void read_fault(const char *text) {
  const char *colon = strchr(text, ':');
  size_t length = colon ? (size_t)(colon - text) : strlen(text);
  size_t count = sizeof mode_names / sizeof *mode_names;
  size_t found = 0;
  while (found < count && !(strlen(mode_names[found]) == length &&
                            strncmp(mode_names[found], text, length) == 0))
    found++;
  if (found == count) refuse("LARDER_FAULT names no mode");
  shim.mode = (enum mode)found;
  shim.chosen = colon ? strtol(colon + 1, NULL, 10) : 0;
  if (shim.mode != MODE_NONE && shim.chosen < 1) refuse("LARDER_FAULT is MODE:N, N from 1");
}

__attribute__((constructor)) static void begin(void) {
  const char *folder = getenv("LARDER_FAULT_FOLDER");
  const char *trace = getenv("LARDER_FAULT_TRACE");
  const char *fault = getenv("LARDER_FAULT");
  if (!folder) return;
  if (!realpath(folder, shim.folder)) refuse("LARDER_FAULT_FOLDER is no folder");
  shim.folder_length = strlen(shim.folder);
  if (access("/proc/self/fd", R_OK) != 0) refuse("/proc, which names open files, is missing");
  if (fault) read_fault(fault);
  if (trace) {
    shim.trace = (int)syscall(
        SYS_openat, AT_FDCWD, trace, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0600);
    if (shim.trace < 0) refuse("LARDER_FAULT_TRACE cannot be made");
  }
  if (shim.mode == MODE_POWER || shim.mode == MODE_REORDER) {
    if (!trace) refuse("a power cut needs LARDER_FAULT_TRACE, beside which it keeps old files");
    power_begin(trace);
  }
}

/* The part of a path below the folder; NULL for a path elsewhere. */
static const char *below(const char *path) {
  if (shim.folder_length == 0 || strncmp(path, shim.folder, shim.folder_length) != 0) return NULL;
  const char *rest = path + shim.folder_length;
  return *rest == '/' ? rest + 1 : *rest == 0 ? "." : NULL;
}

/* The same of an open file; `path` gets the whole path. */
static const char *below_fd(int fd, char path[PATH_MAX]) {
  char link[40];
  if (shim.folder_length == 0) return NULL;
  snprintf(link, sizeof link, "/proc/self/fd/%d", fd);
  ssize_t length = readlink(link, path, PATH_MAX - 1);
  if (length < 0) return NULL;
  path[length] = 0;
  return below(path);
}

/* What a call is to do. */
enum verdict { GO, GO_HALF, GO_HALF_THEN_DIE, GO_THEN_DIE, REFUSE };

/* What a call does to files, as far as the modes tell calls apart. */
enum effect { WRITES, NEEDS_SPACE, OTHER };

static void die(void) {
  kill(getpid(), SIGKILL);
  for (;;) pause();
}

/* Counts and lists a call, and says what is to become of it; sets errno where it is refused. */
static enum verdict count(const char *name, const char *file, size_t size, enum effect effect) {
  char line[PATH_MAX + 80];
  pthread_mutex_lock(&shim.mutex);
  long number = ++shim.count;
  int length = snprintf(line, sizeof line, "%ld %s %s %zu\n", number, name, file, size);
  if (shim.trace >= 0 && syscall(SYS_write, shim.trace, line, (size_t)length) != length)
    refuse("the trace cannot be written");
  pthread_mutex_unlock(&shim.mutex);
  if (shim.mode == MODE_FULL && number >= shim.chosen && effect != OTHER) {
    errno = ENOSPC;
    return REFUSE;
  }
  if (number != shim.chosen) return GO;
  switch (shim.mode) {
  case MODE_KILL: die(); break;
  case MODE_POWER: power_cut(0); die(); break;
  case MODE_REORDER: power_cut((unsigned)number); die(); break;
  case MODE_KILL_AFTER: return GO_THEN_DIE;
  case MODE_TORN: return effect == WRITES ? GO_HALF_THEN_DIE : GO;
  case MODE_SHORT: return effect == WRITES && size > 1 ? GO_HALF : GO;
  case MODE_FAIL: errno = EIO; return REFUSE;
  case MODE_NONE:
  case MODE_FULL: break;
  }
  return GO;
}

static bool keeps_power(void) { return shim.mode == MODE_POWER || shim.mode == MODE_REORDER; }

/* Ends a call that was let go. */
static long ended(enum verdict verdict, long result) {
  if (verdict == GO_THEN_DIE || verdict == GO_HALF_THEN_DIE) die();
  return result;
}

/* ---- Open ---- */

static int open_counted(
    const char *name, int (*next)(const char *, int, ...), const char *path, int flags,
    mode_t mode) {
  const char *file = flags & O_CREAT ? below(path) : NULL;
  struct stat info;
  if (!file || stat(path, &info) == 0) return next(path, flags, mode);
  enum verdict verdict = count(name, file, 0, NEEDS_SPACE);
  if (verdict == REFUSE) return -1;
  if (keeps_power()) power_note_create(path);
  return (int)ended(verdict, next(path, flags, mode));
}

static mode_t mode_of(int flags, va_list list) {
  return flags & (O_CREAT | __O_TMPFILE) ? (mode_t)va_arg(list, unsigned) : 0;
}

int open(const char *path, int flags, ...) {
  va_list list;
  va_start(list, flags);
  mode_t mode = mode_of(flags, list);
  va_end(list);
  return open_counted("open", NEXT(open), path, flags, mode);
}

int open64(const char *path, int flags, ...) {
  va_list list;
  va_start(list, flags);
  mode_t mode = mode_of(flags, list);
  va_end(list);
  return open_counted("open", NEXT(open64), path, flags, mode);
}

/* ---- Write ---- */

ssize_t real_pwrite(int fd, const void *bytes, size_t size, off_t offset) {
  return NEXT(pwrite)(fd, bytes, size, offset);
}

ssize_t pwrite(int fd, const void *bytes, size_t size, off_t offset) {
  char path[PATH_MAX];
  const char *file = below_fd(fd, path);
  if (!file) return real_pwrite(fd, bytes, size, offset);
  enum verdict verdict = count("pwrite", file, size, WRITES);
  if (verdict == REFUSE) return -1;
  if (verdict == GO_HALF || verdict == GO_HALF_THEN_DIE) size /= 2;
  if (keeps_power()) power_note_write(fd, path, offset, bytes, size);
  return ended(verdict, real_pwrite(fd, bytes, size, offset));
}

ssize_t pwrite64(int fd, const void *bytes, size_t size, off64_t offset) {
  return pwrite(fd, bytes, size, offset);
}

ssize_t write(int fd, const void *bytes, size_t size) {
  char path[PATH_MAX];
  const char *file = below_fd(fd, path);
  if (!file) return NEXT(write)(fd, bytes, size);
  enum verdict verdict = count("write", file, size, WRITES);
  if (verdict == REFUSE) return -1;
  if (verdict == GO_HALF || verdict == GO_HALF_THEN_DIE) size /= 2;
  if (keeps_power()) power_note_write(fd, path, lseek(fd, 0, SEEK_CUR), bytes, size);
  return ended(verdict, NEXT(write)(fd, bytes, size));
}

int real_ftruncate(int fd, off_t size) { return NEXT(ftruncate)(fd, size); }

int ftruncate(int fd, off_t size) {
  char path[PATH_MAX];
  const char *file = below_fd(fd, path);
  if (!file) return real_ftruncate(fd, size);
  struct stat info;
  bool grows = fstat(fd, &info) == 0 && info.st_size < size;
  enum verdict verdict = count("ftruncate", file, (size_t)size, grows ? NEEDS_SPACE : OTHER);
  if (verdict == REFUSE) return -1;
  if (keeps_power()) power_note_truncate(fd, size);
  return (int)ended(verdict, real_ftruncate(fd, size));
}

int ftruncate64(int fd, off64_t size) { return ftruncate(fd, size); }

/* ---- Sync ---- */

static int sync_counted(const char *name, int (*next)(int), int fd) {
  char path[PATH_MAX];
  const char *file = below_fd(fd, path);
  if (!file) return next(fd);
  enum verdict verdict = count(name, file, 0, OTHER);
  if (verdict == REFUSE) return -1;
  if (keeps_power()) power_note_sync(fd);
  return (int)ended(verdict, next(fd));
}

int fsync(int fd) { return sync_counted("fsync", NEXT(fsync), fd); }

int fdatasync(int fd) { return sync_counted("fdatasync", NEXT(fdatasync), fd); }

/* ---- Names ---- */

int real_rename(const char *source, const char *target) { return NEXT(rename)(source, target); }

int rename(const char *source, const char *target) {
  const char *file = below(target);
  if (!file) return real_rename(source, target);
  enum verdict verdict = count("rename", file, 0, OTHER);
  if (verdict == REFUSE) return -1;
  if (keeps_power()) power_note_rename(source, target);
  return (int)ended(verdict, real_rename(source, target));
}

int real_unlink(const char *path) { return NEXT(unlink)(path); }

int unlink(const char *path) {
  const char *file = below(path);
  struct stat info;
  if (!file || lstat(path, &info) != 0) return real_unlink(path);
  enum verdict verdict = count("unlink", file, 0, OTHER);
  if (verdict == REFUSE) return -1;
  if (keeps_power()) power_note_unlink(path);
  return (int)ended(verdict, real_unlink(path));
}

int mkdir(const char *path, mode_t mode) {
  const char *file = below(path);
  if (!file) return NEXT(mkdir)(path, mode);
  enum verdict verdict = count("mkdir", file, 0, NEEDS_SPACE);
  if (verdict == REFUSE) return -1;
  if (keeps_power()) power_note_folder(path);
  return (int)ended(verdict, NEXT(mkdir)(path, mode));
}

/* ---- The rest ---- */

int chmod(const char *path, mode_t mode) {
  const char *file = below(path);
  if (!file) return NEXT(chmod)(path, mode);
  enum verdict verdict = count("chmod", file, 0, OTHER);
  return verdict == REFUSE ? -1 : (int)ended(verdict, NEXT(chmod)(path, mode));
}

int fchmod(int fd, mode_t mode) {
  char path[PATH_MAX];
  const char *file = below_fd(fd, path);
  if (!file) return NEXT(fchmod)(fd, mode);
  enum verdict verdict = count("fchmod", file, 0, OTHER);
  return verdict == REFUSE ? -1 : (int)ended(verdict, NEXT(fchmod)(fd, mode));
}

int flock(int fd, int operation) {
  char path[PATH_MAX];
  const char *file = below_fd(fd, path);
  if (!file) return NEXT(flock)(fd, operation);
  enum verdict verdict = count(operation & LOCK_UN ? "unlock" : "flock", file, 0, OTHER);
  return verdict == REFUSE ? -1 : (int)ended(verdict, NEXT(flock)(fd, operation));
}
