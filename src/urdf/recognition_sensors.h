// Gazebo's cameras that tell what is there: boundingbox_camera and segmentation_camera, which are
// Cameras with a Recognition, and logical_camera.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "urdf/import.h"

namespace protobeam::urdf {

/// A type of a <sensor>.
bool is_boundingbox_camera(std::string_view type);
bool is_segmentation_camera(std::string_view type);

/// Adds the Recognition of a <sensor> of such a type: objects with labels up to `far` m. False with
/// an error for a kind of boxes or segments that there is not.
bool add_recognition(Import& import, const Element& sensor, const Element& camera, double far,
                     NodeMaker& made);

/// Adds what a <logical_camera> sees to a LogicalCamera; false with an error.
bool add_frustum(Import& import, const Element& camera, NodeMaker& made);

/// Streams of the Camera under the names that Gazebo has for a <sensor> with this <topic>.
struct RecognitionTopic {
  const char* message;
  std::string name;
};
std::vector<RecognitionTopic> recognition_topics(std::string_view type, const std::string& topic);

}  // namespace protobeam::urdf
