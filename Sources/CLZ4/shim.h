// LZ4 as LarderCompression sees it.
#ifndef LARDER_CLZ4_SHIM_H
#define LARDER_CLZ4_SHIM_H
#include <lz4.h>
#endif
