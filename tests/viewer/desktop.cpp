#include "tests/viewer/desktop.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <poll.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cmath>
#include <csignal>
#include <cstring>
#include <fstream>
#include <stdexcept>
#include <thread>

#include "geometry/files.h"

namespace protobeam::test {
namespace fs = std::filesystem;
using namespace std::chrono_literals;

Desktop::Desktop() {
  int ends[2];
  if (pipe(ends) != 0) throw std::runtime_error("no pipe");
  server_ = fork();
  if (server_ == 0) {
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    const int quiet = open("/dev/null", O_WRONLY);
    dup2(quiet, STDERR_FILENO);
    dup2(quiet, STDOUT_FILENO);
    close(ends[0]);
    const std::string fd = std::to_string(ends[1]);
    execlp("Xvfb", "Xvfb", "-displayfd", fd.c_str(), "-screen", "0", "1400x900x24", "-nolisten",
           // A key that is let go late because the machine is busy is still one stroke.
           "tcp", "-noreset", "-r", nullptr);
    _exit(127);
  }
  close(ends[1]);
  std::string number;
  pollfd ready{ends[0], POLLIN, 0};
  while (poll(&ready, 1, 30'000) > 0) {
    char c = 0;
    if (read(ends[0], &c, 1) != 1 || c == '\n') break;
    number += c;
  }
  close(ends[0]);
  if (number.empty()) {
    end();
    throw std::runtime_error("Xvfb did not start (Debian: apt-get install xvfb)");
  }
  display_ = ":" + number;
}

Desktop::~Desktop() { end(); }

void Desktop::end() {
  if (server_ <= 0) return;
  kill(server_, SIGKILL);
  waitpid(server_, nullptr, 0);
  server_ = -1;
}

std::string Desktop::xdotool(const std::vector<std::string>& words) const {
  std::vector<std::string> all = {"xdotool"};
  all.insert(all.end(), words.begin(), words.end());
  const Outcome done = execute(all, {.environment = {"DISPLAY=" + display_}});
  if (done.exit != 0) {
    throw std::runtime_error(
        fmt::format("xdotool {}: exit {}: {}", words.at(0), done.exit, done.err));
  }
  return done.out;
}

void Desktop::key(const std::string& name) const { xdotool({"key", name}); }

bool Shot::says(const std::string& part) const { return text().find(part) != std::string::npos; }

std::string Shot::text() const {
  std::string all;
  for (const auto& line : facts.at("texts")) all += line.get<std::string>() + "\n";
  return all;
}

std::array<double, 2> Shot::pixel(const std::array<double, 3>& p_W) const {
  const auto vector = [this](const char* name) {
    const auto& v = facts.at("camera").at(name);
    return Vec3(v.at(0), v.at(1), v.at(2));
  };
  const Vec3 position = vector("position"), ahead = (vector("target") - position).normalized();
  const Vec3 right = ahead.cross(vector("up")).normalized(), up = right.cross(ahead);
  const double fov = facts.at("camera").at("fov");
  const Vec3 d = Vec3(p_W[0], p_W[1], p_W[2]) - position;
  const double scale = picture.height / 2.0 / std::tan(fov / 2) / d.dot(ahead);
  return {picture.width / 2.0 + d.dot(right) * scale, picture.height / 2.0 - d.dot(up) * scale};
}

const std::string& Session::window() {
  if (!window_.empty()) return window_;
  for (int i = 0; i < 600; ++i) {
    // The title gets the file's name when the window listens to keys.
    const Outcome found = execute({"xdotool", "search", "--onlyvisible", "--name", "Protobeam - "},
                                  {.environment = {"DISPLAY=" + desktop_.display()}});
    if (found.exit == 0 && !found.out.empty()) {
      window_ = found.out.substr(0, found.out.find('\n'));
      // What a window manager does: without it, keys go where the pointer happens to be.
      desktop_.xdotool({"windowfocus", "--sync", window_});
      return window_;
    }
    if (ended()) break;
    std::this_thread::sleep_for(100ms);
  }
  throw std::runtime_error("no window came");
}

void Session::click(double x, double y) { drag(1, x, y, 0, 0); }

void Session::drag(int button, double x, double y, double dx, double dy) {
  const auto move = [&](double share) {
    desktop_.xdotool({"mousemove", "--window", window(),
                      std::to_string(std::lround(x + dx * share)),
                      std::to_string(std::lround(y + dy * share))});
    std::this_thread::sleep_for(60ms);
  };
  move(0);
  desktop_.xdotool({"mousedown", std::to_string(button)});
  if (dx != 0 || dy != 0) {
    for (const double share : {0.25, 0.5, 0.75, 1.0}) move(share);
  }
  desktop_.xdotool({"mouseup", std::to_string(button)});
}

bool Session::ended() const {
  siginfo_t info{};
  return waitid(P_PID, static_cast<id_t>(program_), &info, WEXITED | WNOHANG | WNOWAIT) == 0 &&
         info.si_pid == program_;
}

void Session::await_end() const {
  for (int i = 0; i < 2000 && !ended(); ++i) std::this_thread::sleep_for(50ms);
}

Shot Session::shot() {
  window();
  ++number_;
  const fs::path json = shots_ / fmt::format("view-{:03}.json", number_);
  desktop_.key("p");
  for (int i = 0; i < 3000 && !fs::exists(json) && !ended(); ++i) std::this_thread::sleep_for(20ms);
  std::ifstream in(json);
  if (!in) throw std::runtime_error("the window wrote no " + json.string());
  return {*load_image(fs::path(json).replace_extension(".png")), nlohmann::json::parse(in)};
}

Shot Session::shot_when(const std::function<bool(const Shot&)>& wanted) {
  Shot last = shot();
  for (int i = 0; i < 40 && !wanted(last); ++i) {
    std::this_thread::sleep_for(100ms);
    last = shot();
  }
  return last;
}

Outcome run_with_person(const Desktop& desktop, const fs::path& shots,
                        std::vector<std::string> words,
                        const std::function<void(Session&)>& person) {
  fs::create_directories(shots);
  words.insert(words.end(), {"--screenshots", shots.string()});
  std::string trouble;
  const Outcome outcome = protobeam(
      words, {.environment = {"DISPLAY=" + desktop.display()}, .meanwhile = [&](pid_t program) {
                Session session(desktop, shots, program);
                try {
                  person(session);
                } catch (const std::exception& problem) {
                  trouble = problem.what();
                }
                kill(program, SIGINT);
              }});
  if (!trouble.empty()) throw std::runtime_error(trouble + "\n" + outcome.err);
  return outcome;
}

int changed_pixels(const Image& a, const Image& b, const std::array<double, 4>& box, int least) {
  if (a.width != b.width || a.height != b.height || a.channels != b.channels) return -1;
  int count = 0;
  const int x0 = std::max(0, static_cast<int>(box[0])), y0 = std::max(0, static_cast<int>(box[1]));
  for (int y = y0; y < std::min(b.height, static_cast<int>(box[3])); ++y) {
    for (int x = x0; x < std::min(b.width, static_cast<int>(box[2])); ++x) {
      const auto at = static_cast<std::size_t>((y * a.width + x) * a.channels);
      int most = 0;
      for (std::size_t c = 0; c < 3; ++c)
        most = std::max(most, std::abs(a.pixels[at + c] - b.pixels[at + c]));
      count += most > least;
    }
  }
  return count;
}

std::array<double, 4> whole(const Image& image) {
  return {0, 0, double(image.width), double(image.height)};
}

}  // namespace protobeam::test
