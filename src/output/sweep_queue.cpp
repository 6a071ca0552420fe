#include "output/sweep_queue.h"

#include <utility>

namespace protobeam {

SweepQueue::SweepQueue() : thread_([this] { run(); }) {}

SweepQueue::~SweepQueue() {
  {
    const std::lock_guard lock(mutex_);
    abandoned_ = true;
  }
  something_.notify_all();
  if (thread_.joinable()) thread_.join();
}

std::vector<BeamReturn> SweepQueue::memory() {
  const std::lock_guard lock(mutex_);
  if (done_.empty()) return {};
  std::vector<BeamReturn> last = std::move(done_.back());
  done_.pop_back();
  return last;
}

void SweepQueue::push(TimedSweep sweep, Work work) {
  std::unique_lock lock(mutex_);
  room_.wait(lock, [this] { return problem_ || waiting_.size() < kMost; });
  if (problem_) return throw_problem();
  waiting_.push_back({std::move(sweep), std::move(work)});
  something_.notify_one();
}

void SweepQueue::throw_problem() {
  if (problem_ && !std::exchange(told_, true)) std::rethrow_exception(problem_);
}

void SweepQueue::run() {
  std::unique_lock lock(mutex_);
  while (true) {
    something_.wait(lock, [this] { return abandoned_ || finishing_ || !waiting_.empty(); });
    if (abandoned_ || waiting_.empty()) return;
    Waiting next = std::move(waiting_.front());
    waiting_.pop_front();
    room_.notify_one();
    lock.unlock();
    std::exception_ptr problem;
    try {
      next.work(next.sweep);
    } catch (...) {
      problem = std::current_exception();
    }
    next.work = nullptr;
    lock.lock();
    if (problem) {
      problem_ = problem;
      waiting_.clear();
      room_.notify_one();
      return;
    }
    done_.push_back(std::move(next.sweep.beams));
  }
}

void SweepQueue::finish() {
  {
    const std::lock_guard lock(mutex_);
    finishing_ = true;
  }
  something_.notify_all();
  if (thread_.joinable()) thread_.join();
  throw_problem();
}

}  // namespace protobeam
