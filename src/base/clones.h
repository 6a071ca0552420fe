// Function multiversioning for hot loops.
#pragma once

/// Before a function: compiled for AVX-512, AVX2 and the baseline, chosen when the program starts.
/// Contraction is off everywhere, so that all versions give the same bits. Loops that are to be
/// vectorised have to be in the function itself or inlined into it.
#if defined(__x86_64__) && defined(__GNUC__) && !defined(__clang__) && !defined(PROTOBEAM_SANITIZED)
#define PROTOBEAM_CLONES \
  __attribute__((target_clones("arch=x86-64-v4", "arch=x86-64-v3", "default")))
#else
#define PROTOBEAM_CLONES
#endif

/// For the helpers of such functions: a call would leave the version of the caller.
#define PROTOBEAM_INLINE inline __attribute__((always_inline))

/// Has what lies there on the way to the caches. GCC takes who does nothing else for a function
/// without effect, and leaves out its calls; the empty statement keeps them.
PROTOBEAM_INLINE void fetch_ahead(const void* at) {
  __builtin_prefetch(at);
  asm volatile("");
}

/// Before a loop over the lanes of a packet that is to be vectorised: GCC would unroll it first.
#define PROTOBEAM_LANES _Pragma("GCC unroll 1")
