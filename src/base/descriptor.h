// An open file descriptor with an owner.
#pragma once

#include <unistd.h>

#include <utility>

namespace protobeam {

class Descriptor {
 public:
  explicit Descriptor(int fd = -1) : fd_(fd) {}
  Descriptor(Descriptor&& other) noexcept : fd_(other.release()) {}
  Descriptor& operator=(Descriptor&& other) noexcept {
    if (this != &other) {
      close();
      fd_ = other.release();
    }
    return *this;
  }
  ~Descriptor() { close(); }

  int get() const { return fd_; }
  bool open() const { return fd_ >= 0; }
  int release() { return std::exchange(fd_, -1); }
  /// False with errno when the system could not write what was left.
  bool close() { return fd_ < 0 || ::close(release()) == 0; }

 private:
  int fd_;
};

}  // namespace protobeam
