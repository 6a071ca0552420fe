// The byte that a device writes for how bright a target is.
#pragma once

#include <cstddef>
#include <string_view>

namespace protobeam {

/// Reflectances from 0 to 1 (white) take codes 0..white linearly; what is brighter can only be a
/// mirror or a retro-reflector and takes white..255 by the logarithm, 255 being kBrightest.
///   velodyne   white 100: VLP-16 user manual 63-9243, 6.1
///   robosense  white 100: RS-LiDAR-16 user manual, 10
///   ouster     white 100: firmware user manual, "Calibrated reflectivity"
///   livox      white 150: Mid-40/Mid-100 user manual, 3.4
/// Only Ouster says what lies between white and 255; the law is used for all of them.
struct IntensityCode {
  float white = 0;       ///< 0: "reflectance", the number itself up to 1, not a byte
  bool photons = false;  ///< the device also tells signal photons and ambient light
};

inline constexpr float kBrightest = 864;  ///< of a code of 255, in white surfaces

/// By the value of field intensityCode.
IntensityCode intensity_code(std::string_view name);

/// reflectance[i] as a share of full scale (code / 255), 0..1; `out` may be `reflectance`.
void encode(const IntensityCode& code, const float* reflectance, std::size_t n, float* out);

}  // namespace protobeam
