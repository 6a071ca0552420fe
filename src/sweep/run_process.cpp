#include "sweep/run_process.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <map>
#include <nlohmann/json.hpp>
#include <stdexcept>

#include "base/text.h"
#include "sweep/trajectory_error.h"

namespace protobeam::sweep {
namespace fs = std::filesystem;
namespace {

using nlohmann::json;

constexpr std::size_t kMostOut = 64u << 20;
constexpr std::size_t kMostErr = 16u << 10;  ///< the last of it
constexpr std::size_t kLongestMessage = 400;

/// A text of Webots' language.
std::string text_value(const std::string& text) {
  std::string out = "\"";
  for (const char c : text) {
    if (c == '"' || c == '\\') out += '\\';
    out += c;
  }
  return out + "\"";
}

/// The first line that says what is wrong, or the last one.
std::string told(const std::string& err) {
  std::string first, last;
  for (std::size_t begin = 0; begin < err.size();) {
    const std::size_t end = std::min(err.find('\n', begin), err.size());
    const std::string line = err.substr(begin, end - begin);
    begin = end + 1;
    if (line.empty()) continue;
    last = line;
    if (first.empty() && line.find("error: ") != std::string::npos) first = line;
  }
  return printable((first.empty() ? last : first).substr(0, kLongestMessage));
}

/// A JSON number, or what JSON has no number for: "nan", "inf".
std::optional<double> number_of(const json& value, std::string& problem) {
  if (value.is_boolean()) return value.get<bool>() ? 1.0 : 0.0;
  if (value.is_number()) return value.get<double>();
  problem = value.is_null() ? "has no value" : fmt::format("is {}", value.dump().substr(0, 40));
  return std::nullopt;
}

std::optional<double> controller_metric(const Metric& metric, const json& summary,
                                        std::string& problem) {
  std::vector<std::string> others;
  const json* found = nullptr;
  const json metrics = summary.value("metrics", json::array());
  for (const json& one : metrics) {
    const std::string name = one.value("name", ""), robot = one.value("robot", "");
    if (!metric.robot.empty() && robot != metric.robot) continue;
    others.push_back(name);
    if (name != metric.source) continue;
    if (found) {
      problem = "was given by several robots; write robot: NAME";
      return std::nullopt;
    }
    found = &one.at("value");
  }
  if (found) return number_of(*found, problem);
  problem = fmt::format("no controller gave '{}'", metric.source);
  if (const std::string hint = did_you_mean(metric.source, others); !hint.empty())
    problem += "; " + hint;
  return std::nullopt;
}

std::optional<double> metric_of(const Metric& metric, const json& summary, const fs::path& folder,
                                std::string& problem) {
  try {
    switch (metric.kind) {
      case Metric::Kind::kController:
        return controller_metric(metric, summary, problem);
      case Metric::Kind::kSummary: {
        const json::json_pointer pointer(metric.source);
        if (summary.contains(pointer)) return number_of(summary[pointer], problem);
        problem = fmt::format("there is no {} in what run --json says", metric.source);
        return std::nullopt;
      }
      case Metric::Kind::kTrajectoryError: {
        const auto estimate = read_tum(folder / metric.estimate);
        return absolute_trajectory_error(estimate, read_tum(folder / metric.truth),
                                         metric.alignment, metric.time_difference);
      }
    }
  } catch (const std::exception& error) {
    problem = error.what();
  }
  return std::nullopt;
}

/// ": " and the last line that the robot's controller has printed; "" without any.
std::string last_words(const std::string& robot, const std::string& err) {
  const std::string before = "[" + robot + "] ";
  std::string last;
  for (std::size_t begin = 0; begin < err.size();) {
    const std::size_t end = std::min(err.find('\n', begin), err.size());
    const std::string_view line = std::string_view(err).substr(begin, end - begin);
    begin = end + 1;
    if (!line.starts_with(before)) continue;
    const std::string_view said = line.substr(before.size());
    if (said.find_first_not_of(" \t\r") != said.npos) last = said;
  }
  return last.empty() ? "" : ": " + last;
}

/// "" when controllers that failed have ended with what counts as a result.
std::string failed_controllers(const Description& description, const json& summary,
                               const std::string& err) {
  for (const json& controller : summary.value("controllers", json::array())) {
    if (!controller.value("failed", false)) continue;
    const int exit = controller.value("exit", 1);
    const std::string what = controller.value("what", "");
    const bool result = std::ranges::find(description.results, exit) != description.results.end();
    if (!result || !what.starts_with("exited with status")) {
      const std::string robot = controller.value("robot", "");
      return fmt::format("controller '{}' of {} {}{}", controller.value("name", ""), robot, what,
                         last_words(robot, err));
    }
  }
  return "";
}

/// Takes what is there; closes it at its end.
void read_some(Descriptor& from, std::string& into) {
  char block[1 << 15];
  while (from.open()) {
    const ssize_t got = ::read(from.get(), block, sizeof block);
    if (got > 0) {
      into.append(block, static_cast<std::size_t>(got));
    } else if (got == 0 || (errno != EINTR && errno != EAGAIN)) {
      from.close();
    } else if (errno == EAGAIN) {
      return;
    }
  }
}

}  // namespace

RunCommand run_command(const Description& description, const std::vector<std::string>& values,
                       const std::string& program, std::int64_t run, const fs::path& out) {
  RunCommand command;
  command.argv = {program,     "run",        description.world.string(),
                  "--json",    "--duration", fmt::format("{}", description.duration),
                  "--threads", "1"};
  command.environment["PROTOBEAM_SWEEP_RUN"] = std::to_string(run);
  // All arguments of a robot are one field.
  std::map<std::string, std::string> arguments;
  for (std::size_t i = 0; i < values.size(); ++i) {
    const Parameter& parameter = description.parameters[i];
    switch (parameter.target) {
      case Parameter::Target::kSeed:
        command.argv.insert(command.argv.end(), {"--seed", values[i]});
        break;
      case Parameter::Target::kField:
        command.argv.insert(command.argv.end(), {"--set", parameter.path + "=" + values[i]});
        break;
      case Parameter::Target::kEnvironment:
        command.environment[parameter.path] = values[i];
        break;
      case Parameter::Target::kArgument: {
        std::string& all = arguments[parameter.path];
        if (!parameter.option.empty()) all += " " + text_value(parameter.option);
        all += " " + text_value(values[i]);
        break;
      }
    }
  }
  for (const auto& [robot, all] : arguments) {
    command.argv.insert(command.argv.end(), {"--set", robot + ".controllerArgs=" + all.substr(1)});
  }
  for (std::string option : description.options) {
    for (std::size_t at; (at = option.find("{out}")) != std::string::npos;) {
      option.replace(at, 5, out.string());
    }
    command.argv.push_back(std::move(option));
  }
  if (!out.empty()) {
    command.argv.insert(command.argv.end(), {"--out", out.string(), "--no-pictures", "--poses"});
    command.environment["PROTOBEAM_SWEEP_OUT"] = out.string();
  }
  return command;
}

std::string shell_text(const RunCommand& command) {
  std::string out;
  const auto add = [&](const std::string& word) {
    const bool plain = !word.empty() && std::ranges::all_of(word, [](char c) {
      return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
             std::string_view("_-./=:,+@").find(c) != std::string_view::npos;
    });
    if (!out.empty()) out += ' ';
    if (plain) {
      out += word;
      return;
    }
    out += '\'';
    for (const char c : word) out += c == '\'' ? std::string("'\\''") : std::string(1, c);
    out += '\'';
  };
  for (const auto& [name, value] : command.environment) {
    if (!name.starts_with("PROTOBEAM_SWEEP_")) add(name + "=" + value);
  }
  for (const std::string& word : command.argv) add(word);
  return out;
}

Outcome outcome_of(const Description& description, int exit, const std::string& out,
                   const std::string& err, const fs::path& folder) {
  Outcome outcome;
  outcome.exit = exit;
  outcome.metrics.resize(description.metrics.size());
  const json summary = json::parse(out, nullptr, false);
  outcome.usable = summary.is_object() && summary.contains("state_hash");
  if (!outcome.usable) {
    outcome.message = told(err);
    if (exit > 128) {
      outcome.message = fmt::format("was killed by signal {}", exit - 128) +
                        (outcome.message.empty() ? "" : ": " + outcome.message);
      outcome.usable = true;  // which says nothing about the world
    }
    if (outcome.message.empty())
      outcome.message = fmt::format("exited with status {} and no summary", exit);
    return outcome;
  }
  outcome.state_hash = summary.value("state_hash", "");
  std::string missing;
  for (std::size_t i = 0; i < description.metrics.size(); ++i) {
    const Metric& metric = description.metrics[i];
    std::string problem;
    outcome.metrics[i] = metric_of(metric, summary, folder, problem);
    if (!outcome.metrics[i] && !metric.optional && missing.empty()) {
      missing = fmt::format("metric '{}' {}", metric.name, problem);
    }
  }
  constexpr int kControllerFailed = 3;
  if (exit == kControllerFailed) {
    outcome.message = failed_controllers(description, summary, err);
  } else if (exit != 0) {
    outcome.message = told(err);
    if (outcome.message.empty()) outcome.message = fmt::format("exited with status {}", exit);
  }
  if (outcome.message.empty()) outcome.message = missing;
  outcome.message = printable(outcome.message.substr(0, kLongestMessage));
  outcome.done = outcome.message.empty();
  return outcome;
}

RunProcess::RunProcess(const Description& description, std::int64_t run, const RunCommand& command,
                       fs::path out)
    : description_(description),
      run_(run),
      folder_(std::move(out)),
      process_({.argv = command.argv, .environment = command.environment}),
      begin_(std::chrono::steady_clock::now()) {
  for (const int fd : {this->out(), err()}) fcntl(fd, F_SETFL, fcntl(fd, F_GETFL) | O_NONBLOCK);
}

RunProcess::~RunProcess() {
  process_.kill();
  if (folder_.empty() || description_.keep) return;
  std::error_code ignored;
  fs::remove_all(folder_, ignored);
}

double RunProcess::wall() const {
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - begin_).count();
}

void RunProcess::read() {
  read_some(process_.out(), out_);
  read_some(process_.err(), err_);
  if (err_.size() > 2 * kMostErr) err_.erase(0, err_.size() - kMostErr);
  if (out_.size() > kMostOut) process_.kill();  // no summary is as long
}

void RunProcess::time_out() {
  timed_out_ = true;
  process_.kill();
}

Outcome RunProcess::outcome() {
  read();
  Outcome outcome =
      outcome_of(description_, exit_code(process_.wait_status()), out_, err_, folder_);
  if (timed_out_) {
    outcome.done = false;
    outcome.message =
        fmt::format("took longer than the time_limit of {:g} s", description_.time_limit);
  }
  return outcome;
}

}  // namespace protobeam::sweep
