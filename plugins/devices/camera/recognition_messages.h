// What a camera recognises, as messages.
#pragma once

#include <span>

#include "camera_records.h"
#include "message/vision_msgs.h"

namespace protobeam {

/// Channels of a sample.
struct RecognizedObjects {
  std::span<const ObjectRecord> objects;
  std::span<const std::uint8_t> models;    ///< kLongestModel of each
  std::span<const double> oriented_boxes;  ///< six of each; empty without such
};

/// As ros_gz_bridge hands Gazebo's boxes on: the class is the model, in ROS 1 as a number (0 if it
/// is none), and has the score 1. Boxes are in pixels of the image, of which the left and upper
/// edges are 0; poses, also of the hypotheses, in the camera's optical frame. The id is that of the
/// Solid's node.
message::Detection2DArray detections_2d(const message::Header& header,
                                        const RecognizedObjects& found);
message::Detection3DArray detections_3d(const message::Header& header,
                                        const RecognizedObjects& found);

/// The labels_map of gz-sensors (SegmentationCameraSensor.cc), rgb8, out of colours of labels:
/// without `instances` the label in each colour, else it in blue and the number of the instance in
/// green (its upper 8 bits) and red.
message::Image labels_map(const message::Header& header, int width, int height,
                          std::span<const std::uint8_t> bgra, bool instances);

}  // namespace protobeam
