// A bag of ROS 1 (format 2.0, wiki.ros.org/Bags/Format/2.0), written by rosbag_storage.
#pragma once

#include <cstdint>
#include <filesystem>
#include <map>
#include <memory>

#include "base/descriptor.h"
#include "output/message_sink.h"

namespace rosbag {
class Bag;
}

namespace protobeam {

enum class BagCompression { kNone, kLz4, kBz2 };

/// Space on the disk is taken ahead of what is written, so that a disk that is full is noticed before
/// rosbag_storage does, and the index at the end still has its place.
///
/// When the program is killed, all chunks but the last stay; `rosbag reindex` makes them a bag.
class BagFile {
 public:
  /// Chunks are finished when they have more than `chunk_size` bytes before compression. Throws
  /// std::runtime_error ("cannot write out/run.bag: Permission denied").
  BagFile(const std::filesystem::path& path, BagCompression compression, std::uint32_t chunk_size);
  ~BagFile();

  /// Throws std::runtime_error when the message does not go in whole; finish() may still be called.
  void write(const Publication& publication);
  /// Writes the index. Throws std::runtime_error.
  void finish();
  /// Bytes on the disk.
  std::uint64_t size() const;

 private:
  struct Connection;
  /// Closes what was not finished.
  struct Closer {
    void operator()(rosbag::Bag* bag) const noexcept;
  };
  Connection& connection_of(const Topic& topic);
  void take_space(std::uint64_t message_size);
  [[noreturn]] void fail(int error, const char* otherwise = "") const;

  std::filesystem::path path_;
  std::uint32_t chunk_size_;
  Descriptor file_;  ///< of our own, beside rosbag_storage's
  std::unique_ptr<rosbag::Bag, Closer> bag_;
  std::map<std::uint32_t, std::unique_ptr<Connection>> connections_;  ///< by the topic's number
  std::uint64_t connection_bytes_ = 0;  ///< of their headers
  std::uint64_t raw_bytes_ = 0;         ///< of all records, before compression
  std::uint64_t taken_ = 0;             ///< the file's end, with space that was taken ahead
};

}  // namespace protobeam
