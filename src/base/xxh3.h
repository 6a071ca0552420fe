// XXH3 of libxxhash, three times as fast where the machine has wider vectors than the baseline; the
// same hashes everywhere.
#pragma once

#define XXH_STATIC_LINKING_ONLY  // the layout of its state, to save it
#include <xxhash.h>
#if defined(__x86_64__) && __has_include(<xxh_x86dispatch.h>)
#include <xxh_x86dispatch.h>  // instead of the functions of the same names
#endif
