// Pen: draws on the shape that lies on its -z axis.
//
// While `write` is on, each step leaves a disc of `leadSize` in diameter where a ray from the pen's
// origin along -z meets a Shape, as far as `maxDistance`. The shapes that the origin lies in or on
// and that move with the pen, as its own body, are left first. In worlds before R2022a the ray goes
// along -y. Discs are drawn at the poses before bodies move: a fast robot with a short lead draws
// dots, as in Webots (src/webots/nodes/WbPen.cpp).
//
// Cameras, pictures of the world and infra-red DistanceSensors see the ink over the surface's own
// colour; it covers as much as its density says. Densities of discs that overlap add up to 1, and
// fall by exp(-t WorldInfo.inkEvaporation). Lidars do not see ink.
//
// As in Webots the numbers of a colour are light, not sRGB. Otherwise than there, a disc has its
// size in metres on any shape and needs no texture: src/geometry/paint_layer.h.
#include <limits>

#include "base/state_archive.h"
#include "device/plugin.h"
#include "render/near_limits.h"

namespace protobeam {
namespace {

enum Command { kWrite, kInk };

DeviceType declaration() {
  return {
      .node =
          {"Pen",
           "Device",
           "Draws on the Shape that lies on its -z axis.",
           {{"name", FieldType::kString, "\"pen\"", "", {}, "name for the controller"},
            {"inkColor", FieldType::kColor, "0 0 0", "", Range::between(0, 1), "colour"},
            {"inkDensity", FieldType::kFloat, "0.5", "", Range::between(0, 1),
             "of one disc; 1: opaque"},
            {"leadSize", FieldType::kFloat, "0.002", "m", Range::at_least(0),
             "width of a line, but at least a pixel of the paint: 1/4096 to 1/1024 of the Shape's "
             "length"},
            {"maxDistance", FieldType::kFloat, "0", "m", Range::at_least(0),
             "how far away it draws; 0: at any distance"},
            {"write", FieldType::kBool, "TRUE", "", {}, "it draws"}}},
      .commands = {{"write", {{"on", "", Range::between(0, 1)}}, "1: it draws; 0: it does not"},
                   {"ink",
                    {{"rgb", "", Range::between(0, 0xffffff)},
                     {"density", "", Range::between(0, 1)}},
                    "colour as 0xRRGGBB, and density"}},
      .inputs = {Input::kVisibleRays, Input::kHousing},
      .draws = true,
      .webots_node = 51,
  };
}

class Pen final : public DeviceModel, public KeepsState {
 public:
  explicit Pen(const Fields& fields)
      : lead_size_(fields.number("leadSize")),
        reach_(fields.number("maxDistance")),
        write_(fields.boolean("write")) {
    ink_.color = fields.vec3("inkColor").cast<float>();
    ink_.density = static_cast<float>(fields.number("inkDensity"));
    if (reach_ == 0) reach_ = std::numeric_limits<double>::infinity();
  }

  std::string command(std::size_t index, std::span<const double> numbers,
                      std::string_view) override {
    if (index == kWrite) {
      write_ = numbers[0] != 0;
    } else {
      const auto rgb = static_cast<std::uint32_t>(numbers[0]);
      const Eigen::Vector3f bytes(static_cast<float>(rgb >> 16 & 255),
                                  static_cast<float>(rgb >> 8 & 255),
                                  static_cast<float>(rgb & 255));
      ink_ = {bytes / 255, static_cast<float>(numbers[1])};
    }
    return "";
  }

  bool change(const Fields& fields, std::string_view name) override {
    if (name == "write") {
      write_ = fields.boolean(name);
    } else if (name == "inkColor") {
      ink_.color = fields.vec3(name).cast<float>();
    } else if (name == "inkDensity") {
      ink_.density = static_cast<float>(fields.number(name));
    } else {
      return false;
    }
    return true;
  }

  std::optional<InkMark> draw(const SampleInput& in) override {
    if (!write_ || !(ink_.density > 0)) return std::nullopt;
    constexpr float kDown[] = {0, 0, -1};
    RayBatch batch;
    batch.X_WS = in.X_WS;
    batch.dx = &kDown[0], batch.dy = &kDown[1], batch.dz = &kDown[2];
    batch.count = 1;
    batch.packet = 1;
    batch.hits = batch.normals = true;
    if (in.fixed_shapes != fixed_shapes_) {
      fixed_shapes_ = in.fixed_shapes;
      near_ = 0;
      render::Housing(fixed_shapes_.get()).leave(batch, {&near_, 1});
    }
    batch.near = &near_;
    std::optional<InkMark> mark;
    in.visible->cast(batch, [&](const RayBlock& block) {
      const double range = block.range[0];
      if (!(range <= reach_) || block.instance[0] == kNoHit) return;
      const Vec3 normal_W(block.nx[0], block.ny[0], block.nz[0]);
      mark = {block.instance[0],     block.shape[0], in.X_WS * Vec3(0, 0, -range),
              normal_W.normalized(), lead_size_,     ink_};
    });
    return mark;
  }

  void visit_state(StateArchive& archive) override {
    archive(write_, ink_.color, ink_.density);
    const auto is_share = [](float value) { return value >= 0 && value <= 1; };
    archive.expect(is_share(ink_.color.x()) && is_share(ink_.color.y()) &&
                       is_share(ink_.color.z()) && is_share(ink_.density),
                   "ink that no pen has");
  }

 private:
  double lead_size_, reach_;  // m
  bool write_;
  Ink ink_;
  std::shared_ptr<const std::vector<FixedShape>> fixed_shapes_;
  float near_ = 0;  // m, where the ray has left those around its origin
};

}  // namespace
}  // namespace protobeam

PROTOBEAM_DEVICE_PLUGIN(protobeam::declaration(), protobeam::Pen)
