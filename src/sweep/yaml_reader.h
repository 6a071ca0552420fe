// What readers of YAML have in common: values with their types, unknown names, messages with the
// place.
#pragma once

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <yaml-cpp/yaml.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <memory>
#include <set>
#include <string>
#include <vector>

#include "base/diagnostics.h"
#include "base/text.h"

namespace protobeam::sweep {

class YamlReader {
 protected:
  using Names = std::vector<std::string>;

  YamlReader(std::shared_ptr<const SourceText> source, Diagnostics& diagnostics)
      : source_(std::move(source)), diagnostics_(diagnostics) {}

  static std::string scalar(const YAML::Node& node) { return node.IsScalar() ? node.Scalar() : ""; }

  std::string text_of(const YAML::Node& node) {
    if (node.IsScalar()) return node.Scalar();
    Names words;
    if (node.IsSequence()) {
      for (const YAML::Node& item : node) {
        if (!item.IsScalar()) error(item.Mark(), "a word or a number is expected here");
        words.push_back(scalar(item));
      }
    } else {
      error(node.Mark(), "a value is a number, a word or a list of numbers");
    }
    return fmt::format("{}", fmt::join(words, " "));
  }

  std::string word(const YAML::Node& node, const std::string& name) {
    if (scalar(node).empty()) error(node.Mark(), fmt::format("'{}' is empty", name));
    return scalar(node);
  }

  double number(const YAML::Node& node, const std::string& name) {
    double value = std::numeric_limits<double>::quiet_NaN();
    if (!node.IsScalar() || !YAML::convert<double>::decode(node, value) || !std::isfinite(value)) {
      error(node.Mark(), fmt::format("'{}' must be a finite number, and not '{}'", name,
                                     printable(node.IsScalar() ? node.Scalar() : "a list")));
      return std::numeric_limits<double>::quiet_NaN();
    }
    return value;
  }

  double whole(const YAML::Node& node, const std::string& name, double least, double most) {
    const double value = number(node, name);
    if (std::isnan(value)) return least;
    if (value != std::floor(value) || value < least || value > most) {
      error(node.Mark(),
            fmt::format("'{}' must be a whole number from {:.0f} to {:.0f}, and not {}", name,
                        least, most, scalar(node)));
      return least;
    }
    return value;
  }

  void positive(const YAML::Node& node, const std::string& name, double& out, double most) {
    if (!node) return;
    const double value = number(node, name);
    if (std::isnan(value)) return;
    if (!(value > 0 && value <= most)) {
      error(node.Mark(), fmt::format("'{}' must be greater than 0 and at most {:g}, and not {}",
                                     name, most, scalar(node)));
      return;
    }
    out = value;
  }

  bool flag(const YAML::Node& node, const std::string& name) {
    bool value = false;
    if (node && (!node.IsScalar() || !YAML::convert<bool>::decode(node, value))) {
      error(node.Mark(), fmt::format("'{}' is true or false", name));
    }
    return value;
  }

  std::vector<YAML::Node> sequence(const YAML::Node& node, const std::string& name) {
    std::vector<YAML::Node> out;
    if (!node) return out;
    if (!node.IsSequence()) {
      error(node.Mark(), fmt::format("'{}' is a list, as in {}: [1, 2]", name, name));
      return out;
    }
    for (const YAML::Node& item : node) out.push_back(item);
    return out;
  }

  void keys(const YAML::Node& map, const std::string& of, const Names& known) {
    std::set<std::string> seen;
    for (const auto& entry : map) {
      const std::string key = scalar(entry.first);
      if (!seen.insert(key).second) {
        error(entry.first.Mark(), fmt::format("'{}' is there twice", printable(key)));
      }
      if (std::ranges::find(known, key) != known.end()) continue;
      const std::string hint = did_you_mean(key, known);
      error(entry.first.Mark(), fmt::format("{} has no '{}'", of, printable(key)),
            hint.empty() ? fmt::format("there are {}", fmt::join(known, ", ")) : hint);
    }
  }

  void error(const YAML::Mark& mark, const std::string& message, const std::string& hint = {}) {
    Place place;
    if (!mark.is_null()) place = {source_, static_cast<std::uint32_t>(mark.pos), 1};
    diagnostics_.error(place, place.valid() ? message : source_->path() + ": " + message, hint);
  }

  std::shared_ptr<const SourceText> source_;
  Diagnostics& diagnostics_;
};

}  // namespace protobeam::sweep
