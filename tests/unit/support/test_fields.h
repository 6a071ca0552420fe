// The fields of a node for plugin tests: the schema's defaults and values written as in a world.
//
//   TestFields fields(plugin.schema, {{"type", "\"sonar\""}, {"aperture", "0.5"}});
#pragma once

#include <cassert>
#include <cctype>
#include <map>
#include <memory>
#include <sstream>
#include <string>
#include <string_view>
#include <vector>

#include "base/field_table.h"
#include "base/fields.h"

namespace protobeam {

/// Text as a field has it.
inline std::string quoted(const std::string& text) { return '"' + text + '"'; }

/// Does what the loader does for well-formed text of one node, without its checks. Fields of base
/// node types are known only when they are given.
class TestFields final : public Fields {
 public:
  explicit TestFields(const NodeSchema& schema, std::map<std::string, std::string> given = {})
      : node_type_(schema.name), given_(std::move(given)) {
    for (const FieldSpec& field : schema.fields) defaults_[field.name] = field.default_text;
  }

  std::string_view node_type() const override { return node_type_; }
  bool boolean(std::string_view name) const override { return text(name) == "TRUE"; }
  int integer(std::string_view name) const override { return static_cast<int>(number(name)); }
  double number(std::string_view name) const override { return numbers(name).at(0); }
  std::string string(std::string_view name) const override { return strings(name).at(0); }
  Vec2 vec2(std::string_view name) const override {
    const auto v = numbers(name);
    return {v.at(0), v.at(1)};
  }
  Vec3 vec3(std::string_view name) const override {
    const auto v = numbers(name);
    return {v.at(0), v.at(1), v.at(2)};
  }
  Quat rotation(std::string_view name) const override {
    const auto v = numbers(name);
    return axis_angle({v.at(0), v.at(1), v.at(2)}, v.at(3));
  }
  std::vector<double> numbers(std::string_view name) const override {
    std::string flat = text(name);
    for (char& c : flat) {
      if (c == '[' || c == ']' || c == ',') c = ' ';
    }
    std::istringstream in(flat);
    std::vector<double> out;
    for (std::string word; in >> word;) out.push_back(std::stod(word));
    return out;
  }
  std::vector<std::string> strings(std::string_view name) const override {
    std::vector<std::string> out;
    const std::string all = text(name);
    for (std::size_t open = all.find('"'); open != std::string::npos;) {
      const std::size_t close = all.find('"', open + 1);
      out.push_back(all.substr(open + 1, close - open - 1));
      open = all.find('"', close + 1);
    }
    return out;
  }
  /// Of a node with all its fields: "Lens { center 0.5 0.5 radialCoefficients 0.1 0 }".
  std::unique_ptr<Fields> child(std::string_view name) const override {
    std::istringstream in(text(name));
    std::string type, word, field;
    in >> type >> word;
    if (word != "{") return nullptr;
    std::map<std::string, std::string> fields;
    while (in >> word && word != "}") {
      if (std::isalpha(static_cast<unsigned char>(word[0])) && word != "TRUE" && word != "FALSE") {
        field = word;
      } else {
        fields[field] += word + " ";
      }
    }
    return std::make_unique<TestFields>(NodeSchema{"", "", "", {}}, std::move(fields));
  }
  bool is_set(std::string_view name) const override { return given_.contains(std::string(name)); }
  Place place(std::string_view) const override { return {}; }

 private:
  std::string text(std::string_view name) const {
    const std::string key(name);
    if (const auto it = given_.find(key); it != given_.end()) return it->second;
    const auto it = defaults_.find(key);
    assert(it != defaults_.end() && "the schema has no such field");
    return it->second;
  }

  std::string node_type_;
  std::map<std::string, std::string> given_, defaults_;
};

}  // namespace protobeam
