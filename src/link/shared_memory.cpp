#include "link/shared_memory.h"

#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>

#include <cerrno>
#include <system_error>
#include <utility>

namespace protobeam::link {
namespace {

[[noreturn]] void fail(const char* what) {
  throw std::system_error(errno, std::generic_category(), what);
}

}  // namespace

SharedMemory SharedMemory::create(std::size_t size) {
  SharedMemory memory;
  const int fd = memfd_create("protobeam", MFD_CLOEXEC | MFD_ALLOW_SEALING);
  if (fd < 0) fail("cannot create shared memory");
  // Above the standard streams, which a child replaces.
  memory.fd_ = fcntl(fd, F_DUPFD_CLOEXEC, 3);
  const int error = errno;
  close(fd);
  errno = error;
  if (memory.fd_ < 0) fail("cannot create shared memory");
  if (size == 0) return memory;
  if (ftruncate(memory.fd_, static_cast<off_t>(size)) != 0) fail("cannot size shared memory");
  void* at = mmap(nullptr, size, PROT_READ | PROT_WRITE, MAP_SHARED, memory.fd_, 0);
  if (at == MAP_FAILED) fail("cannot map shared memory");
  memory.bytes_ = {static_cast<std::byte*>(at), size};
  if (fcntl(memory.fd_, F_ADD_SEALS, F_SEAL_SHRINK | F_SEAL_GROW | F_SEAL_FUTURE_WRITE) != 0) {
    fail("cannot seal shared memory");
  }
  return memory;
}

SharedMemory SharedMemory::open(int fd, std::size_t size) {
  SharedMemory memory;
  if (size > 0) {
    void* at = mmap(nullptr, size, PROT_READ, MAP_SHARED, fd, 0);
    if (at == MAP_FAILED) fail("cannot map shared memory");
    memory.bytes_ = {static_cast<std::byte*>(at), size};
  }
  close(fd);
  return memory;
}

SharedMemory::SharedMemory(SharedMemory&& other) noexcept
    : fd_(std::exchange(other.fd_, -1)), bytes_(std::exchange(other.bytes_, {})) {}

SharedMemory& SharedMemory::operator=(SharedMemory&& other) noexcept {
  std::swap(fd_, other.fd_);
  std::swap(bytes_, other.bytes_);
  return *this;
}

SharedMemory::~SharedMemory() {
  if (!bytes_.empty()) munmap(bytes_.data(), bytes_.size());
  if (fd_ >= 0) close(fd_);
}

}  // namespace protobeam::link
