// A library to be preloaded (LD_PRELOAD) that counts the calls which change files below one folder,
// and lets the n-th of them fail or the process die there. Tools/crash builds and uses it.
//
//   LARDER_FAULT_FOLDERS   the folders, separated by colons; calls on other files are let through
//   LARDER_FAULT           MODE:N; the modes are below. None: the calls are only counted
//   LARDER_FAULT_TRACE     a file to which each counted call is appended, a line each
//
// What SQLite writes into its shared memory (-shm) is a mapping and is not seen here: it is made
// anew from the log after a crash.
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

enum mode { NONE, KILL, KILL_AFTER, TORN, FAIL, FULL, SHORT };

static struct {
  enum mode mode;
  long at, count;
  const char *folders;
  int trace;
} state = {.trace = -1};

#define REAL(name) ((__typeof__(&name))real(#name))

static void *real(const char *name) {
  void *address = dlsym(RTLD_NEXT, name);
  if (address == NULL) abort();
  return address;
}

__attribute__((constructor)) static void begin(void) {
  static const char *const names[] = {"none", "kill",  "killafter", "torn",
                                      "fail", "full", "short"};
  const char *fault = getenv("LARDER_FAULT"), *trace = getenv("LARDER_FAULT_TRACE");
  state.folders = getenv("LARDER_FAULT_FOLDERS");
  if (fault != NULL) {
    const char *colon = strchr(fault, ':');
    for (int mode = 0; colon != NULL && mode < 7; mode++)
      if (strlen(names[mode]) == (size_t)(colon - fault) &&
          strncmp(names[mode], fault, colon - fault) == 0)
        state.mode = mode, state.at = atol(colon + 1);
  }
  const int appending = O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC;
  if (trace != NULL) state.trace = REAL(open)(trace, appending, 0600);
}

static int is_watched(const char *path) {
  for (const char *folder = state.folders; folder != NULL && *folder != 0;) {
    size_t length = strcspn(folder, ":");
    if (strncmp(path, folder, length) == 0 && (path[length] == '/' || path[length] == 0)) return 1;
    folder += length + (folder[length] == ':');
  }
  return 0;
}

// The path of an open file, or nothing.
static const char *path_of(int file, char path[4096]) {
  char link[64];
  snprintf(link, sizeof link, "/proc/self/fd/%d", file);
  ssize_t length = readlink(link, path, 4095);
  path[length < 0 ? 0 : length] = 0;
  return path;
}

// Counts a call on `path`. Tells which fault happens at it, if any.
static enum mode counted(const char *call, const char *path, long size) {
  if (!is_watched(path)) return NONE;
  long number = __sync_add_and_fetch(&state.count, 1);
  if (state.trace >= 0) {
    char line[4200];
    const char *slash = strrchr(path, '/');
    int length = snprintf(line, sizeof line, "%ld %s %s %ld\n", number, call,
                          slash == NULL ? path : slash + 1, size);
    if (REAL(write)(state.trace, line, length) < 0) abort();
  }
  if (state.mode == FULL && number >= state.at) return FULL;
  if (number != state.at) return NONE;
  if (state.mode == KILL) kill(getpid(), SIGKILL);
  return state.mode;
}

static void die(void) {
  kill(getpid(), SIGKILL);
  for (;;) pause();
}

// The faults that every call can have; -1 with errno set, or 0 to go on.
static int refused(enum mode mode) {
  if (mode == FAIL) errno = EIO;
  if (mode == FULL) errno = ENOSPC;
  return mode == FAIL || mode == FULL ? -1 : 0;
}

#define WRITING(call, file, bytes, size, ...)                                 \
  char path[4096];                                                            \
  enum mode mode = counted(call, path_of(file, path), (long)(size));          \
  if (refused(mode) != 0) return -1;                                          \
  if (mode == TORN || mode == SHORT) size = size / 2;                         \
  ssize_t result = (__VA_ARGS__);                                             \
  if (mode == TORN || mode == KILL_AFTER) die();                              \
  return result;

ssize_t write(int file, const void *bytes, size_t size) {
  WRITING("write", file, bytes, size, REAL(write)(file, bytes, size))
}
ssize_t pwrite(int file, const void *bytes, size_t size, off_t at) {
  WRITING("pwrite", file, bytes, size, REAL(pwrite)(file, bytes, size, at))
}
ssize_t pwrite64(int file, const void *bytes, size_t size, off64_t at) {
  WRITING("pwrite", file, bytes, size, REAL(pwrite64)(file, bytes, size, at))
}

// A call that frees room, or only orders, is not refused on a full disk.
#define CHANGING(call, where, isFreeing, ...)                                 \
  enum mode mode = counted(call, where, 0);                                   \
  if (!(mode == FULL && isFreeing) && refused(mode) != 0) return -1;          \
  int result = (__VA_ARGS__);                                                 \
  if (mode == TORN || mode == KILL_AFTER) die();                              \
  return result;

int fsync(int file) {
  char path[4096];
  CHANGING("fsync", path_of(file, path), 1, REAL(fsync)(file))
}
int fdatasync(int file) {
  char path[4096];
  CHANGING("fdatasync", path_of(file, path), 1, REAL(fdatasync)(file))
}
int ftruncate(int file, off_t size) {
  char path[4096];
  CHANGING("ftruncate", path_of(file, path), 1, REAL(ftruncate)(file, size))
}
int ftruncate64(int file, off64_t size) {
  char path[4096];
  CHANGING("ftruncate", path_of(file, path), 1, REAL(ftruncate64)(file, size))
}
int rename(const char *from, const char *to) { CHANGING("rename", to, 1, REAL(rename)(from, to)) }
int unlink(const char *path) { CHANGING("unlink", path, 1, REAL(unlink)(path)) }
int mkdir(const char *path, mode_t bits) { CHANGING("mkdir", path, 0, REAL(mkdir)(path, bits)) }
int flock(int file, int operation) {
  char path[4096];
  if (operation == LOCK_UN) return REAL(flock)(file, operation);
  CHANGING("flock", path_of(file, path), 1, REAL(flock)(file, operation))
}

#define OPENING(name)                                                         \
  int name(const char *path, int flags, ...) {                                \
    va_list rest;                                                             \
    va_start(rest, flags);                                                    \
    mode_t bits = flags & O_CREAT ? va_arg(rest, mode_t) : 0;                 \
    va_end(rest);                                                             \
    enum mode mode = flags & O_CREAT && access(path, F_OK) != 0               \
                         ? counted("create", path, 0) : NONE;                 \
    if (refused(mode) != 0) return -1;                                        \
    int file = REAL(name)(path, flags, bits);                                 \
    if (mode == TORN || mode == KILL_AFTER) die();                            \
    return file;                                                              \
  }
OPENING(open)
OPENING(open64)
