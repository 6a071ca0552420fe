// Memory for the samples of devices that outlives their world: who looks at it shares it.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdlib>
#include <memory>
#include <new>
#include <span>

#include "sim/model.h"

namespace protobeam {

/// Samples of one device in each of several worlds, one behind the other.
class SampleMemory {
 public:
  static constexpr std::size_t kAlignment = 64;

  /// Zeros for `count` samples of `size` bytes each.
  SampleMemory(std::size_t size, std::size_t count)
      : size_(size), stride_((size + kAlignment - 1) / kAlignment * kAlignment), count_(count) {
    bytes_.reset(static_cast<std::byte*>(
        std::aligned_alloc(kAlignment, std::max(stride_ * count, kAlignment))));
    if (!bytes_) throw std::bad_alloc();
    std::fill_n(bytes_.get(), stride_ * count, std::byte{0});
  }

  std::byte* data() const { return bytes_.get(); }
  std::size_t size() const { return size_; }      ///< bytes of a sample
  std::size_t stride() const { return stride_; }  ///< bytes from one to the next
  std::size_t count() const { return count_; }
  std::span<std::byte> at(std::size_t index) const {
    return {bytes_.get() + index * stride_, size_};
  }

  /// The device writes its samples there from now on; the last one is there at once. One whose
  /// samples go to a controller's memory goes on doing so: follow() copies them.
  void take_over(Device& device, std::size_t index) const;
  /// After a step.
  void follow(const Device& device, std::size_t index) const;

 private:
  struct Free {
    void operator()(std::byte* bytes) const { std::free(bytes); }
  };
  std::size_t size_, stride_, count_;
  std::unique_ptr<std::byte, Free> bytes_;
};

}  // namespace protobeam
