#include "urdf/camera_lens.h"

#include <algorithm>
#include <array>
#include <vector>

#include "base/libm.h"
#include "urdf/ros_names.h"
#include "urdf/values.h"

namespace protobeam::urdf {
namespace {

/// What a pinhole's intrinsics may be off by: half a pixel is how its middle is counted.
constexpr double kSamePixel = 0.6, kSameFocus = 2e-3;

/// fx, fy, cx and cy in pixels, where the left edge of the first one is 0.
using Intrinsics = std::array<double, 4>;

Intrinsics of_pinhole(const ImageSize& image) {
  const double focus = image.width / 2.0 / libm::tan(image.view / 2);
  return {focus, focus, image.width / 2.0, image.height / 2.0};
}

bool is_like(const Intrinsics& a, const Intrinsics& b) {
  return std::abs(a[0] - b[0]) <= kSameFocus * b[0] && std::abs(a[1] - b[1]) <= kSameFocus * b[1] &&
         std::abs(a[2] - b[2]) <= kSamePixel && std::abs(a[3] - b[3]) <= kSamePixel;
}

/// Those of the text, or those of the pinhole where it says none that there can be.
Intrinsics intrinsics_of(Import& import, const Element& lens, const Intrinsics& pinhole) {
  const Element* said = lens.child("intrinsics");
  if (!said) return pinhole;
  Intrinsics out = pinhole;
  constexpr std::array kTags{"fx", "fy", "cx", "cy"};
  for (std::size_t i = 0; i < out.size(); ++i)
    out[i] = child_number(*said, kTags[i], import.diagnostics).value_or(out[i]);
  if (out[0] > 0 && out[1] > 0) return out;
  import.ignored.add("<intrinsics> without a focal length", said->place);
  return pinhole;
}

/// The radius in the image by the angle to the axis: fun(angle / divisor) times a length.
struct Mapping {
  std::string fun;  ///< "tan", "sin" or "id"
  double divisor = 1;

  /// radius = angle (1 + k1 angle^2 + ... + k4 angle^8) times a length: Taylor's series. Up to a
  /// right angle that of stereographic lenses is right within 0.1 %.
  std::vector<double> coefficients() const {
    constexpr std::array kTan{1.0 / 3, 2.0 / 15, 17.0 / 315, 62.0 / 2835};
    constexpr std::array kSin{-1.0 / 6, 1.0 / 120, -1.0 / 5040, 1.0 / 362880};
    std::vector<double> out(4);
    double power = 1;
    for (std::size_t i = 0; i < out.size() && fun != "id"; ++i) {
      power /= divisor * divisor;
      out[i] = power * (fun == "tan" ? kTan : kSin)[i];
    }
    return out;
  }
};

/// Of a wide angle camera (gz-sensors, WideAngleCameraSensor.cc); nothing for that of a pinhole and
/// for what is not known here.
std::optional<Mapping> mapping_of(Import& import, const Element* lens) {
  const std::string type = lens ? child_text(*lens, "type") : "";
  if (type.empty() || type == "stereographic") return Mapping{"tan", 2};
  if (type == "equidistant") return Mapping{"id", 1};
  if (type == "equisolid_angle") return Mapping{"sin", 2};
  if (type == "orthographic") return Mapping{"sin", 1};
  const Element* custom = type == "custom" ? lens->child("custom_function") : nullptr;
  if (!custom) return std::nullopt;
  const auto number = [&](const char* tag, double otherwise) {
    return child_number(*custom, tag, import.diagnostics).value_or(otherwise);
  };
  const Mapping out{child_text(*custom, "fun"), number("c2", 1)};
  const bool known = out.fun == "id" || (out.fun == "sin" && out.divisor >= 1) ||
                     (out.fun == "tan" && out.divisor >= 2);
  if (known && number("c3", 0) == 0) return out;
  return std::nullopt;
}

/// False where the image is a pinhole's.
bool add_wide_angle(Import& import, const Element* lens, const ImageSize& image, NodeMaker& made) {
  const auto mapping = mapping_of(import, lens);
  const bool gnomonical = lens && child_text(*lens, "type") == "gnomonical";
  const std::string scaled = lens ? child_text(*lens, "scale_to_hfov") : "";
  if (!mapping || scaled == "false" || scaled == "0") {
    if (!gnomonical)
      import.ignored.add("<lens> of a <camera>", lens->place, "its image is that of a pinhole");
    return false;
  }
  const double half = image.view / 2;
  const double farthest = half * libm::hypot(1, double(image.height) / image.width);
  const Element* cutoff = lens ? lens->child("cutoff_angle") : nullptr;
  if (cutoff && child_number(*lens, "cutoff_angle", import.diagnostics).value_or(kPi) < farthest)
    import.ignored.add("<cutoff_angle> of a <lens>", cutoff->place, "corners are not black");
  const std::vector<double> k = mapping->coefficients();
  const double square = half * half;
  const double radius =
      half * (1 + square * (k[0] + square * (k[1] + square * (k[2] + square * k[3]))));
  const double focus = image.width / 2.0 / radius;
  made.number("fieldOfView", image.view)
      .text("lensModel", "fisheye")
      .numbers("intrinsics", {focus, focus, (image.width - 1) / 2.0, (image.height - 1) / 2.0})
      .numbers("distortion", k);
  return true;
}

}  // namespace

bool is_wide_angle(std::string_view type) {
  return type == "wideanglecamera" || type == "wide_angle_camera";
}

void add_lens(Import& import, const Element& camera, const ImageSize& image, NodeMaker& made) {
  if (image.wide_angle && add_wide_angle(import, camera.child("lens"), image, made)) return;
  const Intrinsics pinhole = of_pinhole(image);
  Intrinsics intrinsics = pinhole;
  if (const Element* lens = camera.child("lens")) {
    intrinsics = intrinsics_of(import, *lens, pinhole);
    // All else is of wide angle cameras alone (gz-sensors, CameraSensor.cc).
    if (const Element* projection = lens->child("projection"))
      import.ignored.add("<projection> of a <lens>", projection->place);
  }
  // OpenCV's order; Gazebo distorts as it does (gz-sensors, BrownDistortionModel).
  std::vector<double> distortion;
  if (const Element* said = camera.child("distortion")) {
    for (const char* tag : {"k1", "k2", "p1", "p2", "k3"})
      distortion.push_back(child_number(*said, tag, import.diagnostics).value_or(0));
    if (std::ranges::all_of(distortion, [](double k) { return k == 0; })) distortion.clear();
  }
  const bool is_pinhole = is_like(intrinsics, pinhole);
  made.number("fieldOfView",
              is_pinhole ? image.view : 2 * libm::atan(image.width / 2.0 / intrinsics[0]));
  if (is_pinhole && distortion.empty()) return;
  made.text("lensModel", "opencv");
  if (!is_pinhole) {
    made.numbers("intrinsics",
                 {intrinsics[0], intrinsics[1], intrinsics[2] - 0.5, intrinsics[3] - 0.5});
  }
  made.numbers("distortion", distortion.empty() ? std::vector<double>(4) : distortion);
}

}  // namespace protobeam::urdf
