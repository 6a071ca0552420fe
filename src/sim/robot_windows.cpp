#include "sim/robot_windows.h"

#include <system_error>
#include <utility>

#include "sim/model.h"

namespace protobeam {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t kMostTexts = 10'000, kMostBytes = 64'000'000;

}  // namespace

void WindowTexts::add(WindowText text) {
  bytes_ += text.text.size();
  texts_.push_back(std::move(text));
  while (texts_.size() > 1 && (texts_.size() > kMostTexts || bytes_ > kMostBytes)) {
    bytes_ -= texts_.front().text.size();
    texts_.pop_front();
    ++first_;
  }
}

std::vector<WindowText> WindowTexts::take() {
  std::vector<WindowText> out(std::make_move_iterator(texts_.begin()),
                              std::make_move_iterator(texts_.end()));
  first_ = end();
  texts_.clear();
  bytes_ = 0;
  return out;
}

std::vector<fs::path> project_folders(const RobotInfo& robot, const fs::path& project,
                                      const fs::path& name) {
  std::vector<fs::path> folders = {project / name};
  // A PROTO's robot brings its own along: protos/x/R.proto -> controllers/.
  for (fs::path up = robot.proto_file.parent_path(); !up.empty(); up = up.parent_path()) {
    if (up.filename() == "protos") folders.push_back(up.parent_path() / name);
    if (up == up.parent_path()) break;
  }
  return folders;
}

fs::path window_page(const RobotInfo& robot, const fs::path& project) {
  const std::string& name = robot.window;
  // "<generic>", "<none>" and "void" are none of ours, nor is anything with a slash.
  if (name.empty() || name.front() == '<' || name.find('/') != std::string::npos) return {};
  for (const fs::path& folder : project_folders(robot, project, "plugins/robot_windows")) {
    const fs::path page = folder / name / (name + ".html");
    std::error_code ignored;
    if (fs::is_regular_file(page, ignored)) return page;
  }
  return {};
}

}  // namespace protobeam
