// Images of cameras as messages.
#pragma once

#include <cstdint>
#include <span>
#include <string>

#include "message/sensor_msgs.h"
#include "render/projection.h"

namespace protobeam::render {

/// What a program needs to know of a camera: intrinsics in pixels, (0, 0) the middle of the first one,
/// and distortion. distortion_model is "plumb_bob" (4 or 5 coefficients of OpenCV, with the fifth),
/// "rational_polynomial" (8), "equidistant" (Kannala and Brandt), or, beyond what ROS names, "eucm" or
/// "double_sphere". All matrices of a picture that no such model describes are 0, as ROS has it for a
/// camera without calibration.
message::CameraInfo camera_info(const ImageGeometry& image, const message::Header& header);

/// Rows from the top, `channels` bytes a pixel. `encoding` as in sensor_msgs/image_encodings.hpp.
message::Image image_message(const message::Header& header, int width, int height,
                             const std::string& encoding, std::span<const std::uint8_t> pixels);
/// The same of blue, green, red, alpha as red, green, blue ("rgb8").
message::Image rgb_message(const message::Header& header, int width, int height,
                           std::span<const std::uint8_t> bgra);
/// JPEG of blue, green, red, alpha (`bytes` 4) or of grey (1).
message::CompressedImage jpeg_message(const message::Header& header, int width, int height, int bytes,
                                      std::span<const std::uint8_t> pixels, int quality);
/// Any element type: "16UC1", "32FC1".
template <class T>
message::Image plane_message(const message::Header& header, int width, int height,
                             const std::string& encoding, std::span<const T> pixels) {
  return image_message(header, width, height, encoding,
                       {reinterpret_cast<const std::uint8_t*>(pixels.data()), pixels.size_bytes()});
}

}  // namespace protobeam::render
