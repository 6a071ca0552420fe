// Recognition: which Solids with recognitionColors an image shows, and where.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "camera_declaration.h"
#include "device/device_model.h"
#include "object_box.h"
#include "render/near_limits.h"
#include "render/projection.h"

namespace protobeam {

/// What the fields of Webots' node Recognition mean (its reference, Recognition): 0 sees through
/// everything, 1 needs the middle of the object to be visible, 2 finds what pixels show.
enum class Occlusion { kNone, kMiddle, kPixels };
/// With Occlusion::kPixels.
enum class BoxKind { kVisible, kFull, kOriented };
enum class SegmentColors { kRecognitionColors, kLabels, kInstances };

struct RecognitionSettings {
  double max_range = 100;  ///< m, of the nearest point of the object's box
  int max_objects = -1;    ///< the largest ones in the image; -1: kMostObjects
  Occlusion occlusion = Occlusion::kMiddle;
  bool segmentation = false;
  bool from_start = false;  ///< with each image
  BoxKind boxes = BoxKind::kVisible;
  SegmentColors colors = SegmentColors::kRecognitionColors;

  int capacity() const { return max_objects < 0 ? kMostObjects : max_objects; }
};
/// Of a Recognition node. Throws std::invalid_argument that begins with the field.
RecognitionSettings recognition_of(const Fields& recognition);

class Recognizer {
 public:
  /// `near` as the camera's own.
  Recognizer(const RecognitionSettings& settings, const render::ImageGeometry& image, double near,
             const render::Housing& housing)
      : settings_(settings),
        image_(image),
        rays_(image),
        near_(near),
        near_limits_(rays_, image, near, housing),
        housing_(housing),
        boxes_(image) {}

  /// Writes the channels of objects; with `segment`, that of the segmentation, too. Objects are not
  /// the camera's own robot, nor Solids directly in it; the segmentation shows them.
  void recognize(const SampleInput& in, bool objects, bool segment, Sample& out);

 private:
  struct Found {
    int object;
    int left, top, right, bottom;  ///< pixels, right and bottom not included
    int area() const { return (right - left) * (bottom - top); }
  };

  /// `segment`: those beyond maxRange, too.
  void find_pixels(RayScene& scene, const Appearance& appearance, const Pose& X_WC, bool segment);
  std::vector<Found> by_boxes(const Appearance& appearance, const Pose& X_WC) const;
  std::vector<Found> by_pixels(std::size_t objects) const;
  /// The boxes of all of what `seen` has.
  std::vector<Found> whole(const std::vector<Found>& seen, const Appearance& appearance,
                           const Pose& X_WC) const;
  void write_segments(const Appearance& appearance, std::span<std::uint8_t> image) const;
  void drop_hidden(RayScene& scene, const Appearance& appearance, const Pose& X_WC,
                   std::vector<Found>& found) const;
  void write(const Found& found, const RecognizableObject& object, const Pose& X_CW,
             std::size_t number, Sample& out) const;

  RecognitionSettings settings_;
  render::ImageGeometry image_;
  render::PixelRays rays_;
  double near_;
  render::NearLimits near_limits_;
  render::Housing housing_;
  ObjectBoxes boxes_;
  std::vector<int> pixels_;  ///< object of each, -1: none
  std::vector<std::uint8_t> near_enough_;  ///< of pixels_: within maxRange
};

}  // namespace protobeam
