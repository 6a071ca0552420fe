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

/// Writes field by field, a block of points at a time.
class PointWriter {
 public:
  PointWriter(const PointLayout& layout, Misses misses, const TimedSweep& sweep,
              const SweepSource& source)
      : layout_(layout),
        missing_(misses == Misses::kNan ? kNan : 0),
        source_(source),
        start_(sweep.start_time),
        header_(header_time(sweep, source)),
        origins_(numbers(source, "beamOrigins")) {}

  void write(std::span<const BeamReturn* const> beams, std::uint8_t* points) const {
    constexpr std::size_t kBlock = 256;  // points, beams and what is written of them fit into L1
    for (; beams.size() > kBlock; beams = beams.subspan(kBlock)) {
      write_block(beams.first(kBlock), points);
      points += kBlock * layout_.point_step;
    }
    write_block(beams, points);
  }

 private:
  using Block = std::span<const BeamReturn* const>;

  void write_block(Block beams, std::uint8_t* points) const {
    if (layout_.pcl_point) {
      for (std::size_t i = 0; i < beams.size(); ++i)
        put(points + i * layout_.point_step + 12, 1.0f);
    }
    for (const PointField& field : layout_.fields) write_field(field, beams, points + field.offset);
  }

  void write_field(const PointField& field, Block beams, std::uint8_t* to) const {
    const auto all = [&](const auto& value) { write_values(field.datatype, beams, value, to); };
    const auto of_hits = [&](const auto& value, float missing) {
      all([&](const BeamReturn& b) {
        return is_return(b) ? static_cast<double>(value(b)) : missing;
      });
    };
    switch (field.value) {
      case PointValue::kX:
        return of_hits([&](const BeamReturn& b) { return coordinate(b.x); }, missing_);
      case PointValue::kY:
        return of_hits([&](const BeamReturn& b) { return coordinate(b.y); }, missing_);
      case PointValue::kZ:
        return of_hits([&](const BeamReturn& b) { return coordinate(b.z); }, missing_);
      case PointValue::kFraction:
        return of_hits([](const BeamReturn& b) { return b.intensity; }, missing_);
      case PointValue::kIntensity:
        return of_hits(
            [](const BeamReturn& b) {
              return std::round(255 * std::clamp(double{b.intensity}, 0.0, 1.0));
            },
            missing_);
      case PointValue::kSignal:
        return all([](const BeamReturn& b) { return b.signal; });
      case PointValue::kAmbient:
        return all([](const BeamReturn& b) { return std::round(b.ambient); });
      case PointValue::kRangeMm:
        return of_hits(
            [&](const BeamReturn& b) { return std::round(1000 * (b.range + from_axis(b.beam))); },
            0);
      case PointValue::kRow:
        return all([&](const BeamReturn& b) { return fitting(field, b.layer); });
      case PointValue::kRing:
        return all([&](const BeamReturn& b) { return fitting(field, b.ring); });
      case PointValue::kLaser:
        return all([&](const BeamReturn& b) { return fitting(field, b.beam); });
      case PointValue::kSinceStartNs:
        return all([&](const BeamReturn& b) { return whole_nanoseconds(b.time - start_); });
      case PointValue::kSinceHeader:
        return all([&](const BeamReturn& b) { return b.time - header_; });
      case PointValue::kSinceStart:
        return all([&](const BeamReturn& b) { return b.time - start_; });
      case PointValue::kInstance:
        return of_hits([](const BeamReturn& b) { return b.label >> 16; }, 0);
      case PointValue::kClass:
        return of_hits([](const BeamReturn& b) { return b.label & 0xffff; }, 0);
      case PointValue::kLivoxTag:
        // Livox wiki, "Livox point cloud characteristics": return 0 is the echo of the optics.
        return of_hits(
            [](const BeamReturn& b) {
              return b.range >= 1.5f ? std::clamp(b.return_number, 0, 3) << 4 : 0;
            },
            0);
    }
  }

  template <typename Value>
  void write_values(PointFieldType type, Block beams, const Value& value, std::uint8_t* to) const {
    const auto all = [&](const auto& convert) {
      for (std::size_t i = 0; i < beams.size(); ++i) {
        put(to + i * layout_.point_step, convert(value(*beams[i])));
      }
    };
    switch (type) {
      case PointFieldType::kUint8:
        return all(saturated<std::uint8_t>);
      case PointFieldType::kUint16:
        return all(saturated<std::uint16_t>);
      case PointFieldType::kUint32:
        return all(saturated<std::uint32_t>);
      case PointFieldType::kFloat32:
        return all([](double number) { return static_cast<float>(number); });
    }
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
  float missing_;
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
  std::vector<int> shifts = destaggered ? pixel_shifts(source) : std::vector<int>{};
  const int columns = std::max(source.columns, 1);
  for (int& shift : shifts) shift = (shift % columns + columns) % columns;  // to the right
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
    int column = beam.column + (shifts.empty() ? 0 : shifts[laser]);
    if (column >= columns) column -= columns;
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
  writer.write(beams, cloud.data.data());
  cloud.is_dense = shape.misses != Misses::kNan ||
                   std::ranges::all_of(beams, [](const BeamReturn* b) { return is_return(*b); });
  return cloud;
}

}  // namespace protobeam
