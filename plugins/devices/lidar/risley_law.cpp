// scanLaw "risley": lasers along x, steered by two turning prisms (risley.h). The lasers of the
// table fire in turn, pulse i at (i + 1) / pointRate after the device was switched on; a sweep is
// the next pointRate / rate pulses, so the pattern goes on from sweep to sweep.
//
// The image has one layer; column j is pulse j of the sweep.
#include <cmath>

#include "base/libm.h"
#include "constants.h"
#include "risley.h"
#include "scan_law.h"
#include "throw_invalid.h"

namespace protobeam {
namespace {

constexpr std::size_t kBand = 256;  ///< beams

Prisms prisms_of(const Fields& fields) {
  Prisms p;
  p.angle = fields.number("prismAngle");
  p.index = fields.number("prismIndex");
  p.tilted_outside = fields.string("prismOrder") == "out";
  const auto rates = fields.numbers("prismRates"), phases = fields.numbers("prismPhases");
  if (rates.size() != 2) {
    throw_invalid("field 'prismRates' of Lidar must have the turns a second of 2 prisms, got ",
                  rates.size(), " numbers");
  }
  if (phases.size() != 2) {
    throw_invalid("field 'prismPhases' of Lidar must have the angles of 2 prisms, got ",
                  phases.size(), " numbers");
  }
  std::copy(rates.begin(), rates.end(), p.rate);
  std::copy(phases.begin(), phases.end(), p.phase);
  return p;
}

Vec3 entering(const Beam& beam) {
  const double c = libm::cos(beam.elevation);
  return {c * libm::cos(beam.azimuth), c * libm::sin(beam.azimuth), libm::sin(beam.elevation)};
}

class RisleyLaw final : public ScanLaw {
 public:
  explicit RisleyLaw(const Fields& fields)
      : table_(beam_table_of(fields)),
        prisms_(prisms_of(fields)),
        point_rate_(fields.number("pointRate")) {
    require_unset(
        fields, {"tiltAngle", "horizontalResolution", "fieldOfView", "verticalFieldOfView",
                 "numberOfLayers", "layerAngles", "type", "projection", "spherical", "firingPeriod",
                 "startAzimuth", "rotationSense", "azimuthPerColumn"});
    if (table_.last_time() > 0) {
      throw_invalid(
          "field 'beamTimes' of Lidar: the lasers of scanLaw \"risley\" fire in turn; leave it "
          "out");
    }
    const double rate = fields.number("defaultFrequency");
    if (const std::string problem = objection(rate); !problem.empty()) {
      throw_invalid("field 'defaultFrequency' of Lidar: ", problem);
    }
    check_size(1, columns(rate));
    for (const Beam& beam : table_.beams) {
      trains_.emplace_back(prisms_, entering(beam), table_.size() / point_rate_);
    }
    measure();
  }

  const BeamTable& table() const override { return table_; }
  int layers() const override { return 1; }
  int columns(double rate) const override {
    return static_cast<int>(std::min(point_rate_ / rate + kLastBits, 1e9));
  }
  double period(double rate) const override { return columns(rate) / point_rate_; }
  double last_shot(double rate) const override { return period(rate); }
  bool repeats() const override { return false; }
  std::string objection(double rate) const override {
    if (columns(rate) >= 1) return "";
    return joined("a sweep at ", rate, " Hz is over before the first of ", point_rate_,
                  " pulses a second");
  }

  void fill(double rate, double start, int width, SweepPattern& out) const override;

  Shot shot(const SweepPattern& sweep, int, int column) const override {
    const auto beam = (sweep.first_pulse + column) % table_.size();
    return {static_cast<int>(beam), (column + 1) / point_rate_};
  }
  void describe(double, Properties& properties) const override {
    properties["fieldOfView"] = 2 * off_axis_;
    properties["verticalFieldOfView"] = 2 * off_axis_;
    properties["firingPeriod"] = 1 / point_rate_;
    properties["pointRate"] = point_rate_;
    properties["prismAngle"] = prisms_.angle;
    properties["prismIndex"] = prisms_.index;
    properties["prismRates"] = std::vector<double>{prisms_.rate[0], prisms_.rate[1]};
    properties["prismPhases"] = std::vector<double>{prisms_.phase[0], prisms_.phase[1]};
    properties["prismOrder"] = std::string(prisms_.tilted_outside ? "out" : "in");
    properties["type"] = std::string("fixed");
  }

 private:
  /// How far from the axis the rays get; refuses prisms that hold them back.
  void measure() {
    constexpr int kSteps = 360;
    for (const Beam& beam : table_.beams) {
      // Where the prisms stand to each other decides, for a ray along the axis alone.
      const int first_turns = entering(beam).y() == 0 && entering(beam).z() == 0 ? 1 : kSteps / 10;
      for (int i = 0; i < first_turns; ++i) {
        const double A = 2 * kPi * i / first_turns;
        for (int j = 0; j < kSteps; ++j) {
          const Vec3 d = prisms_.refract(entering(beam), A, A + 2 * kPi * j / kSteps);
          if (!d.allFinite() || !(d.x() > 0)) {
            throw_invalid("fields 'prismAngle' ", prisms_.angle, " and 'prismIndex' ",
                          prisms_.index,
                          " of Lidar: light does not get through the prisms (total reflection)");
          }
          off_axis_ = std::max(off_axis_, libm::atan2(libm::hypot(d.y(), d.z()), d.x()));
        }
      }
    }
  }

  BeamTable table_;
  Prisms prisms_;
  double point_rate_;
  std::vector<PulseTrain> trains_;  ///< of each beam
  double off_axis_ = 0;             ///< rad
};

void RisleyLaw::fill(double rate, double start, int, SweepPattern& out) const {
  const auto n = static_cast<std::size_t>(columns(rate));
  const auto lasers = static_cast<std::size_t>(table_.size());
  const bool origins = table_.has_origins(), fresh = out.size() != n;
  out.columns = static_cast<int>(n);
  out.firing_period = 1 / point_rate_;
  out.first_pulse = std::llround(start * point_rate_);
  if (fresh) {
    out.resize(n, origins, false);
    for (std::size_t i = 0; i < n; ++i) {
      out.time[i] = static_cast<float>(static_cast<double>(i + 1) / point_rate_);
      out.cell[i] = static_cast<std::uint32_t>(i);
      out.layer[i] = 0;
    }
    for (std::size_t first = 0; first < n; first += kBand) {
      const std::size_t count = std::min(kBand, n - first);
      out.bands.push_back({first, count, out.time[first], out.time[first + count - 1]});
    }
  }
  for (std::size_t laser = 0; laser < lasers; ++laser) {
    // The first pulse of the sweep that is this laser's, then every so many.
    const auto turn = static_cast<std::size_t>(out.first_pulse) % lasers;
    double x[PulseTrain::kRun], y[PulseTrain::kRun], z[PulseTrain::kRun];
    for (std::size_t i = (laser + lasers - turn) % lasers; i < n;) {
      const std::size_t count = std::min(PulseTrain::kRun, (n - i + lasers - 1) / lasers);
      const auto pulse = static_cast<double>(out.first_pulse + static_cast<std::int64_t>(i) + 1);
      trains_[laser].directions(pulse / point_rate_, count, x, y, z);
      for (std::size_t j = 0; j < count; ++j, i += lasers) {
        out.dx[i] = static_cast<float>(x[j]);
        out.dy[i] = static_cast<float>(y[j]);
        out.dz[i] = static_cast<float>(z[j]);
        if (!origins) continue;
        const Vec3& o = table_.beams[laser].origin;
        out.ox[i] = static_cast<float>(o.x());
        out.oy[i] = static_cast<float>(o.y());
        out.oz[i] = static_cast<float>(o.z());
      }
    }
  }
}

}  // namespace

std::unique_ptr<ScanLaw> make_risley_law(const Fields& fields) {
  return std::make_unique<RisleyLaw>(fields);
}

}  // namespace protobeam
