#include "matcher.h"

#include <algorithm>
#include <cmath>

#ifdef PROTOBEAM_HAS_OPENCV
#include <opencv2/calib3d.hpp>
#endif

namespace protobeam {

#ifdef PROTOBEAM_HAS_OPENCV

bool can_match() { return true; }

void match(std::span<const std::uint8_t> left, std::span<const std::uint8_t> right, int width,
           int height, double most, std::span<float> disparity) {
  constexpr int kBlock = 5, kFraction = 16;  // OpenCV's fixed point
  const auto image = [&](std::span<const std::uint8_t> bytes) {
    return cv::Mat(height, width, CV_8UC1, const_cast<std::uint8_t*>(bytes.data()));
  };
  // A multiple of 16; no disparity is longer than a row.
  const double longest = std::max(1.0, std::floor((width - 1) / 16.0));
  const int range = 16 * static_cast<int>(std::clamp(std::ceil(most / 16), 1.0, longest));
  // OpenCV has no disparities left of the range: a border of that width makes them.
  cv::Mat left_wide, right_wide, out;
  cv::copyMakeBorder(image(left), left_wide, 0, 0, range, 0, cv::BORDER_CONSTANT, 0);
  cv::copyMakeBorder(image(right), right_wide, 0, 0, range, 0, cv::BORDER_CONSTANT, 0);
  // Penalties as its documentation advises for one channel.
  const auto matcher = cv::StereoSGBM::create(0, range, kBlock, 8 * kBlock * kBlock,
                                              32 * kBlock * kBlock, 1, 63, 10, 100, 2);
  matcher->compute(left_wide, right_wide, out);
  for (int y = 0; y < height; ++y) {
    for (int x = 0; x < width; ++x) {
      const short fixed = out.at<short>(y, x + range);
      disparity[static_cast<std::size_t>(y) * static_cast<std::size_t>(width) +
                static_cast<std::size_t>(x)] =
          fixed > 0 ? static_cast<float>(fixed) / kFraction : 0.0f;
    }
  }
}

#else

bool can_match() { return false; }

void match(std::span<const std::uint8_t>, std::span<const std::uint8_t>, int, int, double,
           std::span<float> disparity) {
  std::fill(disparity.begin(), disparity.end(), 0.0f);
}

#endif

}  // namespace protobeam
