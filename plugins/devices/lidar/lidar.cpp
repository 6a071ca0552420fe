// Lidar: laser beams from a device that stands, turns, swings or steers them by prisms.
//
// Frame: the device's own, x forward, y left, z up. The image has layers and columns.
// scanLaw "grid": layers by columns from one point. Layer 0 is the top one, column 0 the leftmost.
//   fixed       azimuth of column j: fieldOfView / 2 - (j + 1/2) fieldOfView /
//   horizontalResolution.
//               The whole image is taken at the instant of the sample.
//   rotating    the columns span a full turn: azimuth pi - 2 pi j / horizontalResolution, so that
//               column 0 looks to the rear and the middle one to the front. The head starts there
//               when the device is enabled and turns clockwise seen from above. Each physics step
//               takes the columns that the head has passed, from the pose at the end of the step;
//               the others keep their older values (+inf until they are passed for the first time).
//   elevation   of layer i: verticalFieldOfView / 2 - i verticalFieldOfView / (numberOfLayers - 1),
//               0 for a single layer, or layerAngles[i]; plus tiltAngle, so that each layer is a
//               cone about z.
//   planar      columns are at equal steps of tan(azimuth), rows at equal elevations in the middle
//               column; rows are straight lines on a wall, and the tilt turns the picture about y.
// All other laws move the lasers of a table (beam_table.h) and know when each is fired.
//   spinning    a head turns clockwise from startAzimuth (the rear) and fires a sequence of all
//               lasers every firingPeriod: floor(1 / (rate firingPeriod)) times a turn, or
//               horizontalResolution times. Layer 0 is the highest laser; column j holds firing
//               sequence j (the last but j of a counter-clockwise head, so that column 0 is the
//               left edge for both). Columns are staggered: each laser adds its azimuth offset, and
//               the head turns while a sequence is fired. turning_law.cpp has the formula.
//   oscillating a mirror that turns at `rate` but is open over fieldOfView only. Columns are the
//               middles of equal parts of it, as those of a fixed grid.
//   risley      two turning prisms. One layer; column j is pulse j of the sweep (risley_law.cpp).
// The offsets of Velodyne's calibration files are ours: beamAzimuths_deg = rot_correction, in
// degrees (their azimuth runs clockwise and rot_correction is subtracted from it). Offsets that a
// maker adds to a clockwise azimuth, and Ouster's beam_azimuth_angles, change their sign.
//
// A sweep is published when its last beam was fired, and stays until the next one is complete.
// With motionDistortion each beam is cast from where the device and all bodies are at its instant,
// between two physics steps (docs of RayBatch); points are in the frame that the device had then.
// Without, the whole sweep is cast from the pose at the end of the step in which it is complete;
// its beams keep the distances of their firing times, the last one having that of the sample.
//
// Ranges are distances along the beam, from its origin. In this order: a surface nearer than
// `near` does not exist, nor does one nearer than where the beam has left the shapes of its robot
// that the device's origin is in (near_of_beams.h); noise, normal with sigma = noise * maxRange (Webots reference, Lidar);
// then floor(r / resolution + 1/2) * resolution; then what is outside [minRange, maxRange] does not
// return, but hides what is behind it.
// No return is +inf in the image and infinite x, y and z in the point cloud. The noise of a beam is
// a function of seed, device, frame and the beam's place in the casting order (sweep_pattern.h)
// only; a frame is a sample of a grid and a sweep of all others.
//
// beamModel "datasheet", or one of the fields that belong to it, adds how strong echoes are: what
// is too weak is not seen, weak ranges are noisier, returns have intensities, and beams have a
// width, go through glass and meet weather (signal/, docs/lidar-models.md).
#include <cstring>
#include <memory>
#include <string>
#include <vector>

#include "base/state_archive.h"
#include "device/plugin.h"
#include "lidar_schema.h"
#include "lidar_topics.h"
#include "receiver.h"
#include "scanner.h"
#include "throw_invalid.h"

namespace protobeam {
namespace {

enum Channel { kRange, kPoints };
enum Command { kPointCloud, kFrequency };

constexpr double kMostFrequency = 1e6;  ///< Hz; turns are counted in whole numbers

Frequencies frequencies_of(const Fields& fields) {
  const Frequencies f{fields.number("defaultFrequency"), fields.number("minFrequency"),
                      fields.number("maxFrequency")};
  const bool grid = fields.string("scanLaw") == "grid";
  if (grid && fields.string("type") != "rotating") return f;
  if (f.max > kMostFrequency) {
    throw_invalid("field 'maxFrequency' of Lidar must be at most ", kMostFrequency,
                  " for a head that moves, got ", f.max);
  }
  if (f.min > f.max) {
    throw_invalid("field 'maxFrequency' of Lidar must not be less than minFrequency (", f.min,
                  "), got ", f.max);
  }
  if (f.now < f.min || f.now > f.max) {
    throw_invalid("field 'defaultFrequency' of Lidar must be in [", f.min, ", ", f.max,
                  "] (minFrequency, maxFrequency), got ", f.now);
  }
  return f;
}

class Lidar final : public BeamSensor, public KeepsState {
 public:
  explicit Lidar(const Fields& fields)
      : receiver_(fields),
        frequencies_(frequencies_of(fields)),
        law_(fields.string("scanLaw")),
        header_time_(fields.string("headerTime")),
        udp_profile_(fields.string("udpProfile")),
        motion_distortion_(fields.boolean("motionDistortion")),
        housing_visible_(fields.boolean("housingVisible")) {
    const auto make = law_ == "grid" ? make_grid_scanner : make_sweep_scanner;
    scanner_ = make(fields, receiver_, frequencies_);
  }

  Properties properties() const override;
  Inputs inputs(Inputs declared) const override {
    if (!receiver_.signal()) declared = declared.without(Input::kSurfaces);
    return housing_visible_ ? declared.without(Input::kHousing) : declared;
  }
  bool every_step() const override { return scanner_->every_step(); }
  int layers() const override { return scanner_->layers(); }
  int columns() const override { return scanner_->columns(); }
  double max_range() const override { return receiver_.model().max; }
  bool frame_complete() const override { return scanner_->frame_complete(); }
  bool sample_changed() const override { return scanner_->sample_changed(); }
  std::size_t points() const override { return scanner_->points(); }
  double head_angle() const override { return scanner_->head_angle(); }

  std::vector<DeviceTopic> topics(const TopicRequest& request) const override {
    return lidar_topics(*this, request, [this] {
      const double turn = scanner_->period();
      return turn > 0 ? turn : sample_period_;
    });
  }
  std::string command(std::size_t index, std::span<const double> numbers,
                      std::string_view bytes) override;
  void reset() override { scanner_->reset(); }
  void sample(const SampleInput& in, Sample& out) override;
  void write_beams(std::span<const std::byte> data, std::vector<BeamReturn>& out) const override {
    scanner_->write_beams(reinterpret_cast<const float*>(data.data()), out);
  }

  void visit_state(StateArchive& archive) override { archive(point_cloud_, *scanner_); }

 private:
  Receiver receiver_;
  Frequencies frequencies_;
  std::string law_, header_time_, udp_profile_;
  bool motion_distortion_, housing_visible_;
  bool point_cloud_ = false;
  double sample_period_ = 0;  ///< s, of the last sample
  std::unique_ptr<Scanner> scanner_;
};

Properties Lidar::properties() const {
  const RangeModel& ranges = receiver_.model();
  Properties properties{{"horizontalResolution", double(scanner_->width())},
                        {"numberOfLayers", double(scanner_->layers())},
                        {"near", receiver_.near()},
                        {"minRange", ranges.min},
                        {"maxRange", ranges.max},
                        {"noise", receiver_.noise()},
                        {"resolution", ranges.resolution},
                        {"defaultFrequency", frequencies_.now},
                        {"minFrequency", frequencies_.min},
                        {"maxFrequency", frequencies_.max},
                        {"scanLaw", law_},
                        {"motionDistortion", motion_distortion_ ? 1.0 : 0.0},
                        {"headerTime", header_time_},
                        {"returnMode", std::string("strongest")},
                        {"udpProfile", udp_profile_}};
  if (const auto& signal = receiver_.signal()) {
    properties["beamModel"] = std::string("datasheet");
    properties["returnMode"] = signal->mode_name;
    properties["intensityCode"] = signal->code_name;
    properties["wavelength"] = signal->wavelength;
    properties["beamDivergence"] = signal->divergence;
  }
  scanner_->describe(properties);
  return properties;
}

std::string Lidar::command(std::size_t index, std::span<const double> numbers, std::string_view) {
  if (index == kPointCloud) {
    point_cloud_ = numbers[0] != 0;
    return "";
  }
  if (!(numbers[0] >= frequencies_.min && numbers[0] <= frequencies_.max)) {
    return joined("frequency ", numbers[0], " Hz is outside [", frequencies_.min, ", ",
                  frequencies_.max, "]");
  }
  return scanner_->set_frequency(numbers[0]);
}

void Lidar::sample(const SampleInput& in, Sample& out) {
  sample_period_ = in.period;
  scanner_->sample(in, {out.channel<float>(kRange).data(),
                        point_cloud_ ? out.channel<LidarPoint>(kPoints).data() : nullptr});
}

}  // namespace
}  // namespace protobeam

PROTOBEAM_DEVICE_PLUGIN(protobeam::lidar_type(), protobeam::Lidar)
