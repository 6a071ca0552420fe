// Memory that is zero at first, and takes up none of the machine's until it is written to.
#pragma once

#include <cstddef>
#include <cstdlib>
#include <new>
#include <vector>

namespace protobeam {

/// The kernel's pages are zero already: nobody writes to them to make them so.
template <typename T>
struct ZeroedAllocator {
  using value_type = T;
  ZeroedAllocator() = default;
  template <typename U>
  explicit(false) ZeroedAllocator(const ZeroedAllocator<U>& /*other*/) {}

  T* allocate(std::size_t count) {
    void* const memory = std::calloc(count, sizeof(T));
    if (!memory && count > 0) throw std::bad_alloc();
    return static_cast<T*>(memory);
  }
  void deallocate(T* memory, std::size_t /*count*/) { std::free(memory); }
  /// Values that are not given are those of the memory.
  template <typename U>
  void construct(U* /*at*/) {}
  template <typename U, typename... Arguments>
  void construct(U* at, Arguments&&... arguments) {
    ::new (static_cast<void*>(at)) U(static_cast<Arguments&&>(arguments)...);
  }
  friend bool operator==(const ZeroedAllocator&, const ZeroedAllocator&) { return true; }
};

/// Zeros when it was made with its size, or resized once.
using ZeroedBytes = std::vector<std::byte, ZeroedAllocator<std::byte>>;

}  // namespace protobeam
