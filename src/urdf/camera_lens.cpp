#include "urdf/camera_lens.h"

#include <algorithm>
#include <array>
#include <vector>

#include "base/libm.h"
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

}  // namespace

void add_lens(Import& import, const Element& camera, const ImageSize& image, NodeMaker& made) {
  const Intrinsics pinhole = of_pinhole(image);
  Intrinsics intrinsics = pinhole;
  if (const Element* lens = camera.child("lens")) {
    intrinsics = intrinsics_of(import, *lens, pinhole);
    const bool more = std::ranges::any_of(lens->children, [](const Element& child) {
      const bool needless = child.tag == "scale_to_hfov" || child.tag == "env_texture_size" ||
                            (child.tag == "type" && child.text.value == "gnomonical");
      return child.tag != "intrinsics" && !needless;
    });
    if (more || lens->children.empty())
      import.ignored.add("<lens> of a <camera>", lens->place, "its image is that of a pinhole");
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
