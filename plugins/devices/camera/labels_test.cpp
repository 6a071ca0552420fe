// Labels: colours of segments, and boxes as messages, of a camera that recognises from the start.
#include <fmt/format.h>
#include <gmock/gmock.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <set>
#include <string>
#include <vector>

#include "camera_declaration.h"
#include "device/topics.h"
#include "label_colors.h"
#include "message/vision_msgs.h"
#include "tests/unit/sim/world_text.h"

namespace protobeam {
namespace {

TEST(LabelColors, AreDifferentAndLeadBackToTheirLabels) {
  std::set<std::array<std::uint8_t, 3>> colors;
  for (std::uint32_t label = 0; label < 1u << 24; label += label < 70000 ? 1 : 977) {
    std::array<std::uint8_t, 3> bgr{};
    write_label_color(label, bgr.data());
    EXPECT_EQ(label_of_color(bgr.data()), label);
    if (label < 256) colors.insert(bgr);
    if (label == 0) {
      EXPECT_EQ(bgr, (std::array<std::uint8_t, 3>{0, 0, 0}));
    }
  }
  EXPECT_EQ(colors.size(), 256u);
}

TEST(LabelColors, CountTheInstancesOfALabel) {
  std::vector<RecognizableObject> objects(5);
  const char* const models[] = {"40", "7", "40", "car", "256"};
  for (std::size_t i = 0; i < objects.size(); ++i) objects[i].model = models[i];
  EXPECT_EQ(labels_of(objects, false), (std::vector<std::uint32_t>{40, 7, 40, 0, 0}));
  EXPECT_EQ(labels_of(objects, true),
            (std::vector<std::uint32_t>{40 + 256, 7 + 256, 40 + 2 * 256, 0, 0}));
}

/// A box of 0.4 m with label 40 whose nearer half hides its left part; behind a wall one that is
/// hidden.
constexpr const char* kScene =
    "Solid { name \"far\" translation 3 0 0 rotation 0 0 1 0.5 model \"40\" recognitionColors [ 1 "
    "0 0 ] "
    "children [ Shape { geometry Box { size 0.4 0.4 0.4 } } ] } "
    "Solid { name \"screen\" translation 2 0.5 0 children [ Shape { geometry Box { size 0.01 1 2 } "
    "} ] } "
    "Solid { name \"hidden\" translation 3 1 0 model \"7\" recognitionColors [ 1 0 0 ] children [ "
    "Shape { "
    "geometry Box { size 0.4 0.4 0.4 } } ] } ";

class LabelWorld {
 public:
  explicit LabelWorld(const std::string& recognition)
      : simulation_(world_.load(
            std::string(kScene) +
            "Robot { name \"r\" controller \"<none>\" children [ Camera { width 100 height 100 "
            "fieldOfView 1.5707963267948966 samplingPeriod 8 recognition Recognition { occlusion 2 "
            "fromStart TRUE " +
            recognition + " } } ] }")) {
    EXPECT_EQ(world_.diagnostics().to_string(), "");
    simulation_.step();
  }
  Device& camera() { return *simulation_.find_device("camera"); }
  /// The messages of a stream after the step, as M.
  template <message::Message M>
  std::vector<M> messages(const std::string& stream) {
    TopicInput in;
    in.data = camera().data;
    std::vector<M> out;
    for (const DeviceTopic& topic : camera().model->topics({})) {
      if (topic.message != stream) continue;
      EXPECT_EQ(topic.type->ros2_name, message::type_of<M>().ros2_name);
      for (const message::AnyMessage& one : topic.make(in))
        out.push_back(message::from_cdr<M>(one.cdr()));
    }
    return out;
  }

 private:
  WorldText world_;
  Simulation& simulation_;
};

// 100 pixels over a right angle: a point at y / x is at the column 50 - 50 y / x.
TEST(Labels, ABoxIsThatOfTheVisiblePixelsOrOfTheWholeObject) {
  double left = 100, right = 0;  // of the corners, which the box is turned to by 0.5 rad
  for (int i = 0; i < 4; ++i) {
    const double angle = kPi / 4 + i * kPi / 2 + 0.5, away = std::sqrt(0.08);
    const double column = 50 - 50 * away * std::sin(angle) / (3 + away * std::cos(angle));
    left = std::min(left, column), right = std::max(right, column);
  }
  for (const bool full : {false, true}) {
    LabelWorld world(full ? "boxes \"full\"" : "");
    const auto told = world.messages<message::Detection2DArray>("detections");
    ASSERT_EQ(told.size(), 1u);
    ASSERT_EQ(told[0].detections.size(), 1u) << "the other one is hidden";
    const message::Detection2D& one = told[0].detections[0];
    EXPECT_EQ(one.results.at(0).hypothesis.class_id, "40");
    EXPECT_EQ(one.results.at(0).hypothesis.score, 1);
    const double from = one.bbox.center.position.x - one.bbox.size_x / 2,
                 to = one.bbox.center.position.x + one.bbox.size_x / 2;
    EXPECT_NEAR(from, full ? left : 50, 1.01);  // the screen ends in the middle
    EXPECT_NEAR(to, right, 1.01);
  }
}

TEST(Labels, AnOrientedBoxHasTheAxesOfItsObject) {
  LabelWorld world("boxes \"oriented\"");
  const auto told = world.messages<message::Detection3DArray>("detections");
  ASSERT_EQ(told.size(), 1u);
  ASSERT_EQ(told[0].detections.size(), 1u);
  const message::BoundingBox3D& box = told[0].detections[0].bbox;
  // x right, y down, z ahead.
  EXPECT_NEAR(box.center.position.x, 0, 1e-12);
  EXPECT_NEAR(box.center.position.z, 3, 1e-12);
  for (const double size : {box.size.x, box.size.y, box.size.z}) EXPECT_NEAR(size, 0.4, 1e-12);
  const message::Quaternion& q = box.center.orientation;
  const Vec3 ahead = Quat(q.w, q.x, q.y, q.z) * Vec3::UnitX();
  EXPECT_NEAR(ahead.x(), -std::sin(0.5), 1e-9);
  EXPECT_NEAR(ahead.y(), 0, 1e-9);
  EXPECT_NEAR(ahead.z(), std::cos(0.5), 1e-9);
}

TEST(Labels, ALabelsMapHasLabelsAndInstances) {
  for (const bool instances : {false, true}) {
    LabelWorld world(std::string("segmentation TRUE segmentationColors \"") +
                     (instances ? "instances" : "labels") + "\"");
    const auto maps = world.messages<message::Image>("labels");
    const auto colored = world.messages<message::Image>("segmentation");
    ASSERT_EQ(maps.size(), 1u);
    ASSERT_EQ(colored.size(), 1u);
    EXPECT_EQ(maps[0].encoding, "rgb8");
    const auto pixel = [](const message::Image& image, std::size_t column) {
      const std::uint8_t* from = &image.data.at(50 * image.step + 3 * column);
      return std::vector<int>(from, from + 3);
    };
    EXPECT_EQ(pixel(maps[0], 51), (instances ? std::vector{1, 0, 40} : std::vector{40, 40, 40}));
    EXPECT_EQ(pixel(maps[0], 49), (std::vector{0, 0, 0})) << "the screen has no label";
    EXPECT_NE(pixel(colored[0], 51), pixel(colored[0], 49));
  }
}

TEST(Labels, BoxesOfWholeObjectsNeedTheirPixels) {
  WorldText world;
  const auto load = [&] {
    world.load(
        "Robot { controller \"<none>\" children [ Camera { recognition Recognition { boxes "
        "\"full\" } } ] }");
  };
  EXPECT_THAT(problem_of(load), testing::HasSubstr("boxes \"full\" need occlusion 2, got 1"));
}

}  // namespace
}  // namespace protobeam
