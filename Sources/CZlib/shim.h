// zlib as LarderGzip sees it. Macros with arguments get a static inline shim here.
#ifndef LARDER_CZLIB_SHIM_H
#define LARDER_CZLIB_SHIM_H
#include <zlib.h>

/// inflateInit2 for gzip members only: 15 bits of window, +16 for the gzip wrapper.
static inline int larder_inflate_init_gzip(z_streamp stream) {
  return inflateInit2(stream, 15 + 16);
}
#endif
