#include "sweep/plot.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "base/libm.h"

namespace protobeam::sweep {
namespace {

constexpr double kWidth = 720, kHeight = 440;
constexpr double kLeft = 90, kRight = 24, kTop = 40, kBottom = 64;

std::string escaped(const std::string& text) {
  std::string out;
  for (const char c : text) {
    if (c == '<')
      out += "&lt;";
    else if (c == '>')
      out += "&gt;";
    else if (c == '&')
      out += "&amp;";
    else
      out += static_cast<unsigned char>(c) < ' ' ? ' ' : c;
  }
  return out;
}

std::string text_at(double x, double y, const std::string& text, const char* more) {
  return fmt::format("<text x=\"{:.1f}\" y=\"{:.1f}\" {}>{}</text>\n", x, y, more, escaped(text));
}

struct Axis {
  double low, high, from, to;  ///< values, and where they are in the picture
  double at(double value) const { return from + (value - low) / (high - low) * (to - from); }
};

/// A little wider than what is shown, and never without width.
Axis axis_of(double low, double high, double from, double to) {
  if (!(high > low)) {
    const double half = low == 0 ? 1 : std::abs(low) / 2;
    return {low - half, low + half, from, to};
  }
  const double rim = 0.05 * (high - low);
  return {low - rim, high + rim, from, to};
}

double finite_half(const Sample& sample) {
  const double half = sample.half_width();
  return std::isfinite(half) ? half : 0;
}

std::string frame(const Curve& curve, const Axis& x, const Axis& y) {
  std::string out = fmt::format(
      "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{0}\" height=\"{1}\" viewBox=\"0 0 {0} "
      "{1}\" "
      "font-family=\"DejaVu Sans, sans-serif\" font-size=\"13\" fill=\"#333\">\n"
      "<rect width=\"{0}\" height=\"{1}\" fill=\"white\"/>\n",
      kWidth, kHeight);
  const auto line = [&](double x1, double y1, double x2, double y2, const char* colour) {
    out += fmt::format(
        "<line x1=\"{:.1f}\" y1=\"{:.1f}\" x2=\"{:.1f}\" y2=\"{:.1f}\" stroke=\"{}\"/>\n", x1, y1,
        x2, y2, colour);
  };
  for (const double value : ticks(y.low, y.high)) {
    line(kLeft, y.at(value), kWidth - kRight, y.at(value), "#e4e4e4");
    out += text_at(kLeft - 8, y.at(value) + 4.5, fmt::format("{:g}", value), "text-anchor=\"end\"");
  }
  if (curve.numeric) {
    for (const double value : ticks(x.low, x.high)) {
      line(x.at(value), kTop, x.at(value), kHeight - kBottom, "#f0f0f0");
      out += text_at(x.at(value), kHeight - kBottom + 19, fmt::format("{:g}", value),
                     "text-anchor=\"middle\"");
    }
  } else {
    for (const Curve::Point& point : curve.points) {
      out += text_at(x.at(point.x), kHeight - kBottom + 19, point.label.substr(0, 24),
                     "text-anchor=\"middle\"");
    }
  }
  line(kLeft, kHeight - kBottom, kWidth - kRight, kHeight - kBottom, "#333");
  line(kLeft, kTop, kLeft, kHeight - kBottom, "#333");
  std::int64_t least = std::numeric_limits<std::int64_t>::max(), most = 0;
  for (const Curve::Point& point : curve.points) {
    least = std::min(least, point.sample.count());
    most = std::max(most, point.sample.count());
  }
  const std::string runs =
      least == most ? fmt::format("{}", most) : fmt::format("{} to {}", least, most);
  out += text_at(kLeft, 24, fmt::format("mean of {} runs each, 95 % confidence", runs),
                 "fill=\"#666\"");
  out += text_at((kLeft + kWidth - kRight) / 2, kHeight - 18, curve.parameter,
                 "text-anchor=\"middle\" font-size=\"15\"");
  out += text_at(
      0, 0, curve.metric,
      fmt::format(
          "text-anchor=\"middle\" font-size=\"15\" transform=\"translate(24 {:.1f}) rotate(-90)\"",
          (kTop + kHeight - kBottom) / 2)
          .c_str());
  return out;
}

}  // namespace

std::vector<double> ticks(double low, double high) {
  if (!(high > low) || !std::isfinite(high - low)) return {};
  const double rough = (high - low) / 6;
  const double decade = libm::pow(10.0, std::floor(libm::log10(rough)));
  double step = decade;
  for (const double factor : {2.0, 5.0, 10.0}) {
    if (step < rough) step = factor * decade;
  }
  std::vector<double> out;
  const double first = std::ceil(low / step);
  for (int i = 0; i < 20 && (first + i) * step <= high; ++i) {
    const double value = (first + i) * step;
    out.push_back(std::abs(value) < step * 1e-9 ? 0 : value);
  }
  return out;
}

std::string plot_svg(const Curve& curve) {
  if (curve.points.empty()) return "";
  double low = std::numeric_limits<double>::infinity(), high = -low;
  for (const Curve::Point& point : curve.points) {
    const double half = finite_half(point.sample);
    low = std::min(low, point.sample.mean() - half);
    high = std::max(high, point.sample.mean() + half);
  }
  const Axis x =
      curve.numeric
          ? axis_of(curve.points.front().x, curve.points.back().x, kLeft, kWidth - kRight)
          : Axis{-0.5, static_cast<double>(curve.points.size()) - 0.5, kLeft, kWidth - kRight};
  const Axis y = axis_of(low, high, kHeight - kBottom, kTop);
  std::string out = frame(curve, x, y);
  std::string upper, lower, line, dots;
  for (const Curve::Point& point : curve.points) {
    const double at = x.at(point.x), mean = point.sample.mean(), half = finite_half(point.sample);
    upper += fmt::format("{:.1f},{:.1f} ", at, y.at(mean + half));
    lower = fmt::format("{:.1f},{:.1f} ", at, y.at(mean - half)) + lower;
    line += fmt::format("{:.1f},{:.1f} ", at, y.at(mean));
    dots += fmt::format("<circle cx=\"{:.1f}\" cy=\"{:.1f}\" r=\"3.5\" fill=\"#1f5fa8\"/>\n", at,
                        y.at(mean));
    if (!curve.numeric || curve.points.size() == 1) {
      dots += fmt::format(
          "<line x1=\"{0:.1f}\" y1=\"{1:.1f}\" x2=\"{0:.1f}\" y2=\"{2:.1f}\" stroke=\"#1f5fa8\" "
          "stroke-width=\"2\"/>\n",
          at, y.at(mean + half), y.at(mean - half));
    }
  }
  if (curve.numeric && curve.points.size() > 1) {
    out += fmt::format("<polygon points=\"{}{}\" fill=\"#1f5fa8\" fill-opacity=\"0.2\"/>\n", upper,
                       lower);
    out += fmt::format(
        "<polyline points=\"{}\" fill=\"none\" stroke=\"#1f5fa8\" stroke-width=\"2\"/>\n", line);
  }
  return out + dots + "</svg>\n";
}

}  // namespace protobeam::sweep
