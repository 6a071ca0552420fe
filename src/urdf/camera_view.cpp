#include "urdf/camera_view.h"

#include <fmt/format.h>

#include "urdf/values.h"

namespace protobeam::urdf {
namespace {

constexpr double kWidest = 3.1, kJustTooWide = 3.3;  // rad, of an image in a plane

}  // namespace

int whole_count(const Element& owner, const char* tag, int otherwise, int most,
                Diagnostics& diagnostics) {
  const double number = child_number(owner, tag, diagnostics).value_or(otherwise);
  if (number >= 1 && number <= most) return static_cast<int>(number);
  diagnostics.error(
      owner.child(tag)->place,
      fmt::format("<{}> must be a whole number from 1 to {}, got {}", tag, most, number));
  return 1;
}

std::optional<CameraView> camera_view(const Element& camera, Diagnostics& diagnostics) {
  CameraView out;
  out.angle = child_number(camera, "horizontal_fov", diagnostics).value_or(1.047);
  if (out.angle >= kPi && out.angle <= kJustTooWide) {
    diagnostics.warning(
        camera.child("horizontal_fov")->place,
        fmt::format("<horizontal_fov> must be less than pi rad, got {:.6g}", out.angle),
        fmt::format("{} is taken", kWidest));
    out.angle = kWidest;
  }
  if (!(out.angle >= 0.001 && out.angle < kPi)) {
    diagnostics.error(
        camera.child("horizontal_fov")->place,
        fmt::format("<horizontal_fov> must be at least 0.001 and less than pi rad, got {}",
                    out.angle));
    return std::nullopt;
  }
  const Element* image = camera.child("image");
  out.width = image ? whole_count(*image, "width", 320, kMostPixels, diagnostics) : 320;
  out.height = image ? whole_count(*image, "height", 240, kMostPixels, diagnostics) : 240;
  const Element* clip = camera.child("clip");
  out.near = clip ? child_number(*clip, "near", diagnostics).value_or(0.1) : 0.1;
  out.far = clip ? child_number(*clip, "far", diagnostics).value_or(100) : 100;
  if (out.near >= 0 && out.far > out.near) return out;
  diagnostics.error(clip->place,
                    fmt::format("<near> and <far> of <clip> must be ascending, got {} and {}",
                                out.near, out.far));
  return std::nullopt;
}

}  // namespace protobeam::urdf
