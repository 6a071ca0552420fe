// Memory without a name: shared through a file descriptor, gone with its last user.
#pragma once

#include <cstddef>
#include <span>

namespace protobeam::link {

class SharedMemory {
 public:
  /// New, zero. Its size is sealed, and nobody else can map it for writing: a controller can
  /// neither cut it under us nor change a sample. Throws std::system_error.
  static SharedMemory create(std::size_t size);
  /// Another process' memory, read-only; closes `fd`. Throws std::system_error.
  static SharedMemory open(int fd, std::size_t size);

  SharedMemory() = default;
  SharedMemory(SharedMemory&& other) noexcept;
  SharedMemory& operator=(SharedMemory&& other) noexcept;
  ~SharedMemory();

  int fd() const { return fd_; }
  std::span<std::byte> bytes() const { return bytes_; }

 private:
  int fd_ = -1;
  std::span<std::byte> bytes_;
};

}  // namespace protobeam::link
