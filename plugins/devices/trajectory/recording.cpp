#include "recording.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <optional>
#include <sstream>
#include <stdexcept>
#include <string_view>
#include <vector>

#include "base/named_files.h"
#include "base/text.h"
#include "base/turn.h"

namespace protobeam {
namespace {

constexpr std::size_t kLargestFile = 256u << 20;
constexpr double kUnit = 0.01;               // what the length of a quaternion may be off
constexpr double kWidestTurn = 2 * kPi / 3;  // from row to row
constexpr double kFarthest = 1e7;            // m
constexpr double kShortest = 1e-12, kLongest = 1e9;  // s, from row to row

template <typename... Parts>
[[noreturn]] void throw_invalid(const Parts&... parts) {
  std::ostringstream out;
  out.precision(12);
  (out << ... << parts);
  throw std::invalid_argument(out.str());
}

std::optional<double> finite_number(std::string_view text) {
  if (text.starts_with('+')) text.remove_prefix(1);
  double value = 0;
  const char* const end = text.data() + text.size();
  const auto [stop, error] = std::from_chars(text.data(), end, value);
  if (error != std::errc{} || stop != end || !std::isfinite(value)) return {};
  return value;
}

/// Seconds since 1970 have no room for nanoseconds in a double: whole seconds and the rest.
struct Stamp {
  double whole = 0, rest = 0;

  double value() const { return whole + rest; }
  double operator-(const Stamp& other) const { return (whole - other.whole) + (rest - other.rest); }
};

std::optional<Stamp> stamp(std::string_view text) {
  const auto number = finite_number(text);
  if (!number) return {};
  const auto point = text.find('.');
  const bool plain = text.find_first_not_of("0123456789.") == text.npos;
  if (!plain || point == text.npos || point == 0) return Stamp{*number, 0};
  const auto rest = finite_number("0" + std::string(text.substr(point)) + "0");
  const auto whole = finite_number(text.substr(0, point));
  if (!whole || !rest) return Stamp{*number, 0};
  return Stamp{*whole, *rest};
}

std::vector<std::string_view> cells_of(std::string_view row) {
  constexpr std::string_view kBetween = ", \t;\r";
  std::vector<std::string_view> cells;
  while (true) {
    const auto first = row.find_first_not_of(kBetween);
    if (first == row.npos) return cells;
    row.remove_prefix(first);
    const auto end = std::min(row.find_first_of(kBetween), row.size());
    cells.push_back(row.substr(0, end));
    row.remove_prefix(end);
  }
}

enum class Format { kTum, kPose, kSpline };
const char* const kNames[] = {"t", "x", "y", "z", "qx", "qy", "qz", "qw"};
constexpr std::size_t kNumbers = std::size(kNames);

class Reader {
 public:
  Reader(std::string name, const std::string& format) : name_(std::move(name)) {
    if (format == "tum") format_ = Format::kTum;
    if (format == "mcd_pose") format_ = Format::kPose;
    if (format == "mcd_spline") format_ = Format::kSpline;
  }

  void line(int number, std::string_view text) {
    line_ = number;
    const auto cells = cells_of(text);
    if (cells.empty() || cells.front().front() == '#') return;
    if (first_) {
      first_ = false;
      if (header(cells)) return;
    }
    row(cells);
  }

  Recording take() {
    if (format_ == Format::kSpline) return spline();
    if (poses_.size() < 2) {
      throw_invalid(name_, ": a trajectory needs two rows or more, this file has ", poses_.size());
    }
    return {stamps_.front().value(), std::make_shared<PoseSpline>(seconds(), poses_)};
  }

 private:
  template <typename... Parts>
  [[noreturn]] void wrong(const Parts&... parts) const {
    throw_invalid(name_, ":", line_, ": ", parts...);
  }

  /// True when the first row has no pose in it.
  bool header(const std::vector<std::string_view>& cells) {
    const bool of_spline = cells.front().starts_with("Dt:"), of_poses = cells.front() == "num";
    if (!format_) {
      if (of_spline) format_ = Format::kSpline;
      if (of_poses) format_ = Format::kPose;
      if (!format_ && cells.size() == kNumbers && finite_number(cells.front())) {
        format_ = Format::kTum;
      }
      if (!format_) {
        wrong(
            "unknown header '", printable(cells.front()),
            "'; a file begins with num,t,x,y,z,qx,qy,qz,qw, with Dt: ..., Order: ..., or has rows "
            "of t x y z qx qy qz qw");
      }
    }
    if (*format_ == Format::kSpline) {
      if (!of_spline) wrong("a spline begins with Dt: ..., Order: ..., Knots: ..., MinTime: ...");
      read_spline_header(cells);
      return true;
    }
    if (of_spline) wrong("this is the header of a spline; write format \"mcd_spline\"");
    if (!of_poses) return false;
    if (*format_ == Format::kTum) wrong("this is the header of poses; write format \"mcd_pose\"");
    for (std::size_t i = 0; i < kNumbers; ++i) {
      if (cells.size() == kNumbers + 1 && cells[i + 1] == kNames[i]) continue;
      wrong("the columns of poses are num,t,x,y,z,qx,qy,qz,qw");
    }
    return true;
  }

  /// "Dt: 0.025, Order: 6, ..."; a space may be missing.
  void read_spline_header(const std::vector<std::string_view>& cells) {
    std::string_view label;
    for (std::string_view cell : cells) {
      if (const auto colon = cell.find(':'); colon != cell.npos) {
        label = cell.substr(0, colon);
        cell.remove_prefix(colon + 1);
        if (cell.empty()) continue;
      }
      const auto value = label == "MinTime" ? stamp(cell) : std::nullopt;
      const auto number = finite_number(cell);
      if (!number) wrong(label, " must be a finite number, got '", printable(cell), "'");
      if (label == "Dt") interval_ = *number;
      if (label == "Order") order_ = *number;
      if (label == "Knots") knots_ = *number;
      if (label == "MinTime") start_ = *value;
    }
    if (!(interval_ > 0)) wrong("a spline needs Dt: the seconds between two rows, > 0");
    if (!(order_ >= 2 && order_ <= ControlSpline::kMostOrder) || order_ != std::floor(order_)) {
      wrong("a spline needs Order: a whole number from 2 to ", ControlSpline::kMostOrder);
    }
    if (!(knots_ >= order_)) wrong("a spline of order ", order_, " needs so many Knots or more");
    if (!start_) wrong("a spline needs MinTime: the time at which it begins");
  }

  void row(std::vector<std::string_view> cells) {
    const bool numbered = *format_ != Format::kTum;
    const std::size_t needed = kNumbers + (numbered ? 1 : 0);
    if (cells.size() != needed) {
      wrong(cells.size(), " values in a row that needs ", needed, ": ", numbered ? "num " : "",
            "t x y z qx qy qz qw");
    }
    if (numbered) cells.erase(cells.begin());
    double n[kNumbers];
    for (std::size_t i = 0; i < kNumbers; ++i) {
      const auto number = finite_number(cells[i]);
      if (!number) {
        wrong(kNames[i], " must be a finite number, got '", printable(cells[i]), "'");
      }
      n[i] = *number;
    }
    const Stamp t = *stamp(cells[0]);
    if (!stamps_.empty() && !(t - stamps_.back() > 0)) {
      wrong("times must rise, got ", stamps_.back().value(), " and then ", t.value());
    }
    if (!stamps_.empty() && !(t - stamps_.back() >= kShortest && t - stamps_.back() <= kLongest)) {
      wrong("rows must be ", kShortest, " to ", kLongest, " s apart, got ", t - stamps_.back(),
            " s");
    }
    Pose X{Quat(n[7], n[4], n[5], n[6]), Vec3(n[1], n[2], n[3])};
    if (!(X.p.cwiseAbs().maxCoeff() <= kFarthest))
      wrong("x, y and z must be within ", kFarthest, " m");
    const double length = X.R.norm();
    if (!(std::abs(length - 1) <= kUnit)) {
      wrong("the quaternion qx qy qz qw has the length ", length, ", not 1");
    }
    X.R.normalize();
    if (!poses_.empty()) {
      const double turn = axis_and_angle(poses_.back().R.conjugate() * X.R).angle();
      if (turn > kWidestTurn) {
        wrong("turned by ", turn * 180 / kPi,
              " deg since the row before: how it got there is not "
              "known; record more often, or look for an error");
      }
    }
    if (*format_ == Format::kSpline && !stamps_.empty() &&
        std::abs(t - stamps_.back() - interval_) > 0.01 * interval_) {
      wrong("rows of this spline are Dt = ", interval_, " s apart, got ", t - stamps_.back(), " s");
    }
    stamps_.push_back(t);
    poses_.push_back(X);
  }

  std::vector<double> seconds() const {
    std::vector<double> out;
    for (const Stamp& t : stamps_) out.push_back(t - stamps_.front());
    return out;
  }

  Recording spline() {
    const auto rows = static_cast<double>(poses_.size());
    if (rows != knots_) {
      throw_invalid(name_, ": the header tells of ", knots_, " Knots, the file has ", rows,
                    " rows; it may be cut off");
    }
    return {start_->value(),
            std::make_shared<ControlSpline>(interval_, static_cast<int>(order_), poses_)};
  }

  std::string name_;
  std::optional<Format> format_;
  int line_ = 0;
  bool first_ = true;
  double interval_ = 0, order_ = 0, knots_ = 0;
  std::optional<Stamp> start_;
  std::vector<Stamp> stamps_;
  std::vector<Pose> poses_;
};

}  // namespace

Recording read_recording(const std::filesystem::path& file, const std::string& format) {
  std::string text;
  try {
    text = read_named_file(file, kLargestFile);
  } catch (const std::runtime_error& problem) {
    throw_invalid(problem.what());
  }
  std::string_view rest = text;
  if (rest.starts_with("\xEF\xBB\xBF")) rest.remove_prefix(3);  // byte order mark of spreadsheets
  Reader reader(file.string(), format);
  for (int line = 1; !rest.empty(); ++line) {
    const auto end = rest.find('\n');
    reader.line(line, rest.substr(0, end));
    rest.remove_prefix(end == rest.npos ? rest.size() : end + 1);
  }
  return reader.take();
}

}  // namespace protobeam
