#include "sdf/context.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "urdf/values.h"

namespace protobeam::sdf {

Pose Context::pose(const Element& element) {
  const Pose X = frames.pose(element, diagnostics);
  if (X.p.cwiseAbs().maxCoeff() <= kFarthest) return X;
  diagnostics.error(element.place,
                    fmt::format("the <pose> of <{}> must be within 1e9 of zero", element.tag));
  return {};
}

double number_in(Context& context, const Element& element, std::string_view tag, double otherwise,
                 double least, double most) {
  const auto got = urdf::child_number(element, tag, context.diagnostics);
  if (!got) return otherwise;
  if (*got >= least && *got <= most) return *got;
  context.diagnostics.error(element.child(tag)->place,
                            *got < least
                                ? fmt::format("<{}> must be at least {}, got {}", tag, least, *got)
                                : fmt::format("<{}> must be at most {}, got {}", tag, most, *got));
  return otherwise;
}

Vec3 vec3_in(Context& context, const Element& element, std::string_view tag,
             const Vec3& otherwise) {
  const Element* child = element.child(tag);
  if (!child) return otherwise;
  const auto got = urdf::numbers_of(child->text, 3, fmt::format("<{}>", tag), context.diagnostics);
  return got ? Vec3((*got)[0], (*got)[1], (*got)[2]) : otherwise;
}

bool flag_in(const Element& element, std::string_view tag, bool otherwise) {
  const Element* child = element.child(tag);
  if (!child) return otherwise;
  return child->text.value == "1" || child->text.value == "true";
}

std::optional<Vec3> colour_in(Context& context, const Element& element, std::string_view tag,
                              double* alpha) {
  return urdf::child_colour(element, tag, context.diagnostics, alpha);
}

bool is_of_gazebo(const Element& owner) {
  constexpr std::array kNames{"gz-sim", "ignition-gazebo"};
  return std::ranges::any_of(owner.all("plugin"), [&](const Element* plugin) {
    const Text* file = plugin->attribute("filename");
    return file && std::ranges::any_of(kNames, [&](const char* name) {
             return file->value.find(name) != std::string::npos;
           });
  });
}

std::string name_of(const Element& element) {
  const Text* name = element.attribute("name");
  return name ? name->value : "";
}

}  // namespace protobeam::sdf
