#include "viewer/layers/color_scale.h"

#include <algorithm>
#include <cmath>
#include <iomanip>
#include <limits>
#include <locale>
#include <sstream>
#include <utility>
#include <vector>

namespace protobeam::viewer {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();
// Of Turbo's table of 256 colours, the entries 20 to 224 are used.
constexpr float kMapStart = 20.0f / 255, kMapSpan = 204.0f / 255;
// The highest and lowest hundredth of the points do not stretch the colours.
constexpr double kTail = 0.01;
// Enough points for quantiles; more would cost time in every sweep.
constexpr std::size_t kHeightSample = 4096;
// Colours need not resolve the noise of level ground.
constexpr double kLeastHeightSpan = 0.5;  // m
// Heights may stick out by so many steps: noise of the ground does not move the scale.
constexpr double kSlack = 0.1;

std::pair<double, double> heights(const Sweep& sweep, const Vec3& up) {
  const Vec3 up_S = sweep.X_WS.R.conjugate() * up;
  const std::size_t stride = sweep.returns.size() / kHeightSample + 1;
  const double own = up.dot(sweep.X_WS.p);
  std::vector<double> all;
  for (std::size_t i = 0; i < sweep.returns.size(); i += stride) {
    const BeamReturn& beam = sweep.returns[i];
    const double height = up_S.dot(Vec3(beam.x, beam.y, beam.z)) + own;
    if (std::isfinite(height)) all.push_back(height);
  }
  if (all.empty()) return {kInfinity, -kInfinity};
  const auto quantile = [&all](double fraction) {
    const auto nth = all.begin() + std::lround(fraction * static_cast<double>(all.size() - 1));
    std::nth_element(all.begin(), nth, all.end());
    return *nth;
  };
  return {quantile(kTail), quantile(1 - kTail)};
}

template <typename Value>
double largest(const Sweep& sweep, Value value) {
  double all = -kInfinity;
  for (const BeamReturn& beam : sweep.returns) {
    const double one = value(beam);
    if (std::isfinite(one)) all = std::max(all, one);
  }
  return all;
}

}  // namespace

render::Color point_color(double t) {
  const double x = t > 0 ? std::min(t, 1.0) : 0.0;  // written so that a NaN is 0
  return render::turbo(kMapStart + kMapSpan * static_cast<float>(x));
}

std::string point_color_glsl() {
  std::ostringstream text;
  text.imbue(std::locale::classic());  // a decimal point, whatever the user's language
  text << std::fixed << std::setprecision(8)
       << "vec3 point_color(float t) {\n  float x = " << kMapStart << " + " << kMapSpan
       << " * clamp(t, 0.0, 1.0);\n  vec3 sum = vec3(0.0);\n";
  const auto& [red, green, blue] = render::kTurboPolynomials;
  for (std::size_t k = red.size(); k-- > 0;) {
    text << "  sum = sum * x + vec3(" << red[k] << ", " << green[k] << ", " << blue[k] << ");\n";
  }
  text << "  return clamp(sum, 0.0, 1.0);\n}\n";
  return text.str();
}

double round_step(double span) {
  const double limit = span / 4;
  const double power = std::pow(10, std::floor(std::log10(limit)));
  for (const double factor : {5.0, 2.0}) {
    if (factor * power <= limit) return factor * power;
  }
  return power;
}

ColorScale::ColorScale(CloudColor color, const Vec3& up) : up_(up) { reset(color); }

void ColorScale::reset(CloudColor color) {
  color_ = color;
  low_seen_ = kInfinity;
  high_seen_ = -kInfinity;
  legend_ = {};
  legend_.title = name_of(color);
  const bool length = color == CloudColor::kRange || color == CloudColor::kHeight;
  legend_.unit = std::string(length ? "m" : "");
  legend_.steps = color == CloudColor::kRing || color == CloudColor::kReturn;
}

void ColorScale::include(const Sweep& sweep, int layers) {
  if (sweep.returns.empty()) return;
  switch (color_) {
    case CloudColor::kRange:
      return widen(0, largest(sweep, [](const BeamReturn& beam) { return beam.range; }));
    case CloudColor::kHeight: {
      const auto [low, high] = heights(sweep, up_);
      return widen(low, high);
    }
    case CloudColor::kRing:
      return widen(0, std::max(layers - 1.0,
                               largest(sweep, [](const BeamReturn& beam) { return beam.layer; })));
    case CloudColor::kIntensity:
      return widen(0, largest(sweep, [](const BeamReturn& beam) { return beam.intensity; }));
    case CloudColor::kReturn:
      return widen(1, largest(sweep, [](const BeamReturn& beam) { return beam.return_number; }));
  }
}

void ColorScale::widen(double low, double high) {
  if (!(low <= high)) return;
  const bool first = empty();
  low_seen_ = std::min(low_seen_, low);
  high_seen_ = std::max(high_seen_, high);
  double rounded_low = low_seen_, rounded_high = high_seen_;
  if (color_ == CloudColor::kHeight) {
    const double top = std::max(high_seen_, low_seen_ + kLeastHeightSpan);
    const double step = round_step(top - low_seen_);
    rounded_low = std::floor(low_seen_ / step + kSlack) * step;
    rounded_high = std::ceil(top / step - kSlack) * step;
  } else if (!legend_.steps) {
    // Nothing but zeros (a model without intensity) gets a whole scale all the same.
    const double step = high_seen_ > 0 ? round_step(high_seen_) : 1;
    rounded_high = std::max(step, std::ceil(high_seen_ / step) * step);
  }
  legend_.low = first ? rounded_low : std::min(legend_.low, rounded_low);
  legend_.high = first ? rounded_high : std::max(legend_.high, rounded_high);
}

ColorWeights color_weights(const ColorScale& scale, const Pose& X_WS) {
  ColorWeights weights;
  const Legend legend = scale.legend();
  if (!(legend.high > legend.low)) return weights;  // one step: all of the first colour
  const double per_unit = 1 / (legend.high - legend.low);
  weights.offset = -legend.low * per_unit;
  switch (scale.color()) {
    case CloudColor::kRange:
      weights.marks[0] = per_unit;
      break;
    case CloudColor::kHeight:
      weights.position = X_WS.R.conjugate() * scale.up() * per_unit;
      // The large numbers of a world far from its origin cancel here, not in the shader's floats.
      weights.offset = (scale.up().dot(X_WS.p) - legend.low) * per_unit;
      break;
    case CloudColor::kRing:
      weights.marks[1] = per_unit;
      break;
    case CloudColor::kIntensity:
      weights.marks[2] = per_unit;
      break;
    case CloudColor::kReturn:
      weights.marks[3] = per_unit;
      break;
  }
  return weights;
}

}  // namespace protobeam::viewer
