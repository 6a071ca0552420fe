// A rolling shutter, and cameras with calibrated lenses, in a real ray scene.
#include <gtest/gtest.h>

#include <cmath>
#include <map>
#include <set>
#include <stdexcept>

#include "base/state_archive.h"
#include "tests/unit/support/plugin.h"

namespace protobeam {
namespace {

/// A white board x = 4 from y = -1 to 1, which sends out light, before a black sky.
struct WhiteBoard {
  std::unique_ptr<RayScene> scene;
  RayScene::Instance board;
  Appearance look;

  explicit WhiteBoard(int threads = 1) : scene(make_embree_scene({threads})) {
    const auto geometry = std::make_shared<Geometry>(Box{{0.02, 2, 6}});
    board = scene->add({{geometry, {}}}, Pose::translation({4, 0, 0}));
    Material white;
    white.emissive = {5, 5, 5};
    look.instances = {{{{std::make_shared<Material>(white), geometry, {}}}, {}, {}}};
  }
};

struct RowCamera {
  std::unique_ptr<DeviceModel> model;
  std::vector<std::byte> bytes;
  std::size_t width, height;
  SampleInput in;

  RowCamera(WhiteBoard& world, std::map<std::string, std::string> fields)
      : model(make_sensor("Camera", std::move(fields))), bytes(model->layout().size) {
    height = model->layout().channels[0].shape[0];
    width = model->layout().channels[0].shape[1];
    in.visible = world.scene.get();
    in.appearance = &world.look;
    in.step = 0.01;
    in.period = 0.05;
  }
  /// Where the board begins in a row, in pixels from the left.
  int first_white(std::size_t row) const {
    for (std::size_t i = 0; i < width; ++i) {
      if (static_cast<int>(bytes[4 * (row * width + i)]) > 128) return static_cast<int>(i);
    }
    return -1;
  }
};

TEST(RollingShutter, IsNeverReadOutWithRowsThatAreYearsApart) {
  WhiteBoard world;
  for (const char* row_time : {"1e12", "1e30"}) {
    RowCamera camera(world, {{"width", "8"}, {"height", "6"}, {"rowTime", row_time}});
    for (int i = 0; i < 20; ++i) {
      camera.in.time = 0.01 * (i + 1);
      take_sample(*camera.model, camera.in, camera.bytes);
      EXPECT_FALSE(camera.model->frame_complete()) << row_time;
    }
  }
}

// The board moves with 10 m/s to the left (+y) while rows are read out with 0.2 ms: at its distance
// a pixel is 4 * 2 tan(0.5) / 400 m wide, so its edge moves by 10 * 0.0002 / that from row to row.
TEST(RollingShutter, LeansWhatMovesAsItsRowTimeSays) {
  WhiteBoard world;
  RowCamera camera(world, {{"width", "400"},
                           {"height", "100"},
                           {"fieldOfView", "1"},
                           {"rowTime", "0.0002"},
                           {"near", "0.1"}});
  const double pixel = 3.99 * 2 * std::tan(0.5) / 400, speed = 10;
  int images = 0;
  for (int i = 0; i < 24; ++i) {
    const double before = 0.01 * i, after = 0.01 * (i + 1);
    const auto at = [&](double t) { return Pose::translation({4, -0.5 + speed * (t - 0.1), 0}); };
    world.scene->set_motion(world.board, at(before), at(after));
    camera.in.time = after;
    camera.in.noise.frame = static_cast<std::uint64_t>(i);
    take_sample(*camera.model, camera.in, camera.bytes);
    if (!camera.model->frame_complete()) continue;
    ++images;
    double stamp = 0;
    const auto& channel = *camera.model->layout().find("stamp");
    std::memcpy(&stamp, camera.bytes.data() + channel.offset, sizeof stamp);
    EXPECT_NEAR(stamp, 0.05 * images, 1e-9);
    // 100 rows take 19.8 ms: the image is there two steps after it began.
    EXPECT_NEAR(after, 0.05 * images + 0.02, 1e-9);
    if (images != 2) continue;
    for (const std::size_t row : {0u, 20u, 60u, 99u}) {
      const double t = stamp + 0.0002 * static_cast<double>(row);
      const double edge = -0.5 + speed * (t - 0.1) + 1;  // its left edge, y
      EXPECT_NEAR(camera.first_white(row), 200 - edge / pixel, 1.01) << row;
    }
    EXPECT_GE(camera.first_white(0) - camera.first_white(99), 17);
  }
  EXPECT_EQ(images, 4);
}

// Half of an image is exposed when the state is saved.
TEST(RollingShutter, GoesOnWhereItsStateWasSaved) {
  WhiteBoard world;
  const auto camera_of = [&world] {
    return RowCamera(world, {{"width", "40"}, {"height", "100"}, {"rowTime", "0.0002"}});
  };
  RowCamera one = camera_of(), other = camera_of();
  const auto step = [](RowCamera& camera, int i) {
    camera.in.time = 0.01 * i;
    camera.in.noise.frame = static_cast<std::uint64_t>(i);
    take_sample(*camera.model, camera.in, camera.bytes);
    return camera.model->frame_complete();
  };
  for (int i = 1; i <= 6; ++i) EXPECT_FALSE(step(one, i)) << i;
  StateArchive saved;
  dynamic_cast<KeepsState&>(*one.model).visit_state(saved);
  const std::vector<std::byte> bytes = saved.take();
  StateArchive restored(bytes);
  dynamic_cast<KeepsState&>(*other.model).visit_state(restored);
  EXPECT_TRUE(restored.at_end());
  ASSERT_TRUE(step(one, 7));
  ASSERT_TRUE(step(other, 7));
  EXPECT_GE(other.first_white(30), 0) << "that row was exposed before";
  EXPECT_EQ(one.bytes, other.bytes);
}

// A camera without power exposes nothing, and has nothing to make up for.
TEST(RollingShutter, LosesWhatItWasNotSampledFor) {
  WhiteBoard world;
  RowCamera camera(world, {{"width", "4"}, {"height", "3"}, {"rowTime", "0.0002"}});
  const auto images = [&](double from, double to) {
    int count = 0;
    for (int i = 1; from + 0.01 * i < to + 0.005; ++i) {
      camera.in.time = from + 0.01 * i;
      take_sample(*camera.model, camera.in, camera.bytes);
      count += camera.model->frame_complete() ? 1 : 0;
    }
    return count;
  };
  EXPECT_EQ(images(0, 0.22), 4);
  const auto stamp = [&] {
    double value = 0;
    const auto& channel = *camera.model->layout().find("stamp");
    std::memcpy(&value, camera.bytes.data() + channel.offset, sizeof value);
    return value;
  };
  camera.in.time = 2000.22;  // 40000 images later
  take_sample(*camera.model, camera.in, camera.bytes);
  EXPECT_NEAR(stamp(), 0.2, 1e-9);
  EXPECT_EQ(images(2000.22, 2000.42), 4);
  EXPECT_NEAR(stamp(), 2000.4, 1e-6);
}

TEST(RollingShutter, RefusesStatesWithTimesThatAreNone) {
  WhiteBoard world;
  RowCamera camera(world, {{"width", "4"}, {"height", "3"}, {"rowTime", "0.0002"}});
  for (int i = 1; i <= 6; ++i) {
    camera.in.time = 0.01 * i;
    take_sample(*camera.model, camera.in, camera.bytes);
  }
  StateArchive saved;
  auto& keeps = dynamic_cast<KeepsState&>(*camera.model);
  keeps.visit_state(saved);
  const std::vector<std::byte> bytes = saved.take();
  int refused = 0;
  for (std::size_t at = 0; at + 8 <= bytes.size(); ++at) {
    for (const double value : {std::nan(""), -1e300, 1e300, 1e-300}) {
      std::vector<std::byte> forged = bytes;
      std::memcpy(forged.data() + at, &value, sizeof value);
      StateArchive archive(forged);
      try {
        keeps.visit_state(archive);
      } catch (const StateError&) {
        ++refused;
        StateArchive good(bytes);
        keeps.visit_state(good);
        continue;
      }
      for (int i = 7; i <= 9; ++i) {
        camera.in.time = 0.01 * i;
        take_sample(*camera.model, camera.in, camera.bytes);
      }
    }
  }
  EXPECT_GT(refused, 50);
}

// A camera that itself moves to the right sees the same as with the board moving to the left.
TEST(RollingShutter, KnowsTheMotionOfTheCamera) {
  WhiteBoard world;
  RowCamera camera(world, {{"width", "400"},
                           {"height", "100"},
                           {"fieldOfView", "1"},
                           {"rowTime", "0.0001"},
                           {"near", "0.1"}});
  camera.in.period = 0.01;
  const double pixel = 3.99 * 2 * std::tan(0.5) / 400;
  camera.in.time = 0.01;
  camera.in.X_WS_before = Pose{};
  camera.in.X_WS = Pose{};
  take_sample(*camera.model, camera.in, camera.bytes);  // begins at its end
  camera.in.time = 0.02;
  camera.in.X_WS = Pose::translation({0, -0.1, 0});
  take_sample(*camera.model, camera.in, camera.bytes);
  ASSERT_TRUE(camera.model->frame_complete());
  for (const std::size_t row : {0u, 50u, 99u}) {
    const double moved = -0.1 * 0.0001 * static_cast<double>(row) / 0.01;
    EXPECT_NEAR(camera.first_white(row), 200 - (1 - moved) / pixel, 1.01) << row;
  }
}

TEST(CameraLens, ShowsPointsWhereTheCalibrationSays) {
  WhiteBoard world;
  // opencv: x_d = x (1 + k1 r2) of the board's edge y = 1 (x = -y / X in the optical frame).
  RowCamera camera(world, {{"width", "401"},
                           {"height", "3"},
                           {"lensModel", "\"opencv\""},
                           {"intrinsics", "[ 300 300 200 1 ]"},
                           {"distortion", "[ -0.2 0 0 0 ]"}});
  take_sample(*camera.model, camera.in, camera.bytes);
  const double x = -1 / 3.99, column = 300 * x * (1 - 0.2 * x * x) + 200;
  EXPECT_NEAR(camera.first_white(1), column, 1);
  // fisheye without coefficients: f theta.
  RowCamera fisheye(world, {{"width", "401"},
                            {"height", "3"},
                            {"lensModel", "\"fisheye\""},
                            {"intrinsics", "[ 300 300 200 1 ]"}});
  take_sample(*fisheye.model, fisheye.in, fisheye.bytes);
  EXPECT_NEAR(fisheye.first_white(1), 200 - 300 * std::atan(1 / 3.99), 1);
}

TEST(CameraLens, RefusesCalibrationsThatContradictTheImage) {
  WhiteBoard world;
  const auto refused = [&](std::map<std::string, std::string> fields) {
    EXPECT_THROW(RowCamera(world, std::move(fields)), std::invalid_argument);
  };
  const std::string on = "\"opencv\"", k = "[ 300 300 32 32 ]";
  refused({{"lensModel", on}, {"intrinsics", "[ 300 300 70 32 ]"}});  // 64 x 64 pixels
  refused({{"lensModel", on}, {"intrinsics", "[ 300 300 ]"}});
  refused({{"lensModel", on}, {"intrinsics", "[ -300 300 32 32 ]"}});
  refused({{"lensModel", on}, {"intrinsics", k}, {"fieldOfView", "1"}});
  refused({{"lensModel", on}, {"intrinsics", k}, {"distortion", "[ 1 2 3 ]"}});
  refused({{"lensModel", "\"eucm\""}, {"intrinsics", k}, {"distortion", "[ 1.5 1 ]"}});
  refused({{"lensModel", "\"fisheye\""}});
  refused({{"intrinsics", k}});
  refused({{"lensModel", on}, {"lens", "Lens { center 0.5 0.5 radialCoefficients 0 0 tangentialCoefficients 0 0 }"}});
}

TEST(CameraThreads, GiveTheSameBytes) {
  std::set<std::vector<std::byte>> images;
  for (const int threads : {1, 2, 4}) {
    WhiteBoard world(threads);
    LightSource sun;
    sun.direction_W = Vec3(0.5, 0.3, -0.8).normalized();
    sun.casts_shadows = true;
    world.look.lights = {sun};
    RowCamera camera(
        world, {{"width", "300"}, {"height", "200"}, {"noise", "0.05"}, {"antiAliasing", "TRUE"}});
    take_sample(*camera.model, camera.in, camera.bytes);
    images.insert(camera.bytes);
  }
  EXPECT_EQ(images.size(), 1u);
}

}  // namespace
}  // namespace protobeam
