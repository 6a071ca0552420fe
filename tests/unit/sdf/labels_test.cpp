// Cameras of Gazebo that recognise what has a label.
#include <gmock/gmock.h>

#include <map>
#include <string>
#include <vector>

#include "device/topics.h"
#include "message/vision_msgs.h"
#include "tests/unit/sdf/world_text.h"

namespace protobeam::sdf {
namespace {

using testing::AllOf;
using testing::HasSubstr;

std::string label(const std::string& text) {
  return "<plugin filename=\"gz-sim-label-system\" name=\"gz::sim::systems::Label\">" + text +
         "</plugin>";
}

std::string visual(const std::string& name, const std::string& pose, const std::string& more = {}) {
  return "<visual name=\"" + name + "\"><pose>" + pose +
         "</pose><geometry><box><size>0.4 0.4 0.4</size></box></geometry>" + more + "</visual>";
}

std::string eye(const std::string& type, const std::string& more = {}) {
  return model("eye", heavy("a", 1, "0 0 0 0 0 0",
                            "<sensor name=\"s\" type=\"" + type +
                                "\"><update_rate>100</update_rate><topic>seen</topic><camera>"
                                "<horizontal_fov>1.57</horizontal_fov><image><width>100</width>"
                                "<height>100</height></image><clip><near>0.1</near><far>10</far>"
                                "</clip>" +
                                more + "</camera></sensor>"));
}

/// A model of two links with label 10, of which a visual has 20, one beyond the camera's far plane,
/// and one without a label.
const std::string kScene =
    "<gravity>0 0 0</gravity>" +
    model("pair", "<static>1</static><pose>3 0 0 0 0 0</pose><link name=\"l\">" +
                      visual("v", "0 0 0 0 0 0") + "</link><link name=\"m\">" +
                      visual("w", "0 1 0 0 0 0") +
                      visual("x", "0 -1 0 0 0 0", label("<label>20</label>")) + "</link>" +
                      label("<label>10</label>")) +
    model("far", "<static>1</static><pose>12 1 0 0 0 0</pose><link name=\"l\">" +
                     visual("v", "0 0 0 0 0 0") + "</link>" + label("<label>30</label>")) +
    model("plain", "<static>1</static><pose>3 0 1 0 0 0</pose><link name=\"l\">" +
                       visual("v", "0 0 0 0 0 0") + "</link>");

class LabelTest : public WorldTest {
 protected:
  /// The messages that the camera has for a stream now.
  template <message::Message M>
  std::vector<M> told(const std::string& stream) {
    const Device& camera = device_of("s");
    TopicInput in;
    in.data = camera.data;
    std::vector<M> out;
    for (const DeviceTopic& topic : camera.model->topics({})) {
      if (topic.message != stream) continue;
      for (const message::AnyMessage& one : topic.make(in))
        out.push_back(message::from_cdr<M>(one.cdr()));
    }
    return out;
  }
  const Device& device_of(const std::string& name) {
    for (const RobotInfo& robot : simulation_->model().robots)
      for (const Device& one : robot.devices)
        if (one.name == name) return one;
    throw std::runtime_error("no device " + name);
  }
  /// Names of topics by their messages.
  std::map<std::string, std::string> topics(const std::string& text) {
    std::map<std::string, std::string> out;
    const auto document = *read(text);
    for (const wbt::NodePtr& node : document.nodes) {
      const wbt::Field* children = node->find("children");
      if (!children) continue;
      for (const wbt::NodePtr& child : children->value.nodes) {
        if (child->type == "Topic")
          out[child->find("message")->value.strings[0]] = child->find("name")->value.strings[0];
      }
    }
    return out;
  }
};

TEST_F(LabelTest, ABoundingboxCameraTellsBoxesOfLabels) {
  load(world(kScene + eye("boundingbox_camera", "<box_type>visible_2d</box_type>")));
  EXPECT_EQ(diagnostics_.to_string(), "");
  run(0.02);
  const auto all = told<message::Detection2DArray>("detections");
  ASSERT_EQ(all.size(), 1u);
  ASSERT_EQ(all[0].detections.size(), 2u) << "the others have no label or are too far away";
  std::map<std::string, message::BoundingBox2D> boxes;
  for (const message::Detection2D& one : all[0].detections)
    boxes[one.results.at(0).hypothesis.class_id] = one.bbox;
  // 100 pixels over 1.57 rad: y is at the column 50 (1 - y / x / tan(0.785)), and the faces are
  // at 2.8.
  const auto column = [](double y) { return 50 - 50 * y / 2.8 / std::tan(0.785); };
  const message::BoundingBox2D &pair = boxes.at("10"), &right = boxes.at("20");
  EXPECT_NEAR(pair.center.position.x - pair.size_x / 2, column(1.2), 1);
  EXPECT_NEAR(pair.center.position.x + pair.size_x / 2, column(-0.2), 1);
  EXPECT_NEAR(right.center.position.x + right.size_x / 2, column(-1.2), 1);
  EXPECT_NEAR(right.center.position.y, 50, 1);
}

TEST_F(LabelTest, ItsOrientedBoxesAreInSpace) {
  load(world(kScene + eye("boundingbox_camera", "<box_type>3d</box_type>")));
  run(0.02);
  const auto all = told<message::Detection3DArray>("detections");
  ASSERT_EQ(all.size(), 1u);
  ASSERT_EQ(all[0].detections.size(), 2u);
  for (const message::Detection3D& one : all[0].detections) {
    const bool pair = one.results.at(0).hypothesis.class_id == "10";
    EXPECT_NEAR(one.bbox.center.position.x, pair ? -0.5 : 1, 1e-9);  // x is right
    EXPECT_NEAR(one.bbox.center.position.z, 3, 1e-9);
    EXPECT_NEAR(one.bbox.size.y, pair ? 1.4 : 0.4, 1e-9);
  }
}

TEST_F(LabelTest, ASegmentationCameraHasAMapOfLabels) {
  load(world(kScene + eye("segmentation")));
  EXPECT_EQ(diagnostics_.to_string(), "");
  run(0.02);
  const auto maps = told<message::Image>("labels");
  ASSERT_EQ(maps.size(), 1u);
  const auto label_at = [&](std::size_t column, std::size_t row) {
    return static_cast<int>(maps[0].data.at(row * maps[0].step + 3 * column));
  };
  EXPECT_EQ(label_at(50, 50), 10);
  EXPECT_EQ(label_at(32, 50), 10);
  EXPECT_EQ(label_at(68, 50), 20);
  EXPECT_EQ(label_at(50, 32), 0) << "no label";
  EXPECT_EQ(label_at(45, 50), 0) << "too far away";
}

TEST_F(LabelTest, StreamsHaveGazebosNames) {
  EXPECT_EQ(topics(world(eye("boundingbox_camera"))),
            (std::map<std::string, std::string>{{"detections", "seen"}, {"image", "seen_image"}}));
  EXPECT_EQ(
      topics(world(eye("segmentation_camera", "<segmentation_type>Panoptic</segmentation_type>"))),
      (std::map<std::string, std::string>{{"segmentation", "seen/colored_map"},
                                          {"labels", "seen/labels_map"},
                                          {"camera_info", "seen/camera_info"}}));
}

TEST_F(LabelTest, MistakesAreToldAtTheirPlaces) {
  EXPECT_THAT(messages(world(eye("boundingbox_camera", "\n<box_type>full2d</box_type>"))),
              HasSubstr("w.sdf:3:11: error: <box_type> must be one of 2d, visible_2d, "
                        "visible_box_2d, full_2d, full_box_2d, 3d, got 'full2d'; did you mean "
                        "'full_2d'?"));
  EXPECT_THAT(
      messages(world(eye("segmentation", "<segmentation_type>semantics</segmentation_type>"))),
      HasSubstr("<segmentation_type> must be one of semantic, instance, panoptic, got "
                "'semantics'; did you mean 'semantic'?"));
  const auto labelled = [&](const std::string& text) {
    return messages(world(model("m", heavy("a", 1, "0 0 0 0 0 0") + label(text))));
  };
  EXPECT_THAT(labelled("<label>256</label>"),
              HasSubstr("error: <label> must be a whole number from 0 to 255, got 256"));
  EXPECT_THAT(labelled("<label>-1</label>"), HasSubstr("from 0 to 255, got -1"));
  EXPECT_THAT(labelled("<label>1.5</label>"), HasSubstr("from 0 to 255, got 1.5"));
  EXPECT_THAT(labelled("<label>car</label>"), HasSubstr("error"));
  EXPECT_THAT(labelled(""), HasSubstr("warning: a label plugin has no effect: it has no <label>"));
  EXPECT_THAT(messages(world(model(
                  "m", heavy("a", 1, "0 0 0 0 0 0") +
                           model("n", heavy("b", 1, "0 0 0 0 0 0") + label("<label>1</label>"))))),
              HasSubstr("warning: a label of a nested model has no effect"));
  EXPECT_THAT(messages(world(
                  eye("segmentation",
                      "<save enabled=\"true\"><path>p</path></save><triggered>true</triggered>"))),
              AllOf(HasSubstr("<save> of a <camera> has no effect"),
                    HasSubstr("<triggered> of a <camera> has no effect")));
}

}  // namespace
}  // namespace protobeam::sdf
