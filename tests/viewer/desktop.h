// A display without a screen (Xvfb) with one window of ours, a keyboard and a mouse (xdotool).
#pragma once

#include <sys/types.h>

#include <chrono>
#include <filesystem>
#include <functional>
#include <map>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "base/math.h"
#include "geometry/material.h"
#include "tests/support/program.h"

namespace protobeam::test {

/// Starts Xvfb on a free display. Throws when that does not succeed.
class Desktop {
 public:
  Desktop();
  ~Desktop();
  Desktop(const Desktop&) = delete;
  Desktop& operator=(const Desktop&) = delete;

  const std::string& display() const { return display_; }  ///< ":99"
  void end();                                              ///< the server dies
  /// Runs xdotool and returns what it prints; throws when it fails.
  std::string xdotool(const std::vector<std::string>& words) const;
  void key(const std::string& name) const;  ///< pressed and released

 private:
  std::string display_;
  pid_t server_ = -1;
};

/// What the window wrote when `P` was pressed.
struct Shot {
  Image picture;
  nlohmann::json facts;

  bool says(const std::string& part) const;  ///< in one of the texts on screen
  std::string text() const;                  ///< all texts, for messages
  double time() const { return facts.at("time"); }
  /// Where a point of the world is in the picture: pixels from the upper left corner.
  std::array<double, 2> pixel(const std::array<double, 3>& p_W) const;
};

/// `protobeam view` (or another command) in a window of a Desktop, driven by `person`; its end is
/// asked for when `person` returns.
class Session {
 public:
  Session(const Desktop& desktop, std::filesystem::path shots, pid_t program)
      : desktop_(desktop), shots_(std::move(shots)), program_(program) {}

  /// The window's number, once it shows. Throws after a minute.
  const std::string& window();
  // In pixels of the window, from its upper left corner.
  void click(double x, double y);
  void drag(int button, double x, double y, double dx, double dy);
  /// Presses P and reads what the window wrote.
  Shot shot();
  /// Shots until one is as wanted, for some seconds; the last one in any case.
  Shot shot_when(const std::function<bool(const Shot&)>& wanted);
  bool ended() const;      ///< the program, by itself
  void await_end() const;  ///< for 100 s at most
  const Desktop& desktop() const { return desktop_; }

 private:
  const Desktop& desktop_;
  std::filesystem::path shots_;
  pid_t program_;
  std::string window_;
  int number_ = 0;
};

/// Runs `protobeam WORDS --screenshots ...` on the desktop, and a person before it.
Outcome run_with_person(const Desktop& desktop, const std::filesystem::path& shots,
                        std::vector<std::string> words,
                        const std::function<void(Session&)>& person);

/// Pixels in a box [x0, y0, x1, y1] that differ by more than `least` in a channel.
int changed_pixels(const Image& a, const Image& b, const std::array<double, 4>& box,
                   int least = 12);
std::array<double, 4> whole(const Image& image);

}  // namespace protobeam::test
