#include "batch/task_pool.h"

#include <algorithm>
#include <chrono>
#include <utility>

namespace protobeam {

std::optional<TaskPool::Task> TaskPool::Queues::take(std::size_t worker) {
  if (size == 0) return std::nullopt;
  --size;
  Task task;
  if (std::deque<Task>& own = of_worker[worker]; !own.empty()) {
    task = std::move(own.front());
    own.pop_front();
  } else {
    std::deque<Task>& longest = *std::ranges::max_element(of_worker, {}, &std::deque<Task>::size);
    task = std::move(longest.back());
    longest.pop_back();
  }
  return task;
}

TaskPool::TaskPool(int threads)
    : threads_(threads), wanted_(static_cast<std::size_t>(std::max(1, threads))) {
  asked_.of_worker.resize(wanted_.size());
  sent_.of_worker.resize(wanted_.size());
  for (std::size_t i = 0; i < wanted_.size() && threads > 1; ++i)
    workers_.emplace_back([this, i] { run(i); });
}

TaskPool::~TaskPool() {
  {
    const std::lock_guard lock(mutex_);
    end_ = true;
  }
  for (auto& wanted : wanted_) wanted.notify_one();
  for (std::thread& worker : workers_) worker.join();
}

void TaskPool::run(std::size_t worker) {
  std::unique_lock lock(mutex_);
  while (true) {
    wanted_[worker].wait(lock, [&] { return end_ || wanted(worker); });
    if (end_) return;
    work_on_one(lock, worker, true);
  }
}

bool TaskPool::wanted(std::size_t worker) const {
  return asked_.size + sent_.size > 0 && (worker > 0 || callers_ == 0);
}

bool TaskPool::work_on_one(std::unique_lock<std::mutex>& lock, std::size_t worker, bool sent_too) {
  std::optional<Task> task = asked_.take(worker);
  if (!task && sent_too) task = sent_.take(worker);
  if (!task) return false;
  lock.unlock();
  std::exception_ptr problem;
  try {
    (*task->work)(task->item);
  } catch (...) {
    problem = std::current_exception();
  }
  lock.lock();
  if (problem && !problem_) problem_ = problem;
  if (task->sent) {
    done_.push_back(task->item);
  } else {
    --waited_for_;
  }
  // Waking somebody for each item would cost more than a step of a small world.
  if (!task->sent && waited_for_ > 0) return true;
  finished_.notify_all();
  return true;
}

void TaskPool::push(std::span<const std::size_t> items, const std::shared_ptr<const Work>& work,
                    bool sent) {
  Queues& queues = sent ? sent_ : asked_;
  for (const std::size_t item : items)
    queues.of_worker[item % queues.of_worker.size()].push_back({item, work, sent});
  queues.size += items.size();
  (sent ? under_way_ : waited_for_) += items.size();
}

template <typename WorkOnOne, typename Done>
void TaskPool::work_until(std::unique_lock<std::mutex>& lock, const WorkOnOne& work_on_one,
                          const Done& done, const std::function<void()>& meanwhile) {
  using Clock = std::chrono::steady_clock;
  constexpr std::chrono::milliseconds kLook{20};
  auto looked = Clock::now();
  while (!done()) {
    if (!work_on_one()) finished_.wait_until(lock, looked + kLook, done);
    if (Clock::now() - looked < kLook) continue;
    if (meanwhile) {
      lock.unlock();
      meanwhile();
      lock.lock();
    }
    looked = Clock::now();
  }
}

void TaskPool::each(std::span<const std::size_t> items, const Work& work,
                    const std::function<void()>& meanwhile) {
  std::unique_lock lock(mutex_);
  push(items, std::make_shared<const Work>(work), false);
  ++callers_;
  lock.unlock();
  const std::size_t woken = std::min(wanted_.size(), items.size());
  for (std::size_t worker = 1; worker < woken; ++worker) wanted_[worker].notify_one();
  lock.lock();
  // Waiting while others work would cost a core that can work, and waking up again. What was sent
  // is left to the others: the caller did not ask to wait for it.
  work_until(
      lock, [&] { return work_on_one(lock, 0, false); }, [this] { return waited_for_ == 0; },
      meanwhile);
  if (--callers_ == 0 && sent_.size > 0) wanted_[0].notify_one();
  if (problem_) std::rethrow_exception(std::exchange(problem_, nullptr));
}

void TaskPool::send(std::span<const std::size_t> items, Work work) {
  {
    const std::lock_guard lock(mutex_);
    push(items, std::make_shared<const Work>(std::move(work)), true);
  }
  for (auto& wanted : wanted_) wanted.notify_one();
}

std::vector<std::size_t> TaskPool::take_done(std::size_t least,
                                             const std::function<void()>& meanwhile) {
  std::unique_lock lock(mutex_);
  least = std::min(least, under_way_);
  work_until(
      lock, [&] { return workers_.empty() && work_on_one(lock, 0, true); },
      [&] { return done_.size() >= least; }, meanwhile);
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
