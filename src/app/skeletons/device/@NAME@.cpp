// @NAME@: pushes the body that carries it and looks where it goes.
//
// Frame: the device's own. It pushes at its origin along +x; the thrust follows what was commanded
// as a first-order lag. The ranges are a picture of rays about +x, row 0 on top, column 0 at the
// left, and see what lidars see: Shapes. A ray that meets nothing within maxRange reads +inf.
#include <algorithm>
#include <cmath>
#include <vector>

#include "base/libm.h"
#include "base/rng.h"
#include "base/state_archive.h"
#include "device/plugin.h"

namespace {

using namespace protobeam;

// In the order of the declaration.
enum Channel : std::size_t { kRanges, kThrust, kContacts };
enum Command : std::size_t { kSetThrust, kSetLag };

// All that is known about the type stands here: from it come the loader's checks, `info types`, the
// layout of samples in shared memory, the checks of commands, and access by name in C and C++.
DeviceType declaration() {
  using enum FieldType;
  return {
      .node = {"@NAME@",
               "Device",  // a Solid on a robot; "JointDevice" for one in the `device` of a joint
               "Pushes its body and measures ranges ahead.",
               {{"name", kString, "\"@NAME@\"", "", {}, "name for the controller"},
                {"maxThrust", kFloat, "10", "N", Range::positive(), "forward and backward"},
                {"rows", kInt32, "3", "", Range::between(1, 1000), "rows of rays"},
                {"columns", kInt32, "5", "", Range::between(1, 1000), "columns of rays"},
                {"fieldOfView", kFloat, "1", "rad", Range::between(0, kPi), "of the columns"},
                {"maxRange", kFloat, "5", "m", Range::positive(), "farthest range"},
                {"noise", kFloat, "0", "m", Range::at_least(0), "standard deviation of ranges"},
                // The simulation heeds this one: rays go through the robot that carries the device.
                {"ownRobotVisible", kBool, "FALSE", "", {}, "it sees the robot that carries it"}}},
      .channels = {{"ranges", ElementType::kFloat32, {"rows", "columns"}, "m", "device", "inf",
                    "distances along the rays"},
                   {"thrust", ElementType::kFloat64, {}, "N", "device", "", "along x, now"},
                   {"contacts", ElementType::kInt32, {}, "", "", "",
                    "points at which its boundingObject is touched"}},
      .commands = {{"thrust", {{"thrust", "N"}}, "wanted; more than maxThrust is refused"},
                   {"lag", {{"time constant", "s", Range::between(0, 10)}}, "of the thrust"}},
      .properties = {{"maxThrust", "N", "forward and backward"}},
      .inputs = {Input::kVisibleRays, Input::kContacts},
      .forces = true,
  };
}

class @NAME@ final : public DeviceModel, public KeepsState {
 public:
  explicit @NAME@(const Fields& fields)
      : max_thrust_(fields.number("maxThrust")),
        max_range_(fields.number("maxRange")),
        noise_(fields.number("noise")) {
    const int rows = fields.integer("rows"), columns = fields.integer("columns");
    const double fov = fields.number("fieldOfView");
    const double step = columns > 1 ? fov / (columns - 1) : 0;
    for (int row = 0; row < rows; ++row) {
      for (int column = 0; column < columns; ++column) {
        const double azimuth = ((columns - 1) / 2.0 - column) * step;
        const double elevation = ((rows - 1) / 2.0 - row) * step;
        dx_.push_back(static_cast<float>(libm::cos(elevation) * libm::cos(azimuth)));
        dy_.push_back(static_cast<float>(libm::cos(elevation) * libm::sin(azimuth)));
        dz_.push_back(static_cast<float>(libm::sin(elevation)));
      }
    }
  }

  void attach(const DeviceContext& context) override { body_ = context.body; }
  // What decides samples and forces to come; a device with nothing of that is Stateless.
  void visit_state(StateArchive& archive) override { archive(wanted_, thrust_, lag_); }
  Properties properties() const override { return {{"maxThrust", max_thrust_}}; }

  // Numbers and ranges were checked against the declaration; what depends on fields is checked here.
  std::string command(std::size_t index, std::span<const double> numbers,
                      std::string_view) override {
    if (index == kSetLag) {
      lag_ = numbers[0];
    } else if (std::abs(numbers[0]) > max_thrust_) {
      return "the thrust is more than maxThrust";
    } else {
      wanted_ = numbers[0];
    }
    return "";
  }
  void release() override { wanted_ = 0; }  // the controller has ended

  void before_substep(double, double dt) override {
    thrust_ += (wanted_ - thrust_) * std::min(1.0, dt / std::max(lag_, 1e-9));
    if (!body_) return;
    const Pose X_WS = body_->X_WS();
    body_->apply_force(X_WS.R * Vec3(thrust_, 0, 0), X_WS.p);
  }
  // No body holds it, so it is added to the hash that tells two runs apart.
  void append_state(std::vector<double>& state) const override { state.push_back(thrust_); }

  void sample(const SampleInput& in, Sample& out) override {
    const auto ranges = out.channel<float>(kRanges);
    RayBatch batch;
    batch.X_WS = in.X_WS;
    batch.dx = dx_.data();
    batch.dy = dy_.data();
    batch.dz = dz_.data();
    batch.count = dx_.size();
    batch.t_far = static_cast<float>(max_range_);
    // Blocks come from several threads, each for rays of its own. Noise is numbered by the ray, so
    // that the same run gives the same bytes; +inf stays +inf.
    in.visible->cast(batch, [&](const RayBlock& block) {
      for (std::size_t i = block.first; i < block.first + block.count; ++i) {
        const double noise = noise_ * double{gaussian(in.noise, i)};
        ranges[i] = static_cast<float>(block.range[i - block.first] + noise);
      }
    });
    out.channel<double>(kThrust)[0] = thrust_;
    out.channel<std::int32_t>(kContacts)[0] = static_cast<std::int32_t>(in.contacts.size());
  }

 private:
  double max_thrust_, max_range_, noise_;
  double wanted_ = 0, thrust_ = 0, lag_ = 0.05;  // N, N, s
  BodyPort* body_ = nullptr;
  std::vector<float> dx_, dy_, dz_;
};

}  // namespace

PROTOBEAM_DEVICE_PLUGIN(declaration(), @NAME@)
