#include "bag_file.h"

#include <fcntl.h>
#include <rosbag/bag.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/statvfs.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <limits>
#include <stdexcept>
#include <system_error>

namespace protobeam {

/// A message as rosbag_storage takes it: bytes that are serialised already.
struct BagMessage {
  const message::MessageType& type;
  const message::Bytes& bytes;
};

struct BagFile::Connection {
  boost::shared_ptr<ros::M_string> header;
};

}  // namespace protobeam

namespace ros {
namespace message_traits {

template <>
struct DataType<protobeam::BagMessage> {
  static const char* value(const protobeam::BagMessage& m) { return m.type.ros1_name.c_str(); }
};
template <>
struct MD5Sum<protobeam::BagMessage> {
  static const char* value(const protobeam::BagMessage& m) { return m.type.ros1_md5.c_str(); }
};
template <>
struct Definition<protobeam::BagMessage> {
  static const char* value(const protobeam::BagMessage& m) { return m.type.ros1_definition.c_str(); }
};

}  // namespace message_traits
namespace serialization {

template <>
struct Serializer<protobeam::BagMessage> {
  template <class Stream>
  static void write(Stream& stream, const protobeam::BagMessage& m) {
    const auto size = static_cast<std::uint32_t>(m.bytes.size());
    if (size) std::memcpy(stream.advance(size), m.bytes.data(), size);
  }
  static std::uint32_t serializedLength(const protobeam::BagMessage& m) {
    return static_cast<std::uint32_t>(m.bytes.size());
  }
};

}  // namespace serialization
}  // namespace ros

namespace protobeam {
namespace {

// Upper bounds of what the format takes, from the fields of its records.
constexpr std::uint64_t kMessageRecord = 64;   ///< around a message's bytes
constexpr std::uint64_t kConnectionRecord = 128;  ///< around a connection's header
constexpr std::uint64_t kChunkInfo = 128;      ///< of each chunk, at the end
constexpr std::uint64_t kIndexRecord = 64;     ///< around the entries of a connection in a chunk
constexpr std::uint64_t kPadding = 64 << 10;   ///< the file's header, buffers of the library
/// More than is needed at once, so that it is not asked for with each message.
constexpr std::uint64_t kAhead = 4 << 20;
/// Chunks of bz2 end before the first block of 900 kB is full, which runs of equal bytes fill with four
/// fifths of that: rosbag_storage counts blocks that were written before a message once more at the
/// chunk's end (ros/ros_comm, bz2_stream.cpp, stopWrite()), and leaves a hole of that size.
constexpr std::uint32_t kMostBz2 = 700'000;

ros::Time bag_time(std::int64_t ns) {
  // Time 0 says "not set" in ROS 1, and rosbag_storage refuses it (ros::TIME_MIN): what is published
  // before the first step is a nanosecond late.
  return ros::Time().fromNSec(static_cast<std::uint64_t>(std::max<std::int64_t>(ns, 1)));
}

rosbag::CompressionType compression_type(BagCompression compression) {
  switch (compression) {
    case BagCompression::kNone: return rosbag::compression::Uncompressed;
    case BagCompression::kLz4: return rosbag::compression::LZ4;
    case BagCompression::kBz2: break;
  }
  return rosbag::compression::BZ2;
}

}  // namespace

void BagFile::Closer::operator()(rosbag::Bag* bag) const noexcept {
  try {
    bag->close();
  } catch (const std::exception&) {
    // Its destructor would close it once more, throw and end the program: better a little memory.
    return;
  }
  delete bag;
}

BagFile::BagFile(const std::filesystem::path& path, BagCompression compression, std::uint32_t chunk_size)
    : path_(path),
      chunk_size_(compression == BagCompression::kBz2 ? std::min(chunk_size, kMostBz2) : chunk_size),
      file_(::open(path.c_str(), O_WRONLY | O_CREAT | O_CLOEXEC | O_NONBLOCK, 0666)) {
  if (!file_.open()) fail(errno);
  struct stat info {};
  if (::fstat(file_.get(), &info) != 0) fail(errno);
  if (!S_ISREG(info.st_mode)) fail(0, "a bag has to be a file");
  errno = 0;
  try {
    bag_.reset(new rosbag::Bag);
    bag_->open(path.string(), rosbag::bagmode::Write);
    bag_->setCompression(compression_type(compression));
    bag_->setChunkThreshold(chunk_size_);
  } catch (const std::exception& error) {
    fail(errno, error.what());
  }
}

BagFile::~BagFile() = default;

BagFile::Connection& BagFile::connection_of(const Topic& topic) {
  auto& connection = connections_[topic.number];
  if (!connection) {
    connection = std::make_unique<Connection>();
    // What a subscriber of the topic would have got (wiki.ros.org/ROS/Connection Header).
    connection->header = boost::make_shared<ros::M_string>(ros::M_string{
        {"callerid", "/protobeam"},
        {"latching", topic.latched ? "1" : "0"},
        {"md5sum", topic.type->ros1_md5},
        {"message_definition", topic.type->ros1_definition},
        {"topic", topic.name},
        {"type", topic.type->ros1_name}});
    for (const auto& [name, value] : *connection->header) {
      connection_bytes_ += name.size() + value.size() + 8;
    }
    connection_bytes_ += topic.name.size() + kConnectionRecord;
  }
  return *connection;
}

void BagFile::write(const Publication& publication) {
  if (!bag_) fail(EBADF);
  const BagMessage message{publication.message.type(), publication.message.ros1()};
  // Sizes of chunks are 32 bits.
  if (message.bytes.size() > std::numeric_limits<std::uint32_t>::max() - 2 * std::uint64_t{chunk_size_}) {
    fail(0, "a message is too large for a bag");
  }
  Connection& connection = connection_of(*publication.topic);
  take_space(message.bytes.size());
  errno = 0;
  try {
    bag_->write(publication.topic->name, bag_time(publication.time_ns), message, connection.header);
  } catch (const std::exception& error) {
    const int reason = errno;
    const std::string text = error.what();
    bag_.reset();
    fail(reason, text.c_str());
  }
  raw_bytes_ += message.bytes.size() + kMessageRecord;
}

void BagFile::take_space(std::uint64_t message_size) {
  // What the file may grow by before it is closed: the chunk that is open, as if nothing could be
  // compressed, its index (12 bytes for at least 46 of a message's record), and behind it all
  // connections once more and a record for each chunk.
  const std::uint64_t raw = chunk_size_ + message_size + kMessageRecord + connection_bytes_;
  const std::uint64_t chunks = (raw_bytes_ + connection_bytes_) / chunk_size_ + 2;
  const std::uint64_t growth = raw + raw / 3 + connections_.size() * kIndexRecord + connection_bytes_ +
                               chunks * (kChunkInfo + 8 * connections_.size()) + kPadding;
  const std::uint64_t present = size();
  const std::uint64_t end = present + growth;
  if (end <= taken_) return;

  struct rlimit limit {};
  if (::getrlimit(RLIMIT_FSIZE, &limit) != 0) limit.rlim_cur = RLIM_INFINITY;
  if (end > limit.rlim_cur) fail(EFBIG);
  // The file's size stays: rosbag_storage goes to its end for each record.
  int error = 0;
  for (const std::uint64_t wanted : {std::min<std::uint64_t>(end + kAhead, limit.rlim_cur), end}) {
    do {
      error = ::fallocate(file_.get(), FALLOC_FL_KEEP_SIZE, static_cast<off_t>(taken_),
                          static_cast<off_t>(wanted - taken_)) == 0 ? 0 : errno;
    } while (error == EINTR);
    if (error == 0) {
      taken_ = wanted;
      return;
    }
    if (error == EOPNOTSUPP || error == ENOSYS) break;
  }
  if (error != EOPNOTSUPP && error != ENOSYS) fail(error);
  // A file system that cannot reserve, as NFS: is there space now?
  struct statvfs disk {};
  if (::fstatvfs(file_.get(), &disk) == 0 && disk.f_bavail * disk.f_frsize < growth) fail(ENOSPC);
}

void BagFile::finish() {
  if (!bag_) return;
  errno = 0;
  try {
    bag_->close();
  } catch (const std::exception& error) {
    const int reason = errno;
    const std::string text = error.what();
    bag_.reset();
    fail(reason, text.c_str());
  }
  bag_.reset();
  // Gives back what was taken ahead.
  if (::ftruncate(file_.get(), static_cast<off_t>(size())) != 0) fail(errno);
}

std::uint64_t BagFile::size() const {
  struct stat info {};
  if (::fstat(file_.get(), &info) != 0) fail(errno);
  return static_cast<std::uint64_t>(info.st_size);
}

void BagFile::fail(int error, const char* otherwise) const {
  throw std::runtime_error("cannot write " + path_.string() + ": " +
                           (error ? std::generic_category().message(error) : std::string(otherwise)));
}

}  // namespace protobeam
