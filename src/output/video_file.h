// Pictures one after another as a video: .mp4 or .gif, through the program ffmpeg.
#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>
#include <span>

namespace protobeam {

class VideoFile {
 public:
  /// RGB pictures of `width` x `height`, `fps` of them a second; `quality` 1..100, of .mp4. Throws
  /// std::runtime_error when ffmpeg is not installed or the name ends otherwise.
  VideoFile(const std::filesystem::path& path, int width, int height, double fps, int quality = 80);
  /// Without finish(): nothing is left.
  ~VideoFile();

  /// width * height * 3 bytes, rows from the top. Throws std::runtime_error with what ffmpeg said.
  void add(std::span<const std::uint8_t> pixels);
  /// Writes the rest and gives the file its name.
  void finish();

 private:
  class Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace protobeam
