#include "app/event_log.h"

#include <fmt/format.h>

namespace protobeam {
namespace {

/// As RFC 4180 has it: quoted, with each quote doubled.
std::string cell(std::string_view text) {
  std::string out = "\"";
  for (const char c : text) {
    if (c == '"') out += '"';
    out += c;
  }
  return out + '"';
}

}  // namespace

void EventLog::after_step() {
  for (const Simulation::Event& event : simulation_.events()) {
    if (!file_) {
      file_.emplace(file_name_);
      file_->add("time,robot,device,event\n");
    }
    const auto& robot = simulation_.model().robots[static_cast<std::size_t>(event.device->robot)];
    file_->add(fmt::format("{},{},{},{}\n", simulation_.time(), cell(robot.name),
                           cell(event.device->name), cell(event.what)));
  }
}

void EventLog::finish() {
  if (file_) file_->finish();
}

}  // namespace protobeam
