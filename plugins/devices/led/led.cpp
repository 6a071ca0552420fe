// LED: gives the Shapes and lights of its first child a colour that its controller chooses.
//
// It has no sample. Off, and so at the start, the colour is black. The first child is a Shape,
// whose emissiveColor it sets, a PointLight or SpotLight, whose colour, or a Group (Pose, Solid
// ...) with such in it, all of which it sets (Webots reference, LED). Other children look as they
// are written.
#include <algorithm>
#include <cmath>
#include <vector>

#include "base/state_archive.h"
#include "device/plugin.h"

namespace protobeam {
namespace {

DeviceType declaration() {
  return {
      .node = {"LED",
               "Device",
               "Gives the Shapes and lights of its first child a colour.",
               {{"name", FieldType::kString, "\"led\"", "", {}, "name for the controller"},
                {"color", FieldType::kMFColor, "[ 1 0 0 ]", "", Range::between(0, 1),
                 "colours to choose from; with `gradual` one, or none for any"},
                {"gradual",
                 FieldType::kBool,
                 "FALSE",
                 "",
                 {},
                 "the value is a strength (0 to 255), or, without `color`, 0xRRGGBB"}}},
      .commands = {{"set",
                    {{"value", "", {}}},
                    "0: off; else the number of a colour from 1, a strength or 0xRRGGBB"}},
      .properties = {{"colors", "", "how many there are in `color`"},
                     {"gradual", "", "1: the value is a strength, or 0xRRGGBB without a colour"}},
      .emits = true,
      .webots_node = 47,
  };
}

class Led final : public DeviceModel, public KeepsState {
 public:
  explicit Led(const Fields& fields) : gradual_(fields.boolean("gradual")) {
    const auto numbers = fields.numbers("color");
    for (std::size_t i = 0; i + 2 < numbers.size(); i += 3) {
      colors_.push_back(Vec3(numbers[i], numbers[i + 1], numbers[i + 2]).cast<float>());
    }
    if (gradual_ && colors_.size() > 1) colors_.resize(1);  // as in Webots (WbLed), which warns
  }

  Properties properties() const override {
    return {{"colors", static_cast<double>(colors_.size())}, {"gradual", gradual_ ? 1.0 : 0.0}};
  }

  std::string command(std::size_t, std::span<const double> numbers, std::string_view) override {
    const double value = std::trunc(numbers[0]);
    const double most = !gradual_         ? static_cast<double>(colors_.size())
                        : colors_.empty() ? 0xffffff
                                          : 255;
    // As in Webots there is no colour behind the last one; strengths end at their greatest.
    const bool dark = !gradual_ && value > most;
    emission_ = color_of(dark ? 0 : static_cast<std::uint32_t>(std::clamp(value, 0.0, most)));
    if (value >= 0 && value <= most) return "";
    return "the value " + std::to_string(static_cast<long long>(value)) + " is not from 0 to " +
           std::to_string(static_cast<long long>(most));
  }
  Eigen::Vector3f emission() const override { return emission_; }

  void visit_state(StateArchive& archive) override { archive(emission_); }

 private:
  Eigen::Vector3f color_of(std::uint32_t value) const {
    if (value == 0) return Eigen::Vector3f::Zero();
    if (!gradual_) return colors_[value - 1];
    if (!colors_.empty()) return colors_[0] * (static_cast<float>(value) / 255);
    return Eigen::Vector3f(static_cast<float>(value >> 16 & 255),
                           static_cast<float>(value >> 8 & 255), static_cast<float>(value & 255)) /
           255;
  }

  bool gradual_;
  std::vector<Eigen::Vector3f> colors_;
  Eigen::Vector3f emission_ = Eigen::Vector3f::Zero();
};

}  // namespace
}  // namespace protobeam

PROTOBEAM_DEVICE_PLUGIN(protobeam::declaration(), protobeam::Led)
