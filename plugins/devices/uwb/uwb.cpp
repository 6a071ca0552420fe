// Uwb: a tag that measures two-way ranges to ultra-wideband anchors.
//
// Anchors are points of the world (field `anchors`), as a survey gives them: so a tag ranges in a
// recording without a program too, and at the very time of its sample, which a signal of another
// device (one step old, delivered to running programs only) could not. The price: anchors stand
// still.
//
// Frame: none; distances are from the tag's origin. A sample has one record for each anchor in the
// order of the field; one that was not received has NaN for distance and powers, and `valid` 0.
//
//   measured = r + bias(r) + white + slow + walls wallDelay + Exp(nlosDelay) if walls > 0 + outlier
//   total    = transmitPower + antennaGain - 20 log10(4 pi / wavelength) - 10 n log10(r / 1 m)
//              - walls wallPowerLoss + power noise
//   first    = total - firstPathLoss(r) - walls (wallLoss - wallPowerLoss)
//
// with n = pathLossExponent. n = 2 is Friis' law (H. T. Friis, "A note on a simple transmission
// formula", Proc. IRE 34, 1946); the law about 1 m: T. S. Rappaport, "Wireless communications", 2nd
// ed., section 4.9.1. `powerTable` replaces it by what was measured. The slow error is a
// Gauss-Markov process of each anchor with the standard deviation slowNoise(r), stepped by its
// exact solution. docs/sensors/uwb.md has sources and figures.
#include <algorithm>
#include <cmath>
#include <limits>
#include <set>
#include <stdexcept>
#include <string>
#include <vector>

#include "base/libm.h"
#include "base/state_archive.h"
#include "device/plugin.h"
#include "device/values.h"
#include "message/vendor_msgs.h"
#include "line_of_sight.h"
#include "range_table.h"

namespace protobeam {
namespace {

constexpr double kNaN = std::numeric_limits<double>::quiet_NaN();
constexpr double kSpeedOfLight = 299792458;  // m/s
constexpr double kLeastRange = 0.01;         // m, where the path-loss law ends
constexpr std::size_t kMostAnchors = 1000;   // LinkTrack P: 120

/// What a random number is for: NoiseKey::stream. The index is the anchor's place in the field.
enum Stream : std::uint32_t { kWhite, kSlow, kReception, kNlos, kPower, kOutlier };
enum Channel : std::size_t { kRanges, kTruth, kCount };

/// One element of channel "ranges".
struct RangeRecord {
  std::uint32_t id;
  float distance;          // m
  float first_path_power;  // dBm
  float total_power;       // dBm
  std::int32_t valid;      // 0 or 1
};
static_assert(sizeof(RangeRecord) == 20);

/// One element of channel "truth".
struct TruthRecord {
  float distance;  // m
  std::int32_t walls;
};
static_assert(sizeof(TruthRecord) == 8);

DeviceType declaration() {
  using enum FieldType;
  const Range at_least_0 = Range::at_least(0), share = Range::between(0, 1);
  return {
      .node =
          {"Uwb",
           "Device",
           "An ultra-wideband tag: two-way ranges to anchors, with their received power.",
           {{"name", kString, "\"uwb\"", "", {}, "name for the controller"},
            {"anchors", kMFVec3f, "[ ]", "m", {}, "where the anchors' antennas are, in the world"},
            {"anchorIds", kMFInt32, "[ ]", "", at_least_0,
             "an id for each anchor; empty: 0, 1, 2, ..."},
            {"maxRange", kFloat, "300", "m", Range::positive(), "no range beyond"},
            {"resolution", kFloat, "-1", "m", Range::positive().or_special(-1),
             "smallest step of a range; -1: none"},
            {"noise", kFloat, "0", "m", at_least_0, "standard deviation of each range"},
            {"bias", kMFFloat, "[ ]", "m", {}, "pairs range, mean error"},
            {"slowNoise",
             kMFFloat,
             "[ ]",
             "m",
             {},
             "pairs range, standard deviation of the error that changes slowly"},
            {"slowNoiseTime", kFloat, "30", "s", Range::positive(),
             "time after which the slow error's correlation has fallen to 1/e"},
            {"receptionRatio",
             kMFFloat,
             "[ ]",
             "m",
             {},
             "pairs range, share of samples in which an anchor is received; empty: 1"},
            {"clearance", kFloat, "0.1", "m", at_least_0,
             "surfaces nearer than this to tag or anchor do not block"},
            {"wallDelay", kFloat, "0.26", "m", at_least_0, "longer range behind each wall"},
            {"nlosDelay", kFloat, "0", "m", at_least_0,
             "mean of the exponentially distributed longer range behind walls"},
            {"wallLoss", kFloat, "20", "dB", at_least_0, "loss of the first path by each wall"},
            {"wallPowerLoss", kFloat, "6", "dB", at_least_0,
             "loss of the total power by each wall: less, as echoes go around; at most wallLoss"},
            {"frequency", kFloat, "3.9936e9", "Hz", Range::positive(), "of the carrier"},
            {"transmitPower", kFloat, "-14.3", "dBm", {}, "of an anchor, over the whole band"},
            {"antennaGain", kFloat, "0", "dB", {}, "of tag and anchor together"},
            {"pathLossExponent", kFloat, "2", "", Range::positive(), "2: free space"},
            {"powerTable",
             kMFFloat,
             "[ ]",
             "m",
             {},
             "pairs range, total power in dBm, instead of the law; empty: the law"},
            {"firstPathLoss",
             kMFFloat,
             "[ ]",
             "m",
             {},
             "pairs range, dB from the total to the first-path power in free sight"},
            {"powerNoise", kFloat, "0", "dB", at_least_0,
             "standard deviation of both powers, which vary together"},
            {"powerResolution", kFloat, "-1", "dB", Range::positive().or_special(-1),
             "smallest step of the powers; -1: none"},
            {"sensitivity",
             kFloat,
             "-105",
             "dBm",
             {},
             "an anchor of less total power is not received"},
            {"outlierRatio",
             kMFFloat,
             "[ ]",
             "m",
             {},
             "pairs range, share of ranges that are outliers; empty: none"},
            {"outlierOffset", kFloat, "1", "m", at_least_0, "error that each outlier has at least"},
            {"outlierScale", kFloat, "10", "m", at_least_0,
             "mean of its exponentially distributed error beyond outlierOffset"},
            {"outlierPositive", kFloat, "0.75", "", share, "share of outliers that are too long"},
            {"outlierPowerLoss", kFloat, "0", "dB", at_least_0,
             "mean of the first path's exponentially distributed loss in outliers"}}},
      .channels = {{"ranges",
                    ElementType::kRecord,
                    {"anchorCount"},
                    "",
                    "",
                    "nan",
                    "each anchor in the order of the field; what was not received has valid 0",
                    {{"id", ElementType::kUint32, ""},
                     {"distance", ElementType::kFloat32, "m"},
                     {"firstPathPower", ElementType::kFloat32, "dBm"},
                     {"totalPower", ElementType::kFloat32, "dBm"},
                     {"valid", ElementType::kInt32, ""}}},
                   {"truth",
                    ElementType::kRecord,
                    {"anchorCount"},
                    "",
                    "",
                    "",
                    "of each anchor: the straight line, and the walls on it; 0: in free sight",
                    {{"distance", ElementType::kFloat32, "m"}, {"walls", ElementType::kInt32, ""}}},
                   {"count", ElementType::kInt32, {}, "", "", "", "anchors that were received"}},
      .properties = {{"anchorCount", "", "number of anchors"},
                     {"anchors", "m", "x, y, z of each anchor in the world"},
                     {"anchorIds", "", "id of each anchor"},
                     {"maxRange", "m", "no range beyond"}},
      .inputs = Input::kVisibleRays,
      .webots_node = 1002,
  };
}

/// Mean 1; u in [0, 1).
double exponential(float u) { return -libm::log1p(-static_cast<double>(u)); }

class Uwb final : public DeviceModel, public KeepsState {
 public:
  explicit Uwb(const Fields& fields)
      : max_range_(fields.number("maxRange")),
        resolution_(fields.number("resolution")),
        noise_(fields.number("noise")),
        slow_time_(fields.number("slowNoiseTime")),
        wall_delay_(fields.number("wallDelay")),
        nlos_delay_(fields.number("nlosDelay")),
        wall_loss_(fields.number("wallLoss")),
        wall_power_loss_(fields.number("wallPowerLoss")),
        exponent_(fields.number("pathLossExponent")),
        power_noise_(fields.number("powerNoise")),
        power_resolution_(fields.number("powerResolution")),
        sensitivity_(fields.number("sensitivity")),
        outlier_offset_(fields.number("outlierOffset")),
        outlier_scale_(fields.number("outlierScale")),
        outlier_positive_(fields.number("outlierPositive")),
        outlier_power_loss_(fields.number("outlierPowerLoss")),
        bias_(fields, "bias", {}, 0),
        slow_noise_(fields, "slowNoise", Range::at_least(0), 0),
        reception_(fields, "receptionRatio", Range::between(0, 1), 1),
        power_(fields, "powerTable", {}, 0),
        first_path_loss_(fields, "firstPathLoss", Range::at_least(0), 0),
        outlier_ratio_(fields, "outlierRatio", Range::between(0, 1), 0),
        sight_(fields.number("clearance")) {
    if (wall_power_loss_ > wall_loss_) {
      throw std::invalid_argument(
          "field 'wallPowerLoss' is greater than wallLoss; the first path is a part of the total");
    }
    const double wavelength = kSpeedOfLight / fields.number("frequency");
    power_at_1_m_ = fields.number("transmitPower") + fields.number("antennaGain") -
                    20 * libm::log10(4 * kPi / wavelength);
    read_anchors(fields);
  }

  Properties properties() const override {
    std::vector<double> positions;
    for (const Vec3& p : anchors_W_) positions.insert(positions.end(), {p.x(), p.y(), p.z()});
    return {{"anchorCount", static_cast<double>(anchors_W_.size())},
            {"anchors", positions},
            {"anchorIds", std::vector<double>(ids_.begin(), ids_.end())},
            {"maxRange", max_range_}};
  }

  std::vector<DeviceTopic> topics(const TopicRequest&) const override {
    return {topic_of<message::LinktrackNodeframe3>("nlnf3", "/nlnf3", [this](const TopicInput& in) {
      constexpr std::uint8_t kAnchor = 1, kTag = 2;  // roles of nlink_parser
      message::LinktrackNodeframe3 frame;
      frame.header = in.header;
      frame.role = kTag;
      // The device counts milliseconds; both clocks are the simulation's here.
      frame.local_time = frame.system_time =
          static_cast<std::uint32_t>(message::nanoseconds(in.header.stamp) / 1'000'000);
      frame.voltage = 5;  // V, of its supply
      for (const RangeRecord& range : channel<RangeRecord>(in.data, kRanges)) {
        if (!range.valid) continue;
        frame.nodes.push_back({kAnchor, static_cast<std::uint8_t>(range.id), range.distance,
                               range.first_path_power, range.total_power});
      }
      return frame;
    })};
  }

  void reset() override { slow_.clear(); }

  void sample(const SampleInput& in, Sample& out) override {
    step_slow_errors(in);
    walls_.assign(anchors_W_.size(), 0);
    if (in.visible) sight_.count_walls(*in.visible, in.X_WS.p, anchors_W_, walls_);
    const auto ranges = out.channel<RangeRecord>(kRanges);
    const auto truth = out.channel<TruthRecord>(kTruth);
    std::int32_t received = 0;
    for (std::size_t i = 0; i < anchors_W_.size(); ++i) {
      const double range = (anchors_W_[i] - in.X_WS.p).norm();
      truth[i] = {static_cast<float>(range), walls_[i]};
      ranges[i] = measure(i, range, in.noise);
      received += ranges[i].valid;
    }
    out.channel<std::int32_t>(kCount)[0] = received;
  }

  void visit_state(StateArchive& archive) override {
    archive(slow_, slow_stepped_);
    const bool has_slow = slow_.size() == anchors_W_.size() && !slow_noise_.empty();
    archive.expect(slow_.empty() || has_slow, "errors of other anchors");
  }

 private:
  void read_anchors(const Fields& fields) {
    const auto positions = fields.numbers("anchors");
    if (positions.size() / 3 > kMostAnchors) {
      throw std::invalid_argument("field 'anchors' has " + std::to_string(positions.size() / 3) +
                                  " anchors; " + std::to_string(kMostAnchors) + " at most");
    }
    for (std::size_t i = 0; i + 2 < positions.size(); i += 3) {
      anchors_W_.emplace_back(positions[i], positions[i + 1], positions[i + 2]);
      ids_.push_back(static_cast<std::uint32_t>(i / 3));
    }
    const auto given = fields.numbers("anchorIds");
    if (given.empty()) return;
    if (given.size() != anchors_W_.size()) {
      throw std::invalid_argument("field 'anchorIds' has " + std::to_string(given.size()) +
                                  " ids for " + std::to_string(anchors_W_.size()) + " anchors");
    }
    std::set<double> seen;
    for (std::size_t i = 0; i < given.size(); ++i) {
      ids_[i] = static_cast<std::uint32_t>(given[i]);
      if (seen.insert(given[i]).second) continue;
      throw std::invalid_argument("field 'anchorIds' has the id " + std::to_string(ids_[i]) +
                                  " twice");
    }
  }

  /// The processes have the standard deviation 1; the range decides on what that means in metres.
  void step_slow_errors(const SampleInput& in) {
    if (slow_noise_.empty()) return;
    const bool first = slow_.empty();
    const double kept = first ? 0 : libm::exp(-(in.time - slow_stepped_) / slow_time_);
    const double fresh = std::sqrt(1 - kept * kept);
    slow_stepped_ = in.time;
    slow_.resize(anchors_W_.size(), 0);
    for (std::size_t i = 0; i < slow_.size(); ++i) {
      slow_[i] = kept * slow_[i] + fresh * gaussian(keyed(in.noise, kSlow), i);
    }
  }

  static NoiseKey keyed(NoiseKey key, Stream stream) {
    key.stream = stream;
    return key;
  }

  RangeRecord measure(std::size_t anchor, double range, const NoiseKey& key) const {
    const double walls = walls_[anchor];
    double total = total_power(range) - walls * wall_power_loss_;
    if (power_noise_ > 0) total += power_noise_ * gaussian(keyed(key, kPower), anchor);
    const bool received = range <= max_range_ && total >= sensitivity_ &&
                          uniform(keyed(key, kReception), anchor) < reception_.at(range);
    if (!received) {
      constexpr auto kNone = static_cast<float>(kNaN);
      return {ids_[anchor], kNone, kNone, kNone, 0};
    }

    double first = total - first_path_loss_.at(range) - walls * (wall_loss_ - wall_power_loss_);
    double measured = range + bias_.at(range) + walls * wall_delay_;
    if (noise_ > 0) measured += noise_ * gaussian(keyed(key, kWhite), anchor);
    if (!slow_.empty()) measured += slow_noise_.at(range) * slow_[anchor];
    if (walls > 0 && nlos_delay_ > 0) {
      measured += nlos_delay_ * exponential(uniform(keyed(key, kNlos), anchor));
    }
    if (!outlier_ratio_.empty()) {
      const auto u = uniforms(keyed(key, kOutlier), static_cast<std::uint32_t>(anchor));
      if (u[0] < outlier_ratio_.at(range)) {
        const double error = outlier_offset_ + outlier_scale_ * exponential(u[1]);
        measured += u[2] < outlier_positive_ ? error : -error;
        first -= outlier_power_loss_ * exponential(u[3]);
      }
    }
    return {ids_[anchor], static_cast<float>(quantised(std::max(measured, 0.0), resolution_)),
            static_cast<float>(quantised(first, power_resolution_)),
            static_cast<float>(quantised(total, power_resolution_)), 1};
  }

  double total_power(double range) const {
    if (!power_.empty()) return power_.at(range);
    return power_at_1_m_ - 10 * exponent_ * libm::log10(std::max(range, kLeastRange));
  }

  double max_range_, resolution_, noise_, slow_time_;
  double wall_delay_, nlos_delay_, wall_loss_, wall_power_loss_;
  double exponent_, power_noise_, power_resolution_, sensitivity_;
  double outlier_offset_, outlier_scale_, outlier_positive_, outlier_power_loss_;
  RangeTable bias_, slow_noise_, reception_, power_, first_path_loss_, outlier_ratio_;
  LineOfSight sight_;
  double power_at_1_m_ = 0;  // dBm
  std::vector<Vec3> anchors_W_;
  std::vector<std::uint32_t> ids_;
  std::vector<int> walls_;    // of the last sample
  std::vector<double> slow_;  // by anchor, standard deviation 1; empty before the first sample
  double slow_stepped_ = 0;   // s, when slow_ was computed
};

}  // namespace
}  // namespace protobeam

PROTOBEAM_DEVICE_PLUGIN(protobeam::declaration(), protobeam::Uwb)
