#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <set>

#include "base/text.h"
#include "base/whole_file.h"
#include "sweep/description.h"
#include "sweep/yaml_reader.h"

namespace protobeam::sweep {
namespace {

constexpr std::size_t kLargestFile = 16u << 20;
constexpr std::size_t kLongestGrid = 1'000'000;
constexpr double kLargestWhole = 9007199254740992.0;  // what a double holds exactly

/// Columns that the manifest has anyway.
const std::array<std::string, 12> kColumns{"id",         "state", "attempts", "exit",
                                           "state_hash", "wall",  "version",  "machine",
                                           "worker",     "began", "message",  "rowid"};

std::string lower(std::string text) {
  for (char& c : text) c = static_cast<char>(c >= 'A' && c <= 'Z' ? c - 'A' + 'a' : c);
  return text;
}

bool is_name(const std::string& text) {
  const auto letter = [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
  };
  return !text.empty() && text.size() <= 60 && letter(text[0]) &&
         std::ranges::all_of(text, [&](char c) { return letter(c) || (c >= '0' && c <= '9'); });
}

class DescriptionReader : YamlReader {
 public:
  DescriptionReader(const std::string& name, std::string text, std::filesystem::path folder,
                    bool look_for_world, Diagnostics& diagnostics)
      : YamlReader(std::make_shared<SourceText>(name, std::move(text)), diagnostics),
        folder_(std::move(folder)),
        look_for_world_(look_for_world) {}

  std::optional<Description> read() {
    out_.text = source_->text();
    out_.folder = folder_;
    YAML::Node root;
    try {
      root = YAML::Load(out_.text);
      if (!root.IsMap()) {
        error(root.Mark(), "a sweep is a list of names and values, as in world: yard.wbt");
        return std::nullopt;
      }
      read_root(root);
    } catch (const YAML::Exception& problem) {
      error(problem.mark, problem.msg);
    }
    if (diagnostics_.has_errors()) return std::nullopt;
    return std::move(out_);
  }

 private:
  void read_root(const YAML::Node& root) {
    keys(root, "a sweep",
         {"world", "duration", "options", "parameters", "list", "samples", "metrics",
          "controller_results", "time_limit", "memory", "retries", "keep"});
    if (const auto world = root["world"]; world && !scalar(world).empty()) {
      out_.world = std::filesystem::path(scalar(world));
      if (out_.world.is_relative()) out_.world = folder_ / out_.world;
      out_.world = out_.world.lexically_normal();
      if (look_for_world_ && !std::filesystem::is_regular_file(out_.world)) {
        error(world.Mark(), fmt::format("there is no file '{}'", out_.world.string()),
              "worlds are looked for beside this file");
      }
    } else {
      error(root.Mark(), "a sweep needs its world, as in world: yard.wbt");
    }
    positive(root["duration"], "duration", out_.duration, 1e9);
    positive(root["time_limit"], "time_limit", out_.time_limit, 1e9);
    positive(root["memory"], "memory", out_.memory, 1e6);
    out_.keep = flag(root["keep"], "keep");
    if (const auto node = root["retries"])
      out_.retries = static_cast<int>(whole(node, "retries", 0, 1000));
    for (const YAML::Node& node : sequence(root["options"], "options")) {
      out_.options.push_back(scalar(node));
    }
    for (const YAML::Node& node : sequence(root["controller_results"], "controller_results")) {
      out_.results.push_back(static_cast<int>(whole(node, "an exit status", 1, 255)));
    }
    if (const auto parameters = root["parameters"]) {
      if (!parameters.IsMap()) error(parameters.Mark(), "parameters are names, with what they set");
      if (parameters.IsMap()) {
        for (const auto& entry : parameters) parameter(entry.first, entry.second);
      }
    }
    samples(root);
    list(root);
    if (const auto metrics = root["metrics"]) {
      if (!metrics.IsMap()) error(metrics.Mark(), "metrics are names, with where they come from");
      if (metrics.IsMap()) {
        for (const auto& entry : metrics) metric(entry.first, entry.second);
      }
    }
  }

  // --- parameters

  void parameter(const YAML::Node& key, const YAML::Node& node) {
    Parameter out;
    out.name = column(key);
    if (!node.IsMap()) {
      error(node.Mark(), fmt::format("parameter '{}' needs what it sets", out.name),
            "as in {field: CAR.maxSpeed, values: [1, 2]}");
      return;
    }
    keys(node, fmt::format("parameter '{}'", out.name),
         {"field", "robot", "argument", "environment", "seed", "values", "from", "to", "step",
          "count", "uniform", "log_uniform", "normal", "whole"});
    target(key, node, out);
    out.whole = flag(node["whole"], "whole");
    const int before = diagnostics_.error_count();
    values(key, node, out);
    if (out.target == Parameter::Target::kSeed) {
      for (const std::string& value : out.values) {
        if (diagnostics_.error_count() == before &&
            !std::ranges::all_of(value, [](char c) { return c >= '0' && c <= '9'; })) {
          error(key.Mark(),
                fmt::format("a seed is a whole number from 0 on, and not '{}'", printable(value)));
        }
      }
    }
    out_.parameters.push_back(std::move(out));
  }

  void target(const YAML::Node& key, const YAML::Node& node, Parameter& out) {
    using Target = Parameter::Target;
    int targets = 0;
    const auto take = [&](const char* name, Target what) {
      const YAML::Node value = node[name];
      if (!value) return;
      ++targets;
      out.target = what;
      if (what != Target::kSeed && what != Target::kArgument) out.path = word(value, name);
    };
    take("field", Target::kField);
    take("argument", Target::kArgument);
    take("environment", Target::kEnvironment);
    take("seed", Target::kSeed);
    if (targets != 1) {
      error(key.Mark(),
            fmt::format("parameter '{}' sets {}", out.name,
                        targets == 0 ? "nothing" : "several things"),
            "write one of field: PATH, robot: and argument:, environment: NAME, seed: true");
      return;
    }
    if (out.target == Target::kField && out.path.find('.') == std::string::npos) {
      error(node["field"].Mark(), fmt::format("'{}' names no field", printable(out.path)),
            "write what has the field, a dot and the field: CAR.maxSpeed");
    }
    if (out.target == Target::kEnvironment && !is_name(out.path)) {
      error(node["environment"].Mark(),
            fmt::format("'{}' is no name of a variable", printable(out.path)));
    }
    if (out.target == Target::kSeed) {
      if (!flag(node["seed"], "seed")) error(node["seed"].Mark(), "write seed: true");
      for (const Parameter& other : out_.parameters) {
        if (other.target == Target::kSeed)
          error(key.Mark(), fmt::format("'{}' is the seed already", other.name));
      }
    }
    if (out.target == Target::kArgument) {
      out.option = scalar(node["argument"]);
      const YAML::Node robot = node["robot"];
      if (!robot)
        error(key.Mark(), fmt::format("parameter '{}' is an argument of which robot?", out.name),
              "write robot: NAME");
      if (robot) out.path = word(robot, "robot");
    } else if (node["robot"]) {
      error(node["robot"].Mark(), "'robot' belongs to 'argument'");
    }
  }

  void values(const YAML::Node& key, const YAML::Node& node, Parameter& out) {
    using Source = Parameter::Source;
    Names given;
    for (const char* name : {"values", "from", "uniform", "log_uniform", "normal"}) {
      if (node[name]) given.emplace_back(name);
    }
    if (given.size() > 1) {
      error(node[given[1]].Mark(),
            fmt::format("parameter '{}' has '{}' and '{}'", out.name, given[0], given[1]),
            "one says all");
      return;
    }
    for (const char* name : {"to", "step", "count"}) {
      if (node[name] && (given.empty() || given[0] != "from")) {
        error(node[name].Mark(), fmt::format("'{}' belongs to 'from'", name));
      }
    }
    if (given.empty()) {
      out.source = Source::kList;
    } else if (given[0] == "values") {
      std::set<std::string> seen;
      for (const YAML::Node& value : sequence(node["values"], "values")) {
        out.values.push_back(text_of(value));
        if (!seen.insert(out.values.back()).second) {
          error(value.Mark(), fmt::format("'{}' is there twice", printable(out.values.back())));
        }
      }
      if (out.values.empty())
        error(node["values"].Mark(), fmt::format("parameter '{}' has no values", out.name));
    } else if (given[0] == "from") {
      range(key, node, out);
    } else {
      out.source = given[0] == "uniform"       ? Source::kUniform
                   : given[0] == "log_uniform" ? Source::kLogUniform
                                               : Source::kNormal;
      distribution(node[given[0]], given[0], out);
    }
  }

  void range(const YAML::Node& key, const YAML::Node& node, Parameter& out) {
    const double from = number(node["from"], "from");
    if (!node["to"]) {
      error(key.Mark(), fmt::format("parameter '{}' has 'from' without 'to'", out.name));
      return;
    }
    const double to = number(node["to"], "to");
    if (node["step"] && node["count"]) {
      error(node["count"].Mark(), "'step' and 'count' say the same twice");
      return;
    }
    if (!std::isfinite(from) || !std::isfinite(to)) return;
    if (!std::isfinite(to - from)) {
      error(node["from"].Mark(), too_wide(out.name, from, to));
      return;
    }
    if (from > to) {
      error(node["from"].Mark(),
            fmt::format("the range of '{}' is reversed: from {:g} to {:g}", out.name, from, to),
            "exchange the two");
      return;
    }
    double step = 1;
    std::size_t count = 0;
    if (node["count"]) {
      count = static_cast<std::size_t>(whole(node["count"], "count", 1, kLongestGrid));
      step = count > 1 ? (to - from) / static_cast<double>(count - 1) : 0;
    } else {
      if (node["step"]) positive(node["step"], "step", step, std::numeric_limits<double>::max());
      const double steps = std::floor((to - from) / step * (1 + 1e-12) + 1e-9);
      if (!(steps < kLongestGrid)) {
        error(node["from"].Mark(),
              fmt::format("the range of '{}' has more than {} values", out.name, kLongestGrid));
        return;
      }
      count = static_cast<std::size_t>(steps) + 1;
    }
    for (std::size_t i = 0; i < count; ++i) {
      // Twelve digits: 0.7 and not 0.7000000000000001. Whole numbers, such as seeds, keep all
      // theirs.
      const double value = from + step * static_cast<double>(i);
      const bool exact = value == std::floor(value) && std::abs(value) < kLargestWhole;
      out.values.push_back(exact ? fmt::format("{}", static_cast<std::int64_t>(value))
                                 : fmt::format("{:.12g}", value));
    }
  }

  void distribution(const YAML::Node& node, const std::string& name, Parameter& out) {
    const std::vector<YAML::Node> two = sequence(node, name);
    if (two.size() != 2) {
      error(node.Mark(), name == "normal" ? "normal needs [mean, standard deviation]"
                                          : name + " needs [lowest, highest]");
      return;
    }
    out.first = number(two[0], name);
    out.second = number(two[1], name);
    if (!std::isfinite(out.first) || !std::isfinite(out.second)) return;
    if (name == "normal") {
      if (!(out.second > 0)) error(two[1].Mark(), "a standard deviation must be > 0");
    } else if (!(out.first < out.second)) {
      error(node.Mark(),
            fmt::format("the range of '{}' is reversed: {:g} to {:g}", out.name, out.first,
                        out.second),
            "the lowest value comes first");
    } else if (name == "log_uniform" && !(out.first > 0)) {
      error(two[0].Mark(), "the lowest value of log_uniform must be > 0");
    } else if (!std::isfinite(out.second - out.first) ||
               (name == "log_uniform" && !std::isfinite(out.second / out.first))) {
      error(node.Mark(), too_wide(out.name, out.first, out.second));
    }
    const bool seed = out.target == Parameter::Target::kSeed;
    if (seed && (name == "normal" || out.first < 0)) {
      error(node.Mark(), "a seed is a whole number from 0 on");
    }
    out.whole = out.whole || seed;
    farthest(node, name, out);
  }

  static std::string too_wide(const std::string& name, double from, double to) {
    return fmt::format("the range of '{}' is too wide: {:g} to {:g}", name, from, to);
  }

  /// Whether all values that may come can be written.
  void farthest(const YAML::Node& node, const std::string& name, const Parameter& out) {
    constexpr double kDeviations = 10;  // of a normal distribution none of 2^53 values is beyond
    const double low = out.first, high = out.second;
    const double far = name == "normal" ? std::abs(low) + kDeviations * high
                                        : std::max(std::abs(low), std::abs(high));
    if (!(far <= (out.whole ? kLargestWhole : std::numeric_limits<double>::max()))) {
      error(node.Mark(), fmt::format("values of '{}' may be as large as {:g}", out.name, far),
            out.whole ? "whole numbers go to 2^53" : "");
    } else if (out.whole && name != "normal" && low < high && std::ceil(low) > std::floor(high)) {
      error(node.Mark(), fmt::format("there is no whole number from {:g} to {:g}", low, high));
    }
  }

  // --- samples and list

  void samples(const YAML::Node& root) {
    Names random;
    for (const Parameter& parameter : out_.parameters) {
      using Source = Parameter::Source;
      if (parameter.source != Source::kGrid && parameter.source != Source::kList)
        random.push_back(parameter.name);
    }
    const YAML::Node node = root["samples"];
    if (!node) {
      if (!random.empty()) {
        error(root["parameters"].Mark(),
              fmt::format("'{}' is random: how many samples?", random[0]),
              "write samples: {count: 100, method: latin_hypercube, seed: 1}");
      }
      return;
    }
    if (!node.IsMap()) {
      error(node.Mark(), "samples has a count, as in samples: {count: 100}");
      return;
    }
    keys(node, "samples", {"count", "method", "seed"});
    if (random.empty())
      error(node.Mark(), "no parameter is random: there is nothing to sample",
            "a random one has uniform, log_uniform or normal");
    if (!node["count"]) error(node.Mark(), "samples needs its count");
    if (node["count"]) {
      out_.samples.count = static_cast<std::size_t>(whole(node["count"], "count", 1, 100e6));
    }
    if (node["seed"]) {
      out_.samples.seed = static_cast<std::uint64_t>(whole(node["seed"], "seed", 0, kLargestWhole));
    }
    if (const auto method = node["method"]) {
      const Names known{"random", "latin_hypercube"};
      const std::string name = scalar(method);
      out_.samples.latin_hypercube = name == known[1];
      if (std::ranges::find(known, name) == known.end()) {
        const std::string hint = did_you_mean(name, known);
        error(method.Mark(), fmt::format("there is no method '{}'", printable(name)),
              hint.empty() ? "there are random and latin_hypercube" : hint);
      }
    }
  }

  void list(const YAML::Node& root) {
    Names listed;
    for (const Parameter& parameter : out_.parameters) {
      if (parameter.source == Parameter::Source::kList) listed.push_back(parameter.name);
    }
    const YAML::Node node = root["list"];
    if (!node) {
      if (!listed.empty()) {
        error(root["parameters"].Mark(), fmt::format("parameter '{}' has no values", listed[0]),
              "write values, from and to, uniform, log_uniform or normal, or a list");
      }
      return;
    }
    const std::vector<YAML::Node> rows = sequence(node, "list");
    if (rows.empty()) error(node.Mark(), "the list is empty");
    for (const YAML::Node& row : rows) {
      if (!row.IsMap()) {
        error(row.Mark(), "an entry of the list has names and values, as in {speed: 1, mass: 20}");
        continue;
      }
      keys(row, "this entry", listed);
      std::vector<std::string> values;
      for (const std::string& name : listed) {
        if (!row[name]) {
          error(row.Mark(), fmt::format("'{}' is missing in this entry", name));
        } else {
          values.push_back(text_of(row[name]));
        }
      }
      out_.list.push_back(std::move(values));
    }
  }

  // --- metrics

  void metric(const YAML::Node& key, const YAML::Node& node) {
    Metric out;
    out.name = column(key);
    out.source = out.name;
    if (node.IsNull()) {
      out_.metrics.push_back(out);
      return;
    }
    if (!node.IsMap()) {
      error(node.Mark(), fmt::format("metric '{}' needs where it comes from", out.name),
            "as in {controller: distance}, {summary: /real_time_factor}");
      return;
    }
    keys(node, fmt::format("metric '{}'", out.name),
         {"controller", "robot", "summary", "trajectory_error", "optional"});
    out.optional = flag(node["optional"], "optional");
    if (node["robot"]) out.robot = word(node["robot"], "robot");
    if (node["controller"]) out.source = word(node["controller"], "controller");
    const int sources = (node["controller"] ? 1 : 0) + (node["summary"] ? 1 : 0) +
                        (node["trajectory_error"] ? 1 : 0);
    if (sources > 1) error(key.Mark(), fmt::format("metric '{}' has several sources", out.name));
    if (const auto summary = node["summary"]) {
      out.kind = Metric::Kind::kSummary;
      out.source = word(summary, "summary");
      if (!out.source.starts_with('/')) {
        error(summary.Mark(), fmt::format("'{}' is no JSON pointer", printable(out.source)),
              "as in /real_time_factor or /devices/0/mean_range_m");
      }
    }
    if (const auto error_of = node["trajectory_error"]) trajectory(key, error_of, out);
    out_.metrics.push_back(std::move(out));
  }

  void trajectory(const YAML::Node& key, const YAML::Node& node, Metric& out) {
    out.kind = Metric::Kind::kTrajectoryError;
    if (!node.IsMap()) {
      error(node.Mark(), "a trajectory_error compares two files",
            "as in {estimate: slam.tum, truth: poses/rover.tum}");
      return;
    }
    keys(node, "trajectory_error", {"estimate", "truth", "align", "time_difference"});
    for (const auto& [name, file] :
         {std::pair{"estimate", &out.estimate}, std::pair{"truth", &out.truth}}) {
      if (!node[name])
        error(key.Mark(),
              fmt::format("metric '{}' needs '{}', a file in the run's folder", out.name, name));
      if (!node[name]) continue;
      *file = word(node[name], name);
      const std::filesystem::path path(*file);
      if (path.is_absolute() || path.lexically_normal().string().starts_with("..")) {
        error(node[name].Mark(), fmt::format("'{}' is not in the run's folder", printable(*file)));
      }
    }
    positive(node["time_difference"], "time_difference", out.time_difference, 1e9);
    if (const auto align = node["align"]) {
      const Names known{"none", "rigid", "scaled"};
      const auto found = std::ranges::find(known, scalar(align));
      if (found == known.end()) {
        error(align.Mark(), fmt::format("there is no alignment '{}'", printable(scalar(align))),
              "there are none, rigid and scaled");
      } else {
        out.alignment = static_cast<Metric::Alignment>(found - known.begin());
      }
    }
  }

  // --- values

  /// A new name of a column.
  std::string column(const YAML::Node& key) {
    const std::string name = scalar(key);
    if (!is_name(name)) {
      error(key.Mark(), fmt::format("'{}' is no name", printable(name)),
            "names have letters, digits and _, and at most 60 of them");
    } else if (std::ranges::find(kColumns, lower(name)) != kColumns.end()) {
      error(key.Mark(), fmt::format("'{}' is a column of every manifest", name),
            "choose another name");
    } else if (!columns_.insert(lower(name)).second) {
      error(key.Mark(), fmt::format("'{}' is there twice", name));
    } else if (columns_.size() > 500) {
      error(key.Mark(), "more than 500 parameters and metrics");
    }
    return name;
  }

  std::filesystem::path folder_;
  bool look_for_world_;
  Description out_;
  std::set<std::string> columns_;
};

}  // namespace

bool Description::needs_folder() const {
  return keep ||
         std::ranges::any_of(
             metrics,
             [](const Metric& metric) { return metric.kind == Metric::Kind::kTrajectoryError; }) ||
         std::ranges::any_of(options, [](const std::string& option) {
           return option.find("{out}") != std::string::npos;
         });
}

std::optional<Description> read_description_text(const std::string& name, std::string text,
                                                 const std::filesystem::path& folder,
                                                 Diagnostics& diagnostics) {
  return DescriptionReader(name, std::move(text), folder, false, diagnostics).read();
}

std::optional<Description> read_description(const std::filesystem::path& file,
                                            Diagnostics& diagnostics) {
  std::string text = read_whole_file(file, kLargestFile);
  const auto folder = std::filesystem::absolute(file).parent_path();
  return DescriptionReader(file.string(), std::move(text), folder, true, diagnostics).read();
}

}  // namespace protobeam::sweep
