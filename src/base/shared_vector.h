// Tables that are worked out once and then only read, in memory that all tables with the same
// numbers have in common.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <map>
#include <memory>
#include <mutex>
#include <type_traits>
#include <utility>
#include <vector>

namespace protobeam {

/// `T` has no padding. Two are the same when they are so bit by bit. Any number of threads may
/// make and read them; the memory goes with the last one.
template <typename T>
class SharedVector {
  static_assert(std::is_trivially_copyable_v<T>);

 public:
  using Values = std::shared_ptr<const std::vector<T>>;

  SharedVector() : values_(std::make_shared<const std::vector<T>>()) {}
  explicit SharedVector(std::vector<T> values) : values_(in_common(std::move(values))) {}

  const T* data() const { return values_->data(); }
  std::size_t size() const { return values_->size(); }
  bool empty() const { return values_->empty(); }
  const T& operator[](std::size_t index) const { return (*values_)[index]; }
  auto begin() const { return values_->begin(); }
  auto end() const { return values_->end(); }

  /// Those of a SharedVector, for who keeps them in another way.
  static Values in_common(std::vector<T> values) {
    static Known* const all = new Known;  // tables may outlive what is destroyed at exit
    values.shrink_to_fit();
    const std::uint64_t key = hash(values);
    std::vector<Values> others;  // they may be the last ones, and are freed after the lock
    const std::lock_guard lock(all->mutex);
    const auto [first, last] = all->vectors.equal_range(key);
    for (auto at = first; at != last; ++at) {
      Values known = at->second.lock();
      if (!known) continue;
      const std::size_t bytes = values.size() * sizeof(T);
      const bool same = known->size() == values.size() &&
                        (bytes == 0 || std::memcmp(known->data(), values.data(), bytes) == 0);
      if (same) return known;
      others.push_back(std::move(known));
    }
    if (all->vectors.size() >= all->clean_at) {
      std::erase_if(all->vectors, [](const auto& one) { return one.second.expired(); });
      all->clean_at = 2 * all->vectors.size() + 64;
    }
    Values made(new std::vector<T>(std::move(values)));
    all->vectors.emplace(key, made);
    return made;
  }

 private:
  struct Known {
    std::mutex mutex;
    std::multimap<std::uint64_t, std::weak_ptr<const std::vector<T>>> vectors;
    std::size_t clean_at = 64;  ///< so that those that nobody uses do not pile up
  };

  static std::uint64_t hash(const std::vector<T>& values) {
    std::uint64_t sum = values.size();
    for (const T& value : values) {
      std::uint64_t word = 0;
      static_assert(sizeof value <= sizeof word);
      std::memcpy(&word, &value, sizeof value);
      sum = (sum ^ word) * 0xff51afd7ed558ccdu;
      sum ^= sum >> 32;
    }
    return sum;
  }

  Values values_;
};

}  // namespace protobeam
