#include "viewer/offscreen/osg_util.h"

#include <spdlog/spdlog.h>

#include <mutex>
#include <osg/Notify>
#include <string_view>

namespace protobeam::viewer {
namespace {

class LogNotices : public osg::NotifyHandler {
 public:
  void notify(osg::NotifySeverity, const char* message) override {
    std::string_view line = message;
    while (!line.empty() && (line.back() == '\n' || line.back() == '\r')) line.remove_suffix(1);
    if (!line.empty()) spdlog::debug("OSG: {}", line);
  }
};

}  // namespace

void quiet_osg() {
  static std::once_flag once;
  std::call_once(once, [] {
    osg::setNotifyHandler(new LogNotices);
    osg::setNotifyLevel(osg::WARN);
  });
}

}  // namespace protobeam::viewer
