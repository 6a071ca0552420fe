// Finished sweeps on their way to files, which are written on a thread of their own.
#pragma once

#include <condition_variable>
#include <deque>
#include <exception>
#include <functional>
#include <mutex>
#include <thread>
#include <vector>

#include "output/sweep.h"

namespace protobeam {

class SweepQueue {
 public:
  using Work = std::function<void(const TimedSweep&)>;

  SweepQueue();
  /// Without finish(): what waits is lost.
  ~SweepQueue();
  SweepQueue(const SweepQueue&) = delete;
  SweepQueue& operator=(const SweepQueue&) = delete;

  /// Of a sweep that is done, for the next one; empty when there is none.
  std::vector<BeamReturn> memory();
  /// The thread calls work(sweep), one after the other; while kMost wait, so does push(). Throws
  /// what work has thrown since; from then on none is called.
  void push(TimedSweep sweep, Work work);
  /// Waits until all is done. Throws what work throws.
  void finish();

  static constexpr std::size_t kMost = 2;

 private:
  struct Waiting {
    TimedSweep sweep;
    Work work;
  };
  void run();
  void throw_problem();

  std::mutex mutex_;
  std::condition_variable something_, room_;
  std::deque<Waiting> waiting_;
  std::vector<std::vector<BeamReturn>> done_;
  std::exception_ptr problem_;
  bool told_ = false;  ///< problem_ was thrown
  bool finishing_ = false, abandoned_ = false;
  std::thread thread_;
};

}  // namespace protobeam
