// A camera in a world: where it says recognised objects are, and how large.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "camera_declaration.h"
#include "tests/unit/sim/world_text.h"

namespace protobeam {
namespace {

/// The halves of its fields of view have the sines 0.6 and the cosines 0.8.
const char* const kCamera =
    "Camera { width 64 height 64 fieldOfView 1.2870022175866 recognition Recognition { occlusion 0 "
    "} }";

class RecognitionWorld {
 public:
  explicit RecognitionWorld(const std::string& world_text, const std::string& camera = kCamera)
      : simulation_(world_.load(world_text +
                                " Robot { name \"r\" controller \"<none>\" children [ " + camera +
                                " ] }")) {
    EXPECT_EQ(world_.diagnostics().to_string(), "");
    Device& device = *simulation_.find_device("camera");
    simulation_.enable(device, 0.008);
    EXPECT_EQ(device.model->send_command("recognition", {0.008}), "");
    simulation_.step();
  }
  Simulation& simulation() { return simulation_; }
  std::vector<ObjectRecord> objects() {
    Device& device = *simulation_.find_device("camera");
    const Sample sample(device.data, device.model->layout());
    const auto count = static_cast<std::size_t>(sample.channel<std::int32_t>(kObjectCount)[0]);
    const auto records = sample.channel<ObjectRecord>(kObjects).first(count);
    return {records.begin(), records.end()};
  }

 private:
  WorldText world_;
  Simulation& simulation_;
};

void expect_box(const ObjectRecord& object, const Vec3& middle, double width, double height) {
  for (int i = 0; i < 3; ++i) EXPECT_NEAR(object.position[i], middle[i], 1e-9) << i;
  EXPECT_NEAR(object.size[0], width, 1e-9);
  EXPECT_NEAR(object.size[1], height, 1e-9);
}

/// A Solid that shows a box of 0.1 m at `translation`, with more fields and children.
std::string thing(const std::string& translation, const std::string& fields,
                  const std::string& children = "") {
  return fmt::format(
      "Solid {{ name \"thing\" translation {} recognitionColors [ 1 0 0 ] {} children [ "
      "Shape {{ geometry Box {{ size 0.1 0.1 0.1 }} }} {} ] }} ",
      translation, fields, children);
}

void expect_only(const std::string& world_text, const Vec3& middle, double width, double height,
                 const std::string& camera = kCamera) {
  SCOPED_TRACE(world_text);
  const auto found = RecognitionWorld(world_text, camera).objects();
  ASSERT_EQ(found.size(), 1u);
  expect_box(found[0], middle, width, height);
}

// As in Webots' program: tests/api/controllers/camera_recognition there finds "sphere too far" in
// its segments.
TEST(RecognitionWorld, SegmentsReachFartherThanMaxRange) {
  for (const double range : {2.0, 4.0}) {
    for (const int occlusion : {0, 2}) {
      RecognitionWorld world(
          thing("3 0 0", ""),
          fmt::format("Camera {{ width 64 height 64 recognition Recognition {{ maxRange {} "
                      "occlusion {} segmentation TRUE }} }}",
                      range, occlusion));
      Device& device = *world.simulation().find_device("camera");
      EXPECT_EQ(device.model->send_command("segmentation", {1}), "");
      world.simulation().step();
      EXPECT_EQ(world.objects().size(), range > 3 ? 1u : 0u) << range << " " << occlusion;
      const Sample sample(device.data, device.model->layout());
      const auto pixels = sample.channel<std::uint8_t>(kSegmentation);
      EXPECT_EQ(pixels[4 * (32 * 64 + 32) + 2], 255) << range << " " << occlusion;
      EXPECT_EQ(pixels[2], 0) << "it is not there";
    }
  }
}

TEST(RecognitionWorld, AnObjectIsAtTheMiddleOfItsBoundingObject) {
  const std::string bounded =
      "boundingObject Pose { translation 0.1 0.2 -0.3 children [ Box { size 0.2 0.4 0.6 } ] }";
  expect_only(thing("3 0 0", bounded), {3.1, 0.2, -0.3}, 0.4, 0.6);
  // In the camera's axes: it looks along -y, and the object is turned about z.
  expect_only(
      thing("0 -3 0", "rotation 0 0 1 3.14159265358979 " + bounded), {3.2, -0.1, -0.3}, 0.2, 0.6,
      "Pose { rotation 0 0 1 -1.570796326794897 children [ " + std::string(kCamera) + " ] }");
  // A Group is the box around all that is in it.
  expect_only(
      thing("3 0 0",
            "boundingObject Group { children [ Box { size 0.2 0.2 0.2 } Pose { translation 0 1 0 "
            "children [ Sphere { radius 0.3 } ] } ] }"),
      {3, 0.6, 0}, 1.4, 0.6);
  // Of a mesh, its corners: the box around it, turned, is twice as high.
  expect_only(
      thing("3 0 0",
            "rotation 1 0 0 0.785398163397448 boundingObject IndexedFaceSet { coord Coordinate { "
            "point [ 0 0 0, 1 0 0, 0 1 0, 0 0 1 ] } coordIndex [ 0 2 1 -1 0 1 3 -1 0 3 2 -1 1 2 3 "
            "-1 ] }"),
      {3.5, 0, 0.3535533905932738}, 1.414213562373095, 0.7071067811865476);
}

TEST(RecognitionWorld, SolidsInAnObjectBelongToItsBox) {
  const std::string load =
      "Solid { name \"load\" translation 0 1 0 boundingObject Box { size 0.2 0.2 0.2 } }";
  const std::string bounded = "boundingObject Box { size 0.4 0.4 0.4 }";
  expect_only(thing("3 0 0", bounded, load), {3, 0.45, 0}, 1.3, 0.4);
  expect_only(thing("3 0 0", "", load), {3, 1, 0}, 0.2, 0.2);
  expect_only(
      thing("3 0 0", bounded,
            "HingeJoint { jointParameters HingeJointParameters { } endPoint " + load + " }"),
      {3, 0.45, 0}, 1.3, 0.4);
}

TEST(RecognitionWorld, PartsOnJointsAreWhereTheyAre) {
  RecognitionWorld world(thing("3 0 0", "boundingObject Box { size 0.4 0.4 0.4 }",
                               "SliderJoint { jointParameters JointParameters { axis 0 1 0 } "
                               "endPoint Solid { name \"drawer\" "
                               "translation 0 1 0 linearVelocity 0 10 0 physics Physics { density "
                               "-1 mass 1 } boundingObject Box "
                               "{ size 0.2 0.2 0.2 } } }"));
  const auto found = world.objects();
  ASSERT_EQ(found.size(), 1u);
  EXPECT_NEAR(found[0].position[1], 0.49, 1e-3);  // 8 ms at 10 m/s
  EXPECT_NEAR(found[0].size[0], 1.38, 1e-3);
}

TEST(RecognitionWorld, ARestingObjectThatWasMovedIsWhereItIsNow) {
  RecognitionWorld world(thing("3 0 0", "boundingObject Box { size 0.2 0.4 0.2 }"));
  ASSERT_TRUE(world.simulation().move_solid(
      0, {Eigen::Quaterniond(Eigen::AngleAxisd(kPi / 2, Vec3::UnitX())), Vec3(4, 1, 0)}));
  world.simulation().step();
  const auto found = world.objects();
  ASSERT_EQ(found.size(), 1u);
  expect_box(found[0], {4, 1, 0}, 0.2, 0.4);
}

TEST(RecognitionWorld, WithoutABoundingObjectTheVisibleShapesAreTheBox) {
  expect_only(
      thing("3 0 0", "",
            "Pose { translation 0 0.4 0.1 children [ Shape { geometry Sphere { radius 0.2 } } ] }"),
      {3, 0.275, 0.1}, 0.65, 0.4);
}

TEST(RecognitionWorld, TheBoxEndsAtTheSidesOfTheImage) {
  // Corners that are outside go at a right angle to the plane of that side, as in Webots. Those at
  // 4 - 0.2, 4 + 0.2 and y = 4 come to 0.8 (0.8 x + 0.6 y), 0.6 (0.8 x + 0.6 y).
  expect_only(
      thing("4 0 0",
            "boundingObject Pose { translation 0 2 0 children [ Box { size 0.4 4 0.2 } ] }"),
      {(3.8 + 4.608) / 2, 1.728, 0}, 3.456, 0.2);
  // One that crosses the image without a corner in it.
  expect_only(thing("4 0 0", "boundingObject Box { size 0.4 8 0.2 }"), {4.48, 0, 0}, 6.912, 0.2);
  // A round shape loses what is outside at the middle's distance from the plane.
  expect_only(
      thing("4 3 0", "boundingObject Sphere { radius 1 }",
            "Pose { translation 0 -1 0 children [ Shape { geometry Sphere { radius 0.2 } } ] }"),
      {4, 2.5, 0}, 1, 2);
}

TEST(RecognitionWorld, ABoxThatIsOutOfViewIsWhole) {
  // Its shape shows, its boundingObject is beside the image.
  expect_only(
      thing("4 0 0", "boundingObject Pose { translation 0 9 0 children [ Box { size 1 2 1 } ] }"),
      {4, 9, 0}, 2, 1);
}

TEST(RecognitionWorld, ImagesAllAroundCutNothing) {
  expect_only(
      thing("-4 0 0", "boundingObject Pose { translation 0 9 0 children [ Box { size 1 2 1 } ] }"),
      {-4, 9, 0}, 2, 1,
      "Camera { width 64 height 16 fieldOfView 6.283 projection \"cylindrical\" recognition "
      "Recognition { occlusion 0 } }");
}

}  // namespace
}  // namespace protobeam
