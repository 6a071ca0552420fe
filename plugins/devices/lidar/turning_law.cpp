// scanLaw "spinning" and "oscillating": a head, or a mirror, that turns at constant speed about z.
//
// Firing sequence k of a sweep starts at t = k P (P: firingPeriod; an oscillating one fires in the
// middle of its columns, at (k + 1/2) P). Beam i of the table fires beamTimes[i] later, at
//   azimuth = begin + sense 2 pi rate (t + beamTimes[i]) + beamAzimuths[i],   sense -1: clockwise,
// that is, the head turns between the lasers of one sequence. With azimuthPerColumn (Ouster) all of
// them fire at t.
#include <cmath>
#include <numeric>

#include "base/libm.h"
#include "constants.h"
#include "scan_law.h"
#include "throw_invalid.h"

namespace protobeam {
namespace {

double wrapped(double angle) { return angle - kTurn * std::floor((angle + kPi) / kTurn); }

class TurningLaw final : public ScanLaw {
 public:
  explicit TurningLaw(const Fields& fields)
      : table_(beam_table_of(fields)),
        oscillating_(fields.string("scanLaw") == "oscillating"),
        per_column_(fields.boolean("azimuthPerColumn")),
        sense_(fields.string("rotationSense") == "clockwise" ? -1 : 1) {
    require_unset(fields, {"tiltAngle", "verticalFieldOfView", "numberOfLayers", "layerAngles",
                           "type", "projection", "spherical", "pointRate", "prismAngle",
                           "prismIndex", "prismRates", "prismPhases", "prismOrder"});
    if (!oscillating_) require_unset(fields, {"fieldOfView"});
    const bool columns_given = fields.is_set("horizontalResolution");
    const double period = fields.number("firingPeriod");
    if (columns_given && period > 0) {
      throw_invalid(
          "fields 'horizontalResolution' and 'firingPeriod' of Lidar: one follows from the "
          "other; leave one out");
    }
    if (!columns_given && !(period > 0)) {
      throw_invalid("a Lidar of scanLaw \"", fields.string("scanLaw"),
                    "\" needs firingPeriod or horizontalResolution");
    }
    if (columns_given) {
      fixed_columns_ = fields.integer("horizontalResolution");
    } else {
      fixed_period_ = period;
    }
    if (oscillating_) field_of_view_ = std::min(fields.number("fieldOfView"), kTurn);
    const bool begin_given = !oscillating_ || fields.is_set("startAzimuth");
    begin_ = begin_given ? fields.number("startAzimuth") : -sense_ * field_of_view_ / 2;
    if (per_column_ && table_.last_time() > 0) {
      throw_invalid(
          "field 'azimuthPerColumn' of Lidar: all beams of a column fire at once, so there are "
          "no beam times");
    }
    const double rate = fields.number("defaultFrequency");
    if (const std::string problem = objection(rate); !problem.empty()) {
      throw_invalid("field 'defaultFrequency' of Lidar: ", problem);
    }
    check_size(layers(), columns(rate));
  }

  const BeamTable& table() const override { return table_; }
  int layers() const override { return table_.size(); }
  int columns(double rate) const override {
    if (fixed_columns_ > 0) return fixed_columns_;
    const double columns = field_of_view_ / kTurn / (rate * fixed_period_) + kLastBits;
    return static_cast<int>(std::min(columns, 1e9));
  }
  double period(double rate) const override { return 1 / rate; }
  double last_shot(double rate) const override {
    return first_firing(rate) + (columns(rate) - 1) * firing_period(rate) + table_.last_time();
  }
  std::string objection(double rate) const override {
    if (columns(rate) < 1) {
      return joined("a sweep at ", rate, " Hz is over before a firing sequence of ", fixed_period_,
                    " s");
    }
    for (std::size_t i = 0; i < table_.beams.size(); ++i) {
      if (table_.beams[i].time <= firing_period(rate)) continue;
      return joined("at ", rate, " Hz a firing sequence lasts ", firing_period(rate), " s, and ",
                    table_.name(i), " fires after ", table_.beams[i].time, " s");
    }
    return "";
  }

  void fill(double rate, double start, int width, SweepPattern& out) const override;

  Shot shot(const SweepPattern& sweep, int layer, int column) const override {
    const int beam = table_.by_layer[static_cast<std::size_t>(layer)];
    const double first = oscillating_ ? sweep.firing_period / 2 : 0;
    return {beam, first + firing(sweep.columns, column) * sweep.firing_period +
                      table_.beams[static_cast<std::size_t>(beam)].time};
  }
  double head_angle(double rate, double since) const override {
    return wrapped(begin_ + sense_ * kTurn * rate * since);
  }
  void describe(double rate, Properties& properties) const override {
    properties["fieldOfView"] = field_of_view_;
    properties["verticalFieldOfView"] = table_.highest() - table_.lowest();
    properties["firingPeriod"] = firing_period(rate);
    properties["startAzimuth"] = begin_;
    properties["rotationSense"] = std::string(sense_ < 0 ? "clockwise" : "counter-clockwise");
    properties["azimuthPerColumn"] = per_column_ ? 1.0 : 0.0;
    properties["type"] = std::string(oscillating_ ? "fixed" : "rotating");
  }

 private:
  double firing_period(double rate) const {
    return fixed_columns_ > 0 ? field_of_view_ / kTurn / (rate * fixed_columns_) : fixed_period_;
  }
  double first_firing(double rate) const { return oscillating_ ? firing_period(rate) / 2 : 0; }
  /// Column 0 is the leftmost: the first firing of a clockwise head, the last one of the other.
  int firing(int columns, int column) const { return sense_ < 0 ? column : columns - 1 - column; }

  BeamTable table_;
  bool oscillating_, per_column_;
  int sense_;
  double field_of_view_ = kTurn;
  double begin_ = 0;         ///< rad, azimuth at the start of a sweep
  int fixed_columns_ = 0;    ///< 0: the firing period is fixed
  double fixed_period_ = 0;  ///< s
};

struct Turn {
  explicit Turn(double angle) : c(libm::cos(angle)), s(libm::sin(angle)) {}
  double c, s;
};

void TurningLaw::fill(double rate, double, int width, SweepPattern& out) const {
  const int n = columns(rate);
  const double P = firing_period(rate), speed = sense_ * kTurn * rate;
  out.columns = n;
  out.firing_period = P;

  // Angles add up, so that no beam needs a sine of its own.
  std::vector<double> encoder;
  std::vector<Turn> head;
  for (int k = 0; k < n; ++k) {
    encoder.push_back(begin_ + speed * (first_firing(rate) + k * P));
    head.emplace_back(encoder.back());
  }
  struct Laser {
    double azimuth, time;
    Turn up, offset, lag;  ///< elevation; azimuth at firing 0; of which the head's turn
    Vec3 origin;
    int shift;  ///< firings by which it is behind a beam without an offset
  };
  std::vector<Laser> lasers;
  std::vector<double> elevations;
  for (const int i : table_.by_layer) {
    const Beam& beam = table_.beams[static_cast<std::size_t>(i)];
    const double lag = speed * beam.time, offset = beam.azimuth + lag;
    // Neighbours in space, not in time, make good tiles. A sweep that is no full turn has ends.
    const int shift =
        oscillating_ ? 0 : static_cast<int>(std::lround(-wrapped(beam.azimuth) / (speed * P)));
    lasers.push_back(
        {offset, beam.time, Turn(beam.elevation), Turn(offset), Turn(lag), beam.origin, shift});
    elevations.push_back(beam.elevation);
  }

  const TileShape tile = tile_shape(layers(), std::abs(speed) * P, mean_step(elevations));
  out.set_tiles(layers(), tile);
  const bool origins = table_.has_origins();
  out.resize(static_cast<std::size_t>(layers()) * static_cast<std::size_t>(n), origins, true);
  std::size_t place = 0;
  int band_column = -1;
  visit_in_tiles(layers(), n, tile, [&](int layer, int slot) {
    const Laser& laser = lasers[static_cast<std::size_t>(layer)];
    const int k = ((slot + laser.shift) % n + n) % n;
    const Turn& h = head[static_cast<std::size_t>(k)];
    const double c = h.c * laser.offset.c - h.s * laser.offset.s;
    const double s = h.s * laser.offset.c + h.c * laser.offset.s;
    out.dx[place] = static_cast<float>(c * laser.up.c);
    out.dy[place] = static_cast<float>(s * laser.up.c);
    out.dz[place] = static_cast<float>(laser.up.s);
    if (origins) {
      const double hc = h.c * laser.lag.c - h.s * laser.lag.s;
      const double hs = h.s * laser.lag.c + h.c * laser.lag.s;
      out.ox[place] = static_cast<float>(hc * laser.origin.x() - hs * laser.origin.y());
      out.oy[place] = static_cast<float>(hs * laser.origin.x() + hc * laser.origin.y());
      out.oz[place] = static_cast<float>(laser.origin.z());
    }
    out.azimuth[place] =
        static_cast<float>(wrapped(encoder[static_cast<std::size_t>(k)] + laser.azimuth));
    out.elevation[place] = static_cast<float>(elevations[static_cast<std::size_t>(layer)]);
    const float time = static_cast<float>(first_firing(rate) + k * P + laser.time);
    out.time[place] = time;
    out.cell[place] = static_cast<std::uint32_t>(layer * width + firing(n, k));
    out.layer[place] = layer;
    if (slot / tile.columns != band_column) {
      band_column = slot / tile.columns;
      out.bands.push_back({place, 0, time, time});
    }
    SweepPattern::Band& band = out.bands.back();
    ++band.count;
    band.begin = std::min(band.begin, time);
    band.end = std::max(band.end, time);
    ++place;
  });
}

}  // namespace

std::unique_ptr<ScanLaw> make_turning_law(const Fields& fields) {
  return std::make_unique<TurningLaw>(fields);
}

}  // namespace protobeam
