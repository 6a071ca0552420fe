// The fields of one of two imagers in a node as those of an image.
#pragma once

#include <array>
#include <cctype>
#include <string>
#include <utility>

#include "base/fields.h"

namespace protobeam {

/// Field "width" is "depthWidth" for the prefix "depth". What an imager here does not have is as it
/// is by default: planar, an OpenCV lens.
class PrefixedFields final : public Fields {
 public:
  PrefixedFields(const Fields& all, std::string prefix) : all_(all), prefix_(std::move(prefix)) {}

  std::string_view node_type() const override { return all_.node_type(); }
  bool boolean(std::string_view) const override { return false; }
  int integer(std::string_view name) const override { return all_.integer(full(name)); }
  double number(std::string_view name) const override { return all_.number(full(name)); }
  std::string string(std::string_view name) const override {
    return name == "lensModel" ? "opencv" : "planar";
  }
  Vec2 vec2(std::string_view name) const override { return all_.vec2(full(name)); }
  Vec3 vec3(std::string_view name) const override { return all_.vec3(full(name)); }
  Quat rotation(std::string_view name) const override { return all_.rotation(full(name)); }
  std::vector<double> numbers(std::string_view name) const override {
    return all_.numbers(full(name));
  }
  std::vector<std::string> strings(std::string_view name) const override {
    return all_.strings(full(name));
  }
  bool is_set(std::string_view name) const override {
    return name != "projection" && all_.is_set(full(name));
  }
  Place place(std::string_view name) const override { return all_.place(full(name)); }

 private:
  std::string full(std::string_view name) const {
    std::string out = prefix_ + std::string(name);
    out[prefix_.size()] =
        static_cast<char>(std::toupper(static_cast<unsigned char>(out[prefix_.size()])));
    return out;
  }

  const Fields& all_;
  std::string prefix_;
};

}  // namespace protobeam
