#include "batch/task_pool.h"

#include <algorithm>
#include <chrono>
#include <utility>

namespace protobeam {

TaskPool::TaskPool(int threads)
    : threads_(threads), queues_(static_cast<std::size_t>(std::max(1, threads))) {
  for (std::size_t i = 0; i < queues_.size() && threads > 1; ++i)
    workers_.emplace_back([this, i] { run(i); });
}

TaskPool::~TaskPool() {
  {
    const std::lock_guard lock(mutex_);
    end_ = true;
    queues_.assign(queues_.size(), {});
    waiting_ = 0;
  }
  wanted_.notify_all();
  for (std::thread& worker : workers_) worker.join();
}

void TaskPool::run(std::size_t worker) {
  std::unique_lock lock(mutex_);
  while (true) {
    wanted_.wait(lock, [this] { return end_ || waiting_ > 0; });
    if (end_) return;
    work_on_one(lock, worker);
  }
}

bool TaskPool::work_on_one(std::unique_lock<std::mutex>& lock, std::size_t worker) {
  if (waiting_ == 0) return false;
  Task task;
  if (std::deque<Task>& own = queues_[worker]; !own.empty()) {
    task = std::move(own.front());
    own.pop_front();
  } else {
    std::deque<Task>& longest = *std::ranges::max_element(queues_, {}, &std::deque<Task>::size);
    task = std::move(longest.back());
    longest.pop_back();
  }
  --waiting_;
  lock.unlock();
  std::exception_ptr problem;
  try {
    (*task.work)(task.item);
  } catch (...) {
    problem = std::current_exception();
  }
  lock.lock();
  if (problem && !problem_) problem_ = problem;
  if (task.sent) {
    done_.push_back(task.item);
  } else {
    --waited_for_;
  }
  // Waking somebody for each item would cost more than a step of a small world.
  if (!task.sent && waited_for_ > 0) return true;
  finished_.notify_all();
  return true;
}

void TaskPool::push(std::span<const std::size_t> items, const std::shared_ptr<const Work>& work,
                    bool sent) {
  for (const std::size_t item : items) queues_[item % queues_.size()].push_back({item, work, sent});
  waiting_ += items.size();
  (sent ? under_way_ : waited_for_) += items.size();
}

void TaskPool::each(std::span<const std::size_t> items, const Work& work,
                    const std::function<void()>& meanwhile) {
  std::unique_lock lock(mutex_);
  push(items, std::make_shared<const Work>(work), false);
  lock.unlock();
  wanted_.notify_all();
  lock.lock();
  if (workers_.empty()) {
    while (waited_for_ > 0) work_on_one(lock, 0);
  }
  constexpr std::chrono::milliseconds kLook{20};
  while (!finished_.wait_for(lock, kLook, [this] { return waited_for_ == 0; })) {
    if (!meanwhile) continue;
    lock.unlock();
    meanwhile();
    lock.lock();
  }
  if (problem_) std::rethrow_exception(std::exchange(problem_, nullptr));
}

void TaskPool::send(std::span<const std::size_t> items, Work work) {
  {
    const std::lock_guard lock(mutex_);
    push(items, std::make_shared<const Work>(std::move(work)), true);
  }
  wanted_.notify_all();
}

std::vector<std::size_t> TaskPool::take_done(std::size_t least) {
  std::unique_lock lock(mutex_);
  least = std::min(least, under_way_);
  while (workers_.empty() && done_.size() < least && work_on_one(lock, 0)) {
  }
  finished_.wait(lock, [&] { return done_.size() >= least; });
  std::vector<std::size_t> taken = std::exchange(done_, {});
  under_way_ -= taken.size();
  if (problem_) std::rethrow_exception(std::exchange(problem_, nullptr));
  return taken;
}

std::size_t TaskPool::under_way() const {
  const std::lock_guard lock(mutex_);
  return under_way_;
}

}  // namespace protobeam
