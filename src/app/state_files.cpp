#include "app/state_files.h"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <charconv>
#include <optional>
#include <span>
#include <stdexcept>
#include <string_view>

#include "base/state_archive.h"
#include "base/text.h"
#include "base/whole_file.h"

namespace protobeam {
namespace {

constexpr std::size_t kLargest = std::size_t{4} << 30;  // bytes

/// The time before the first ':', or nothing.
std::optional<double> time_of(std::string_view text) {
  const std::size_t colon = text.find(':');
  if (colon == std::string_view::npos || colon + 1 == text.size()) return {};
  double time = 0;
  const auto [end, problem] = std::from_chars(text.data(), text.data() + colon, time);
  if (problem != std::errc() || end != text.data() + colon || !(time > 0 && time <= 1e9)) return {};
  return time;
}

CLI::Validator save_argument() {
  return {
      [](const std::string& text) -> std::string {
        if (time_of(text)) return "";
        return fmt::format(
            "'{}' must be TIME:FILE, the simulated seconds and where to, as in 2.5:middle.state",
            printable(text));
      },
      "TIME:FILE"};
}

}  // namespace

void add_state_arguments(CLI::App& command, StateArguments& arguments) {
  command
      .add_option("--save-state", arguments.save,
                  "Save the state of the world at a simulated time, several times if wanted")
      ->check(save_argument())
      ->take_all();
  command.add_option("--from-state", arguments.from,
                     "Go on where a run of the same world was saved; controllers start anew");
}

StateFiles::StateFiles(Simulation& simulation, const StateArguments& arguments)
    : simulation_(simulation) {
  if (!arguments.from.empty()) {
    const std::string bytes = read_whole_file(arguments.from, kLargest);
    try {
      simulation_.restore(std::as_bytes(std::span(bytes)));
    } catch (const StateError& error) {
      throw std::runtime_error(fmt::format("{}: {}", printable(arguments.from), error.what()));
    }
  }
  for (const std::string& text : arguments.save) {
    const double time = *time_of(text);
    if (time < simulation_.time()) {
      throw std::runtime_error(fmt::format("--save-state {}: the run begins at {:g} s",
                                           printable(text), simulation_.time()));
    }
    wanted_.push_back({time, text.substr(text.find(':') + 1)});
  }
}

void StateFiles::after_step() {
  for (Wanted& wanted : wanted_) {
    // At the first step that ends at this time or later; rounding of the steps' sum is no later
    // one.
    if (wanted.done || simulation_.time() < wanted.time - 1e-9) continue;
    wanted.done = true;
    const std::vector<std::byte> bytes = simulation_.save();
    write_whole_file(wanted.file, {reinterpret_cast<const char*>(bytes.data()), bytes.size()});
  }
}

std::string StateFiles::missed() const {
  std::string all;
  for (const Wanted& wanted : wanted_) {
    if (wanted.done) continue;
    all += fmt::format("{}'{}' was not written: the run ended before {:g} s",
                       all.empty() ? "" : "; ", printable(wanted.file), wanted.time);
  }
  return all;
}

}  // namespace protobeam
