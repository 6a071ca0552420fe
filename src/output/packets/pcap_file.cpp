#include "output/packets/pcap_file.h"

#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <cmath>
#include <stdexcept>
#include <string>
#include <system_error>

#include "output/packets/bytes.h"
#include "output/packets/datagram.h"

namespace protobeam {
namespace fs = std::filesystem;
namespace {

constexpr std::size_t kBuffer = 1 << 20;
constexpr std::uint32_t kMagic = 0xa1b2c3d4, kEthernetLink = 1, kLongestFrame = 65535;

}  // namespace

/// A file that is written bit by bit, but whole or not at all.
class PcapFile::File {
 public:
  explicit File(const fs::path& path) : path_(path), target_(path) {
    std::error_code ignored;
    int flags = O_WRONLY | O_CLOEXEC;
    if (fs::is_directory(path, ignored)) fail(EISDIR);
    if (!fs::exists(path, ignored) || fs::is_regular_file(path, ignored)) {
      const fs::path real = fs::canonical(path, ignored);  // a link goes on pointing where it did
      if (!real.empty()) target_ = real;
      static std::atomic<unsigned> counter{0};
      temporary_ = target_.string() + ".part" + std::to_string(::getpid()) + "-" +
                   std::to_string(counter.fetch_add(1));
      flags |= O_CREAT | O_EXCL;
    }
    fd_ = ::open(temporary_.empty() ? path.c_str() : temporary_.c_str(), flags, 0666);
    if (fd_ < 0) {
      temporary_.clear();
      fail(errno);
    }
  }
  ~File() { drop(); }

  void add(std::span<const std::uint8_t> bytes) {
    if (fd_ < 0) fail(EBADF);
    buffer_.insert(buffer_.end(), bytes.begin(), bytes.end());
    if (buffer_.size() >= kBuffer) flush();
  }

  void finish() {
    if (fd_ < 0) fail(EBADF);
    flush();
    const int result = ::close(fd_);
    fd_ = -1;
    if (result != 0) fail(errno);
    if (!temporary_.empty() && ::rename(temporary_.c_str(), target_.c_str()) != 0) fail(errno);
    temporary_.clear();
  }

 private:
  void flush() {
    std::span<const std::uint8_t> rest = buffer_;
    while (!rest.empty()) {
      const ssize_t written = ::write(fd_, rest.data(), rest.size());
      if (written < 0 && errno != EINTR) fail(errno);
      if (written > 0) rest = rest.subspan(static_cast<std::size_t>(written));
    }
    buffer_.clear();
  }

  void drop() {
    if (fd_ >= 0) ::close(fd_);
    fd_ = -1;
    if (!temporary_.empty()) ::unlink(temporary_.c_str());
    temporary_.clear();
  }

  [[noreturn]] void fail(int error) {
    drop();
    throw std::runtime_error("cannot write " + path_.string() + ": " +
                             std::generic_category().message(error));
  }

  fs::path path_, target_, temporary_;
  int fd_ = -1;
  std::vector<std::uint8_t> buffer_;
};

PcapFile::PcapFile(const fs::path& path)
    : file_(std::make_unique<File>(path)), last_us_(kUnixTimeOfStart * 1'000'000) {
  std::array<std::uint8_t, 24> header{};
  put_little(header, 0, kMagic);
  put_little<std::uint16_t>(header, 4, 2);  // version 2.4
  put_little<std::uint16_t>(header, 6, 4);
  put_little(header, 16, kLongestFrame);
  put_little(header, 20, kEthernetLink);
  file_->add(header);
}

PcapFile::~PcapFile() = default;
PcapFile::PcapFile(PcapFile&&) noexcept = default;

void PcapFile::add(const PacketAddress& address, const UdpPacket& packet) {
  last_us_ = std::max<std::int64_t>(last_us_,
                                    kUnixTimeOfStart * 1'000'000 + std::llround(packet.time * 1e6));
  make_frames(address, packet, id_++, [&](std::span<const std::uint8_t> frame) {
    std::array<std::uint8_t, 16> header{};
    put_little(header, 0, static_cast<std::uint32_t>(last_us_ / 1'000'000));
    put_little(header, 4, static_cast<std::uint32_t>(last_us_ % 1'000'000));
    put_little(header, 8, static_cast<std::uint32_t>(frame.size()));
    put_little(header, 12, static_cast<std::uint32_t>(frame.size()));
    file_->add(header);
    file_->add(frame);
  });
}

void PcapFile::finish() { file_->finish(); }

}  // namespace protobeam
