// The samples of one channel as a file: .npy for programs, .csv for people.
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <fstream>
#include <span>
#include <string>
#include <vector>

#include "base/device_type.h"
#include "base/whole_file.h"

namespace protobeam {

/// NumPy's format 1.0 (numpy.lib.format): an array [frames, shape...] of the channel's elements,
/// a structured one for records. Beside it, NAME.time.npy has the simulated time (s) of each frame.
class NpyChannelFile {
 public:
  /// Throws std::runtime_error when the file cannot be written ("cannot write out/a.npy: ...").
  NpyChannelFile(const std::filesystem::path& path, const ChannelLayout& channel);
  void add(std::span<const std::byte> elements);
  /// The number of frames goes into the header, and the file gets its name.
  void finish();
  std::uint64_t frames() const { return frames_; }

 private:
  std::string header() const;

  std::filesystem::path path_;
  ChannelLayout channel_;
  PartFile part_;
  std::ofstream out_;
  std::uint64_t frames_ = 0;
};

/// One line a frame: time, then the elements (components of records one by one). The first line
/// names the columns: "time,position[0],position[1],position[2]".
class CsvChannelFile {
 public:
  CsvChannelFile(const std::filesystem::path& path, const ChannelLayout& channel);
  void add(double time, std::span<const std::byte> elements);
  void finish();

 private:
  ChannelLayout channel_;
  WholeFile file_;
};

}  // namespace protobeam
