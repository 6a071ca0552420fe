#pragma once

#ifdef __SANITIZE_THREAD__
#include <sanitizer/tsan_interface.h>
#endif

namespace protobeam {

/// Tells the thread sanitizer what a library that it was not compiled into keeps in order: who starts
/// pieces of work on other threads has written before (`start`) what each piece reads (`enter`), and
/// reads afterwards (`finish`) what each has written (`leave`). Nothing at all in other builds. One for
/// all work, so that a piece reads nothing before it has entered.
class HandOver {
 public:
#ifdef __SANITIZE_THREAD__
  static void start() { __tsan_release(&begun_); }
  static void enter() { __tsan_acquire(&begun_); }
  static void leave() { __tsan_release(&done_); }
  static void finish() { __tsan_acquire(&done_); }

 private:
  static inline char begun_ = 0, done_ = 0;
#else
  static void start() {}
  static void enter() {}
  static void leave() {}
  static void finish() {}
#endif
};

}  // namespace protobeam
