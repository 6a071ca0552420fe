#include "app/log.h"

#include <spdlog/sinks/stdout_color_sinks.h>
#include <spdlog/spdlog.h>

#include <mutex>
#include <nlohmann/json.hpp>

#include "app/diagnostics_json.h"
#include "app/standard_streams.h"
#include "app/world_options.h"
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

constexpr std::size_t kMostKept = 1000;

/// Any thread may log.
struct Kept {
  std::mutex mutex;
  nlohmann::json rows = nlohmann::json::array();
  int errors = 0, warnings = 0;

  void add(nlohmann::json row, Severity severity) {
    const std::lock_guard lock(mutex);
    ++(severity == Severity::kError ? errors : warnings);
    if (rows.size() < kMostKept) rows.push_back(std::move(row));
  }
};

Kept& kept() {
  static Kept all;
  return all;
}

}  // namespace

void log_error(const std::string& message) {
  Diagnostic one;
  one.message = message;
  nlohmann::json row = diagnostic_json(one, "");
  row.erase("file");
  kept().add(std::move(row), Severity::kError);
  logger().error("{}", printable(message, true));
}

void log_diagnostics(const Diagnostics& diagnostics, const std::string& file) {
  for (const Diagnostic& one : diagnostics.all())
    kept().add(diagnostic_json(one, file), one.severity);
  write_to(stderr, diagnostics.to_string(color_stderr()));
}

nlohmann::json logged_errors() {
  const std::lock_guard lock(kept().mutex);
  return {{"errors", kept().errors}, {"warnings", kept().warnings}, {"diagnostics", kept().rows}};
}

void log_note(const std::string& message) { logger().info("{}", printable(message, true)); }

}  // namespace protobeam
