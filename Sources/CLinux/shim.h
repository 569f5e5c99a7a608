// Two questions about files that Swift's Glibc module cannot ask: its headers leave out `statx` and
// `statfs`. The kernel's own header has the one, a header of the C library the other.
#ifndef LARDER_CLINUX_SHIM_H
#define LARDER_CLINUX_SHIM_H
#include <linux/stat.h>
#include <stdint.h>
#include <sys/statfs.h>
#include <sys/syscall.h>

long syscall(long number, ...);

// The inode of what lies at `path`, links followed, and when it was made, in ns since 1970: 0 where
// the file system does not say. Returns 0, or -1 with `errno` set.
static inline int larder_file_mark(const char *path, uint64_t *inode, uint64_t *birth) {
    struct statx status;
    // -100 is AT_FDCWD: a relative path begins at the working folder.
    if (syscall(SYS_statx, -100, path, 0, STATX_INO | STATX_BTIME, &status) != 0) return -1;
    int is_known = (status.stx_mask & STATX_BTIME) != 0 && status.stx_btime.tv_sec > 0;
    *inode = status.stx_ino;
    *birth = is_known
        ? (uint64_t)status.stx_btime.tv_sec * 1000000000u + status.stx_btime.tv_nsec : 0;
    return 0;
}

// The number of the kind of file system that `path` lies on. Returns 0, or -1 with `errno` set.
static inline int larder_file_system(const char *path, uint32_t *number) {
    struct statfs status;
    if (statfs(path, &status) != 0) return -1;
    *number = (uint32_t)status.f_type;
    return 0;
}
#endif
