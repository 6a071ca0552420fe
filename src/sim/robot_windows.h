// Robot windows: pages of HTML beside a world that talk with the controllers of their robots
// (wb_robot_wwi_*). As in Webots (docs/guide/controller-plugin.md of
// github.com/cyberbotics/webots).
#pragma once

#include <cstdint>
#include <deque>
#include <filesystem>
#include <string>
#include <vector>

namespace protobeam {

struct RobotInfo;

struct WindowText {
  std::string robot, text;
};

/// Texts on their way. Whoever does not take them loses the oldest.
class WindowTexts {
 public:
  void add(WindowText text);
  /// In the order in which they came.
  std::vector<WindowText> take();

  /// Each has a number: those that are here are first() and on, below end().
  std::uint64_t first() const { return first_; }
  std::uint64_t end() const { return first_ + texts_.size(); }
  const WindowText& operator[](std::uint64_t number) const { return texts_[number - first_]; }

 private:
  std::deque<WindowText> texts_;
  std::uint64_t first_ = 0;
  std::size_t bytes_ = 0;
};

/// plugins/robot_windows/NAME/NAME.html of the world's project, or of that which the robot's PROTO
/// belongs to; empty for a robot that has no window of its own.
std::filesystem::path window_page(const RobotInfo& robot, const std::filesystem::path& project);

/// The folders of projects where what a robot names may lie: `name` in the world's, then beside the
/// `protos` folders above its PROTO.
std::vector<std::filesystem::path> project_folders(const RobotInfo& robot,
                                                   const std::filesystem::path& project,
                                                   const std::filesystem::path& name);

}  // namespace protobeam
