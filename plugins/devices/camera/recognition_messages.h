// What a camera recognises, as messages.
#pragma once

#include <vector>

#include "device/topics.h"
#include "recognition.h"

namespace protobeam {

/// What of a sample is new; the camera's own.
struct RecognitionNews {
  const bool& objects;
  const bool& segments;
};

/// Streams of a camera, which outlives them, when there is something new:
/// "detections" (vision_msgs/Detection2DArray, with oriented boxes Detection3DArray), as
/// ros_gz_bridge hands Gazebo's boxes on: the class is the model, in ROS 1 as a number (0 if it is
/// none), and has the score 1. Boxes are in pixels of the image, of which the left and upper edges
/// are 0; poses, also of the hypotheses, in the camera's optical frame. The id is that of the
/// Solid's node.
/// "segmentation" (sensor_msgs/Image, rgb8), with segmentation.
/// "labels" (the same), with colours of labels: the labels_map of gz-sensors
/// (SegmentationCameraSensor.cc), the label in each colour; of instances it in blue and the number
/// of the instance in green (its upper 8 bits) and red.
std::vector<DeviceTopic> recognition_topics(const DeviceModel& camera,
                                            const RecognitionSettings& settings, int width,
                                            int height, const RecognitionNews& news);

}  // namespace protobeam
