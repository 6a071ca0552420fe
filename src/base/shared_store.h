// What several users have in common, by key: made by the first one, gone with the last one.
#pragma once

#include <unistd.h>

#include <cstddef>
#include <map>
#include <memory>
#include <mutex>
#include <utility>

namespace protobeam {

/// Any number of threads may ask. A process that was forked off shares nothing with the one
/// before, whose threads are not in it.
template <typename Key, typename Value>
class SharedStore {
 public:
  /// What has this key, or else what `make` returns, a std::shared_ptr<Value>. Two threads that
  /// ask for the same new key may both make it, and both get that of the first one: nobody waits
  /// while another one makes something.
  template <typename Make>
  std::shared_ptr<Value> get(const Key& key, const Make& make) {
    if (auto found = find(key)) return found;
    std::shared_ptr<Value> made = make();
    const std::lock_guard lock(mutex_);
    auto& slot = things_[{getpid(), key}];
    if (auto other = slot.lock()) return other;
    slot = made;
    if (things_.size() >= clean_at_) {
      std::erase_if(things_, [](const auto& one) { return one.second.expired(); });
      clean_at_ = 2 * things_.size() + 64;
    }
    return made;
  }

  std::size_t size() const {  ///< things in use
    const std::lock_guard lock(mutex_);
    std::size_t count = 0;
    for (const auto& one : things_) count += one.second.expired() ? 0 : 1;
    return count;
  }

 private:
  std::shared_ptr<Value> find(const Key& key) const {
    const std::lock_guard lock(mutex_);
    const auto at = things_.find({getpid(), key});
    return at == things_.end() ? nullptr : at->second.lock();
  }

  mutable std::mutex mutex_;
  std::map<std::pair<pid_t, Key>, std::weak_ptr<Value>> things_;
  std::size_t clean_at_ = 64;  ///< so that keys without a thing do not pile up
};

}  // namespace protobeam
