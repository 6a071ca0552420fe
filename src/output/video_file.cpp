#include "output/video_file.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <signal.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstring>
#include <fstream>
#include <stdexcept>
#include <string>
#include <vector>

extern char** environ;

namespace protobeam {
namespace fs = std::filesystem;

class VideoFile::Impl {
 public:
  Impl(const fs::path& path, int width, int height, double fps)
      : path_(path), size_(static_cast<std::size_t>(width) * static_cast<std::size_t>(height) * 3) {
    const std::string kind = path.extension().string();
    if (kind != ".mp4" && kind != ".gif") {
      throw std::runtime_error(
          fmt::format("cannot write '{}': a video ends in .mp4 or .gif", path.string()));
    }
    // Beside its final place, with an ending that ffmpeg understands.
    part_ = path.parent_path() / fmt::format(".{}.{}.part{}", path.stem().string(), getpid(), kind);
    log_ = part_.string() + ".log";
    std::vector<std::string> words = {"ffmpeg",   "-nostdin", "-y",       "-loglevel", "error",
                                      "-f",       "rawvideo", "-pix_fmt", "rgb24",     "-s",
                                      fmt::format("{}x{}", width, height), "-r",
                                      fmt::format("{}", fps), "-i", "pipe:0"};
    if (kind == ".gif") {
      // One palette for the whole film, made from what changes in it.
      words.insert(words.end(),
                   {"-vf",
                    "split[a][b];[a]palettegen=stats_mode=full[p];[b][p]paletteuse=dither=bayer:"
                    "bayer_scale=4",
                    "-loop", "0"});
    } else {
      // Players want 4:2:0, and that wants even sizes.
      words.insert(words.end(), {"-vf", "pad=ceil(iw/2)*2:ceil(ih/2)*2", "-c:v", "libx264",
                                 "-pix_fmt", "yuv420p", "-crf", "20", "-movflags", "+faststart"});
    }
    words.push_back(part_.string());
    start(words);
  }

  ~Impl() {
    if (pid_ > 0) {
      close(pipe_);
      kill(pid_, SIGKILL);
      waitpid(pid_, nullptr, 0);
    }
    std::error_code ignored;
    fs::remove(part_, ignored);
    fs::remove(log_, ignored);
  }

  void add(std::span<const std::uint8_t> pixels) {
    if (pixels.size() != size_) throw std::runtime_error("a picture of the video has another size");
    while (!pixels.empty()) {
      const ssize_t n = write(pipe_, pixels.data(), pixels.size());
      if (n > 0) pixels = pixels.subspan(static_cast<std::size_t>(n));
      if (n < 0 && errno != EINTR) {
        wait();
        fail();
      }
    }
  }

  void finish() {
    if (wait() != 0) fail();
    std::error_code problem;
    fs::rename(part_, path_, problem);
    if (problem) {
      throw std::runtime_error(
          fmt::format("cannot write {}: {}", path_.string(), problem.message()));
    }
  }

 private:
  void start(std::vector<std::string>& words) {
    std::array<int, 2> ends{};
    if (pipe2(ends.data(), O_CLOEXEC) != 0) throw std::runtime_error("cannot make a pipe");
    std::vector<char*> argv;
    for (std::string& word : words) argv.push_back(word.data());
    argv.push_back(nullptr);
    posix_spawn_file_actions_t actions;
    posix_spawn_file_actions_init(&actions);
    posix_spawn_file_actions_adddup2(&actions, ends[0], STDIN_FILENO);
    posix_spawn_file_actions_addopen(&actions, STDOUT_FILENO, "/dev/null", O_WRONLY, 0);
    posix_spawn_file_actions_addopen(&actions, STDERR_FILENO, log_.c_str(),
                                     O_WRONLY | O_CREAT | O_TRUNC, 0600);
    const int failed = posix_spawnp(&pid_, "ffmpeg", &actions, nullptr, argv.data(), environ);
    posix_spawn_file_actions_destroy(&actions);
    close(ends[0]);
    pipe_ = ends[1];
    if (!failed) return;
    close(pipe_);
    pid_ = -1;
    std::error_code ignored;
    fs::remove(log_, ignored);
    if (failed == ENOENT) {
      const bool folder = path_.parent_path().empty() || fs::is_directory(path_.parent_path());
      throw std::runtime_error(
          folder ? std::string("videos need the program ffmpeg, which is not installed (Debian: "
                               "apt-get install ffmpeg)")
                 : fmt::format("cannot write {}: No such file or directory", path_.string()));
    }
    throw std::runtime_error(fmt::format("cannot start ffmpeg: {}", std::strerror(failed)));
  }

  /// The exit status of ffmpeg, once it has all of its input.
  int wait() {
    if (pid_ <= 0) return status_;
    close(pipe_);
    while (waitpid(pid_, &status_, 0) < 0 && errno == EINTR) {
    }
    pid_ = -1;
    return status_;
  }

  [[noreturn]] void fail() {
    std::ifstream in(log_);
    std::string line;
    std::getline(in, line);
    throw std::runtime_error(fmt::format("cannot write {}: ffmpeg: {}", path_.string(),
                                         line.empty() ? "ended without a word" : line));
  }

  fs::path path_, part_, log_;
  std::size_t size_;
  pid_t pid_ = -1;
  int pipe_ = -1, status_ = 0;
};

VideoFile::VideoFile(const fs::path& path, int width, int height, double fps)
    : impl_(std::make_unique<Impl>(path, width, height, fps)) {}
VideoFile::~VideoFile() = default;
void VideoFile::add(std::span<const std::uint8_t> pixels) { impl_->add(pixels); }
void VideoFile::finish() { impl_->finish(); }

}  // namespace protobeam
