#include "output/video_file.h"

#include <fmt/format.h>
#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <optional>
#include <stdexcept>
#include <string>
#include <system_error>
#include <vector>

#include "base/child_process.h"
#include "base/whole_file.h"

namespace protobeam {
namespace fs = std::filesystem;

class VideoFile::Impl {
 public:
  Impl(const fs::path& path, int width, int height, double fps, int quality)
      : path_(path),
        part_(path),
        messages_(memfd_create("ffmpeg-messages", MFD_CLOEXEC)),
        size_(static_cast<std::size_t>(width) * static_cast<std::size_t>(height) * 3) {
    const std::string kind = path.extension().string();
    if (kind != ".mp4" && kind != ".gif") {
      throw std::runtime_error(
          fmt::format("cannot write '{}': a video ends in .mp4 or .gif", path.string()));
    }
    std::vector<std::string> words = {"ffmpeg",
                                      "-nostdin",
                                      "-y",
                                      "-loglevel",
                                      "error",
                                      "-f",
                                      "rawvideo",
                                      "-pix_fmt",
                                      "rgb24",
                                      "-s",
                                      fmt::format("{}x{}", width, height),
                                      "-r",
                                      fmt::format("{}", fps),
                                      "-i",
                                      "pipe:0"};
    if (kind == ".gif") {
      // One palette for the whole film, made from what changes in it.
      words.insert(words.end(),
                   {"-vf",
                    "split[a][b];[a]palettegen=stats_mode=full[p];[b][p]paletteuse=dither=bayer:"
                    "bayer_scale=4",
                    "-loop", "0"});
    } else {
      // H.264's constant rate factor: 18 is what few can tell from the original, 6 more is half of
      // the file.
      const std::string crf = fmt::format("{}", 40 - quality / 4);
      // Players want 4:2:0, and that wants even sizes.
      words.insert(words.end(), {"-vf", "pad=ceil(iw/2)*2:ceil(ih/2)*2", "-c:v", "libx264",
                                 "-pix_fmt", "yuv420p", "-crf", crf, "-movflags", "+faststart"});
    }
    words.insert(words.end(), {"-f", kind.substr(1), "file:" + part_.path().string()});
    start(words);
  }

  void add(std::span<const std::uint8_t> pixels) {
    if (pixels.size() != size_) throw std::runtime_error("a picture of the video has another size");
    while (!pixels.empty()) {
      const ssize_t n = write(ffmpeg_->in().get(), pixels.data(), pixels.size());
      if (n > 0) pixels = pixels.subspan(static_cast<std::size_t>(n));
      if (n < 0 && errno != EINTR) {
        end_input();
        fail();
      }
    }
  }

  void finish() {
    if (end_input() != 0) fail();
    if (const int error = part_.finish()) {
      throw std::runtime_error(fmt::format("cannot write {}: {}", path_.string(),
                                           std::generic_category().message(error)));
    }
  }

 private:
  void start(const std::vector<std::string>& words) {
    try {
      ffmpeg_.emplace(ChildProcess::Start{.argv = words,
                                          .in = ChildProcess::Stream::kPipe,
                                          .out = ChildProcess::Stream::kNull,
                                          .descriptors = {
                                              {STDERR_FILENO, messages_.get()},
                                              {part_.descriptor(), part_.descriptor()}}});
    } catch (const std::system_error& error) {
      if (error.code() != std::errc::no_such_file_or_directory) throw;
      throw std::runtime_error(
          "videos need the program ffmpeg, which is not installed (Debian: apt-get install "
          "ffmpeg)");
    }
  }

  /// The exit status of ffmpeg, once it has all of its input.
  int end_input() {
    ffmpeg_->in().close();
    ffmpeg_->wait();
    return ffmpeg_->wait_status();
  }

  [[noreturn]] void fail() {
    std::string line(4096, '\0');
    const ssize_t size = pread(messages_.get(), line.data(), line.size(), 0);
    line.resize(size > 0 ? static_cast<std::size_t>(size) : 0);
    line.erase(std::min(line.find('\n'), line.size()));
    throw std::runtime_error(
        fmt::format("cannot write {}: ffmpeg: {}", path_.string(),
                    line.empty() ? describe_wait_status(ffmpeg_->wait_status()) : line));
  }

  fs::path path_;
  PartFile part_;
  Descriptor messages_;
  std::size_t size_;
  std::optional<ChildProcess> ffmpeg_;
};

VideoFile::VideoFile(const fs::path& path, int width, int height, double fps, int quality)
    : impl_(std::make_unique<Impl>(path, width, height, fps, quality)) {}
VideoFile::~VideoFile() = default;
void VideoFile::add(std::span<const std::uint8_t> pixels) { impl_->add(pixels); }
void VideoFile::finish() { impl_->finish(); }

}  // namespace protobeam
