#include "output/point_cloud.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>
#include <span>
#include <stdexcept>
#include <tuple>

namespace protobeam {
namespace {

using Beams = std::vector<const BeamReturn*>;

constexpr float kNan = std::numeric_limits<float>::quiet_NaN();

[[noreturn]] void throw_invalid(const SweepSource& source, const std::string& why) {
  throw std::invalid_argument(name_of(source) + ": " + why);
}

/// Empty where the device has no such property.
std::span<const double> numbers(const SweepSource& source, const char* name) {
  const auto it = source.properties.find(name);
  if (it == source.properties.end()) return {};
  if (const auto* list = std::get_if<std::vector<double>>(&it->second)) return *list;
  if (const auto* number = std::get_if<double>(&it->second)) return {number, 1};
  return {};
}

/// Counters stay at their ends.
template <class T>
T saturated(double value) {
  constexpr double kMost = std::numeric_limits<T>::max();
  if (!(value > 0)) return 0;
  return value < kMost ? static_cast<T>(value) : std::numeric_limits<T>::max();
}

template <class T>
void put(std::uint8_t* at, T value) {
  std::memcpy(at, &value, sizeof value);
}

double largest(PointFieldType type) {
  switch (type) {
    case PointFieldType::kUint8:
      return std::numeric_limits<std::uint8_t>::max();
    case PointFieldType::kUint16:
      return std::numeric_limits<std::uint16_t>::max();
    case PointFieldType::kUint32:
      return std::numeric_limits<std::uint32_t>::max();
    case PointFieldType::kFloat32:
      break;
  }
  return std::numeric_limits<float>::max();
}

/// Clocks of devices count whole nanoseconds; times of beams are sums that may lack their last
/// bits.
double whole_nanoseconds(double seconds) { return std::floor(seconds * 1e9 + 0.01); }

class PointWriter {
 public:
  PointWriter(const PointLayout& layout, Misses misses, const TimedSweep& sweep,
              const SweepSource& source)
      : layout_(layout),
        misses_(misses),
        source_(source),
        start_(sweep.start_time),
        header_(header_time(sweep, source)),
        origins_(numbers(source, "beamOrigins")) {}

  void write(const BeamReturn& beam, std::uint8_t* point) const {
    if (layout_.pcl_point) put(point + 12, 1.0f);
    for (const PointField& field : layout_.fields) {
      std::uint8_t* at = point + field.offset;
      const double value = value_of(field, beam);
      switch (field.datatype) {
        case PointFieldType::kUint8:
          put(at, saturated<std::uint8_t>(value));
          break;
        case PointFieldType::kUint16:
          put(at, saturated<std::uint16_t>(value));
          break;
        case PointFieldType::kUint32:
          put(at, saturated<std::uint32_t>(value));
          break;
        case PointFieldType::kFloat32:
          put(at, static_cast<float>(value));
          break;
      }
    }
  }

 private:
  double value_of(const PointField& field, const BeamReturn& beam) const {
    const bool hit = is_return(beam);
    const float missing = misses_ == Misses::kNan ? kNan : 0;
    switch (field.value) {
      case PointValue::kX:
        return hit ? coordinate(beam.x) : missing;
      case PointValue::kY:
        return hit ? coordinate(beam.y) : missing;
      case PointValue::kZ:
        return hit ? coordinate(beam.z) : missing;
      case PointValue::kFraction:
        return hit ? beam.intensity : missing;
      case PointValue::kIntensity:
        return hit ? std::round(255 * std::clamp(double{beam.intensity}, 0.0, 1.0)) : missing;
      case PointValue::kSignal:
        return beam.signal;
      case PointValue::kAmbient:
        return std::round(beam.ambient);
      case PointValue::kRangeMm:
        return hit ? std::round(1000 * (beam.range + from_axis(beam.beam))) : 0;
      case PointValue::kRow:
        return fitting(field, beam.layer);
      case PointValue::kRing:
        return fitting(field, beam.ring);
      case PointValue::kLaser:
        return fitting(field, beam.beam);
      case PointValue::kSinceStartNs:
        return whole_nanoseconds(beam.time - start_);
      case PointValue::kSinceHeader:
        return beam.time - header_;
      case PointValue::kSinceStart:
        return beam.time - start_;
      case PointValue::kInstance:
        return hit ? beam.label >> 16 : 0;
      case PointValue::kClass:
        return hit ? beam.label & 0xffff : 0;
      case PointValue::kLivoxTag:
        // Livox wiki, "Livox point cloud characteristics": return 0 is the echo of the optics.
        return hit && beam.range >= 1.5f ? std::clamp(beam.return_number, 0, 3) << 4 : 0;
    }
    return 0;
  }

  float coordinate(float metres) const {
    // Drivers divide integers: there is no negative zero.
    return layout_.millimetres ? std::round(1000 * metres) / 1000 + 0.0f : metres;
  }

  /// Ouster counts ranges from the axis; ours begin at the laser (ouster-sdk, xyzlut.cpp).
  double from_axis(int laser) const {
    const auto at = 3 * static_cast<std::size_t>(laser);
    return at < origins_.size() ? origins_[at] : 0;
  }

  double fitting(const PointField& field, int number) const {
    if (number >= 0 && number <= largest(field.datatype)) return number;
    throw_invalid(source_,
                  fmt::format("{} does not fit into the {} bits of '{}' in point format '{}'",
                              number, 8 * size_of(field.datatype), field.name, layout_.name));
  }

  const PointLayout& layout_;
  Misses misses_;
  const SweepSource& source_;
  double start_, header_;            ///< s of simulated time
  std::span<const double> origins_;  ///< m, of the lasers: x, y, z
};

Beams in_one_row(const PointLayout& layout, Misses misses, const TimedSweep& sweep) {
  Beams out;
  out.reserve(sweep.beams.size());
  for (const BeamReturn& beam : sweep.beams) {
    if (misses != Misses::kDropped || is_return(beam)) out.push_back(&beam);
  }
  if (layout.order == PointOrder::kByTime) {
    std::ranges::stable_sort(out, {}, [](const BeamReturn* b) {
      const double time = std::isfinite(b->time) ? b->time : 0;
      return std::tuple(time, b->column, b->beam, b->return_number);
    });
  } else {
    std::ranges::stable_sort(out, {}, [](const BeamReturn* b) {
      return std::tuple(b->layer, b->column, b->return_number);
    });
  }
  return out;
}

Beams in_a_grid(bool destaggered, const TimedSweep& sweep, const SweepSource& source) {
  const std::vector<int> shifts = destaggered ? pixel_shifts(source) : std::vector<int>{};
  const auto cell_name = [](int layer, int column) {
    return fmt::format("layer {}, column {}", layer, column);
  };
  Beams out(static_cast<std::size_t>(source.layers) * static_cast<std::size_t>(source.columns));
  for (const BeamReturn& beam : sweep.beams) {
    const auto laser = static_cast<std::size_t>(beam.beam);
    if (beam.layer < 0 || beam.layer >= source.layers || beam.column < 0 ||
        beam.column >= source.columns || (!shifts.empty() && laser >= shifts.size())) {
      throw_invalid(source, fmt::format("{}, laser {}: a beam outside of the image",
                                        cell_name(beam.layer, beam.column), beam.beam));
    }
    const int shift = shifts.empty() ? 0 : shifts[laser];
    const int column = ((beam.column + shift) % source.columns + source.columns) % source.columns;
    const BeamReturn*& cell =
        out[static_cast<std::size_t>(beam.layer) * static_cast<std::size_t>(source.columns) +
            static_cast<std::size_t>(column)];
    if (!cell || beam.return_number < cell->return_number) cell = &beam;
  }
  const auto hole = std::ranges::find(out, nullptr);
  if (hole != out.end()) {
    const auto at = static_cast<int>(hole - out.begin());
    throw_invalid(source, cell_name(at / source.columns, at % source.columns) + ": no beam");
  }
  return out;
}

}  // namespace

std::vector<int> pixel_shifts(const SweepSource& source) {
  std::vector<int> shifts;
  for (const double degrees : numbers(source, "beamAzimuths_deg")) {
    // Columns follow the head clockwise.
    shifts.push_back(static_cast<int>(std::lround(-degrees / 360 * source.columns)));
  }
  const auto field_of_view = numbers(source, "fieldOfView");
  const bool whole = field_of_view.empty() || std::abs(field_of_view[0] - kTurn) < 1e-9;
  if (!whole && std::ranges::any_of(shifts, [](int shift) { return shift != 0; })) {
    throw_invalid(
        source, "only the image of a full turn can be destaggered; leave it as it is (--stagger)");
  }
  return shifts;
}

PointCloud fill_points(const PointLayout& layout, const CloudShape& shape, const TimedSweep& sweep,
                       const SweepSource& source) {
  if (shape.organised && shape.misses == Misses::kDropped) {
    throw_invalid(source, "an organised cloud cannot drop what did not return");
  }
  const Beams beams = shape.organised ? in_a_grid(shape.destaggered, sweep, source)
                                      : in_one_row(layout, shape.misses, sweep);
  PointCloud cloud;
  cloud.height = shape.organised ? static_cast<std::uint32_t>(source.layers) : 1;
  cloud.width = static_cast<std::uint32_t>(shape.organised ? source.columns : beams.size());
  cloud.header_ns = static_cast<std::int64_t>(whole_nanoseconds(header_time(sweep, source)));
  cloud.start_ns = static_cast<std::int64_t>(whole_nanoseconds(sweep.start_time));
  cloud.data.resize(beams.size() * layout.point_step);
  const PointWriter writer(layout, shape.misses, sweep, source);
  std::uint8_t* point = cloud.data.data();
  for (const BeamReturn* beam : beams) {
    writer.write(*beam, point);
    point += layout.point_step;
    if (shape.misses == Misses::kNan && !is_return(*beam)) cloud.is_dense = false;
  }
  return cloud;
}

}  // namespace protobeam
