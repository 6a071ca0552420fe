// Threads that work on numbered items: all of them and wait, or some of them and take what is done
// first.
#pragma once

#include <condition_variable>
#include <cstddef>
#include <deque>
#include <exception>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <span>
#include <thread>
#include <vector>

namespace protobeam {

class TaskPool {
 public:
  using Work = std::function<void(std::size_t item)>;

  /// `threads` 1: work is done by who asks for it.
  explicit TaskPool(int threads);
  ~TaskPool();  ///< waits for what has begun; what has not begun is dropped
  TaskPool(const TaskPool&) = delete;
  TaskPool& operator=(const TaskPool&) = delete;

  int threads() const { return threads_; }
  /// Does it for each item, the caller in the place of the first thread, and waits for all;
  /// rethrows the first exception then. `meanwhile` is called by the caller every 20 ms, but not
  /// while it works on an item itself: `work` that takes longer looks around in the caller's thread.
  void each(std::span<const std::size_t> items, const Work& work,
            const std::function<void()>& meanwhile = nullptr);
  /// Does it for each item some time. What is done is told by take_done().
  void send(std::span<const std::size_t> items, Work work);
  /// Waits until at least `least` items that were sent are done, and takes all that are, in the
  /// order in which they were done. Fewer when no more are under way. Rethrows an exception of
  /// their work. `meanwhile` as for each().
  std::vector<std::size_t> take_done(std::size_t least,
                                     const std::function<void()>& meanwhile = nullptr);
  std::size_t under_way() const;  ///< sent, and not taken

 private:
  struct Task {
    std::size_t item = 0;
    std::shared_ptr<const Work> work;
    bool sent = false;
  };
  /// By worker: an item has its place, what it works with is in that core's caches already.
  struct Queues {
    std::vector<std::deque<Task>> of_worker;
    std::size_t size = 0;  ///< of all
    /// The worker's own first one, or else the last one of the longest.
    std::optional<Task> take(std::size_t worker);
  };

  void run(std::size_t worker);
  bool wanted(std::size_t worker) const;
  void push(std::span<const std::size_t> items, const std::shared_ptr<const Work>& work, bool sent);
  /// One task, if there is one, of each() first; `lock` is open meanwhile.
  bool work_on_one(std::unique_lock<std::mutex>& lock, std::size_t worker, bool sent_too);
  /// Works while `work_on_one` finds something, waits for `done`, and calls `meanwhile`.
  template <typename WorkOnOne, typename Done>
  void work_until(std::unique_lock<std::mutex>& lock, const WorkOnOne& work_on_one,
                  const Done& done, const std::function<void()>& meanwhile);

  int threads_;
  mutable std::mutex mutex_;
  std::vector<std::condition_variable> wanted_;  ///< by worker
  std::condition_variable finished_;
  Queues asked_;     ///< of each()
  Queues sent_;      ///< of send()
  int callers_ = 0;  ///< in each(), where they work in place of the first worker
  std::vector<std::size_t> done_;
  std::size_t under_way_ = 0;   ///< sent, not taken
  std::size_t waited_for_ = 0;  ///< items of each()
  std::exception_ptr problem_;
  bool end_ = false;
  std::vector<std::thread> workers_;
};

}  // namespace protobeam
