#include "app/log.h"

#include <spdlog/sinks/stdout_color_sinks.h>
#include <spdlog/spdlog.h>

#include "base/text.h"

namespace protobeam {
namespace {

spdlog::logger& logger() {
  static const auto made = [] {
    auto out = spdlog::stderr_color_mt("protobeam");
    out->set_pattern("%n: %^%l%$: %v");
    return out;
  }();
  return *made;
}

}  // namespace

void log_error(const std::string& message) { logger().error("{}", printable(message, true)); }
void log_note(const std::string& message) { logger().info("{}", printable(message, true)); }

}  // namespace protobeam
