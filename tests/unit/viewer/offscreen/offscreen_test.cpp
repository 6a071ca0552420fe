#include "viewer/offscreen/offscreen.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cstdio>
#include <cstdlib>
#include <memory>
#include <osg/Geode>
#include <osg/Geometry>
#include <osg/MatrixTransform>
#include <osg/Point>
#include <string>
#include <vector>

namespace protobeam::viewer {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::Not;
using ::testing::StartsWith;
using Rgb = std::array<int, 3>;

Rgb color_at(const Image& image, int column, int row) {
  const std::size_t i = (static_cast<std::size_t>(row) * static_cast<std::size_t>(image.width) +
                         static_cast<std::size_t>(column)) *
                        3;
  return {image.pixels[i], image.pixels[i + 1], image.pixels[i + 2]};
}

/// A plain coloured shape without light.
osg::ref_ptr<osg::Geometry> shape(GLenum mode, const std::vector<osg::Vec3>& points,
                                  const osg::Vec4& color) {
  osg::ref_ptr<osg::Geometry> geometry = new osg::Geometry;
  geometry->setUseDisplayList(false);
  geometry->setUseVertexBufferObjects(true);
  geometry->setVertexArray(new osg::Vec3Array(points.begin(), points.end()));
  auto* colors = new osg::Vec4Array(osg::Array::BIND_OVERALL);
  colors->push_back(color);
  geometry->setColorArray(colors);
  geometry->addPrimitiveSet(new osg::DrawArrays(mode, 0, static_cast<GLsizei>(points.size())));
  geometry->getOrCreateStateSet()->setMode(GL_LIGHTING, osg::StateAttribute::OFF);
  return geometry;
}

/// Upright, facing the camera at the origin: x = 10, y and z within +-1 of the middle.
osg::ref_ptr<osg::Geometry> square(double y, double z, const osg::Vec4& color) {
  const auto at = [&](double side, double up) {
    return osg::Vec3(10, static_cast<float>(y + side), static_cast<float>(z + up));
  };
  return shape(GL_TRIANGLE_FAN, {at(1, -1), at(-1, -1), at(-1, 1), at(1, 1)}, color);
}

const osg::Vec4 kRed(1, 0, 0, 1), kGreen(0, 1, 0, 1), kBlue(0, 0, 1, 1);

/// 10 m away a pixel of 100 x 100 is 0.1 m wide.
render::Camera camera_at_origin() {
  render::Camera camera;
  camera.vertical_fov = 2 * std::atan(0.5);
  return camera;
}

/// Runs `work` in a child process with one more variable in its environment; its answer's text.
template <class Work>
std::string in_child(const std::vector<std::pair<std::string, std::string>>& environment,
                     Work&& work) {
  std::array<int, 2> pipe_ends{};
  if (pipe(pipe_ends.data()) != 0) return "no pipe";
  const pid_t child = fork();
  if (child == 0) {
    for (const auto& [name, value] : environment) setenv(name.c_str(), value.c_str(), 1);
    dup2(pipe_ends[1], STDOUT_FILENO);
    dup2(pipe_ends[1], STDERR_FILENO);
    std::string answer;
    try {
      answer = work();
    } catch (const NoGraphics& error) {
      answer = std::string("NoGraphics: ") + error.what();
    }
    const auto written = write(pipe_ends[1], answer.data(), answer.size());
    _exit(written == static_cast<ssize_t>(answer.size()) ? 0 : 1);
  }
  close(pipe_ends[1]);
  std::string text;
  std::array<char, 4096> buffer{};
  for (ssize_t got; (got = read(pipe_ends[0], buffer.data(), buffer.size())) > 0;) {
    text.append(buffer.data(), static_cast<std::size_t>(got));
  }
  close(pipe_ends[0]);
  int status = 0;
  waitpid(child, &status, 0);
  EXPECT_TRUE(WIFEXITED(status) && WEXITSTATUS(status) == 0) << text;
  return text;
}

std::string red_in_the_middle() {
  Offscreen offscreen(20, 20, 1);
  const Rgb middle =
      color_at(offscreen.draw(square(0, 0, kRed), nullptr, camera_at_origin()), 10, 10);
  return middle == Rgb{255, 0, 0} ? "red" : "not red";
}

TEST(Offscreen, LooksAlongXWithYToTheLeftAndZUp) {
  osg::ref_ptr<osg::Group> world = new osg::Group;
  world->addChild(square(0, 0, kRed));
  world->addChild(square(3, 0, kGreen));  // to the left
  world->addChild(square(0, 3, kBlue));   // above
  Offscreen offscreen(100, 100, 1);
  const Image image = offscreen.draw(world, nullptr, camera_at_origin());
  ASSERT_EQ(image.channels, 3);
  ASSERT_EQ(image.pixels.size(), 30000u);
  EXPECT_EQ(color_at(image, 50, 50), (Rgb{255, 0, 0}));
  EXPECT_EQ(color_at(image, 20, 50), (Rgb{0, 255, 0}));
  EXPECT_EQ(color_at(image, 50, 20), (Rgb{0, 0, 255}));
  EXPECT_EQ(color_at(image, 80, 50), (Rgb{0, 0, 0}));
}

TEST(Offscreen, LooksFromThePoseThatItIsGiven) {
  render::Camera camera = camera_at_origin();
  camera.X_WC = {axis_angle({0, 0, 1}, kPi / 2), Vec3(10, -10, 5)};  // looks along +y
  osg::ref_ptr<osg::MatrixTransform> turned = new osg::MatrixTransform(
      osg::Matrixd::rotate(kPi / 2, osg::Vec3d(0, 0, 1)) * osg::Matrixd::translate(10, -10, 5));
  turned->addChild(square(2, 0, kGreen));
  Offscreen offscreen(100, 100, 1);
  const Image image = offscreen.draw(turned, nullptr, camera);
  EXPECT_EQ(color_at(image, 30, 50), (Rgb{0, 255, 0}));
  EXPECT_EQ(color_at(image, 70, 50), (Rgb{0, 0, 0}));
}

TEST(Offscreen, EdgesAreTheMeanOfTheSamplesInLinearLight) {
  // The right edge of the square halves the pixels of a column: 0.5 is 188 in sRGB.
  render::Camera camera = camera_at_origin();
  camera.X_WC.p.y() = 0.05;
  Offscreen offscreen(100, 100, 4);
  const Image image = offscreen.draw(square(0, 0, {1, 1, 1, 1}), nullptr, camera);
  EXPECT_EQ(color_at(image, 59, 50), (Rgb{255, 255, 255}));
  EXPECT_EQ(color_at(image, 60, 50), (Rgb{188, 188, 188}));
  EXPECT_EQ(color_at(image, 61, 50), (Rgb{0, 0, 0}));
}

/// A HUD over the right half of the picture.
osg::ref_ptr<osg::Camera> right_half() {
  osg::ref_ptr<osg::Camera> camera = new osg::Camera;
  camera->setReferenceFrame(osg::Transform::ABSOLUTE_RF);
  camera->setRenderOrder(osg::Camera::POST_RENDER);
  camera->setClearMask(0);
  camera->setViewMatrix(osg::Matrixd::identity());
  camera->setProjectionMatrixAsOrtho2D(-1, 1, -1, 1);
  camera->getOrCreateStateSet()->setMode(GL_DEPTH_TEST, osg::StateAttribute::OFF);
  camera->addChild(shape(GL_TRIANGLES,
                         {osg::Vec3(0.1, -1, 0), osg::Vec3(1, -1, 0), osg::Vec3(1, 1, 0)}, kGreen));
  return camera;
}

TEST(Offscreen, SmoothEdgesAreThoseOfTheWorldAlone) {
  osg::ref_ptr<osg::MatrixTransform> turned =
      new osg::MatrixTransform(osg::Matrixd::rotate(0.2, osg::Vec3d(1, 0, 0)));
  turned->addChild(square(1.5, 0, {1, 1, 1, 1}));
  const auto between = [](const Image& image, int first, int last, int channel) {
    int count = 0;
    for (int y = 0; y < 100; ++y) {
      for (int x = first; x < last; ++x) {
        const int value = color_at(image, x, y)[static_cast<std::size_t>(channel)];
        count += value > 8 && value < 247 ? 1 : 0;
      }
    }
    return count;
  };
  const Image raw = Offscreen(100, 100, 1).draw(turned, right_half(), camera_at_origin());
  Offscreen offscreen(100, 100, 1, Edges::kSmooth);
  const Image smooth = offscreen.draw(turned, right_half(), camera_at_origin());
  EXPECT_EQ(between(raw, 0, 50, 0), 0);
  EXPECT_GT(between(smooth, 0, 50, 0), 20);
  EXPECT_EQ(between(smooth, 50, 100, 1), 0);
  EXPECT_EQ(color_at(smooth, 90, 90), (Rgb{0, 255, 0}));
  // Neither the picture before nor what was written over it is left.
  const Image nothing = offscreen.draw(new osg::Group, nullptr, camera_at_origin());
  EXPECT_EQ(std::ranges::count(nothing.pixels, 0), 30000);
}

TEST(Offscreen, PointsKeepTheirSizeWhateverTheSamples) {
  const auto bright_rows = [](int samples) {
    osg::ref_ptr<osg::Geometry> point = shape(GL_POINTS, {osg::Vec3(10, 0, 0)}, kGreen);
    point->getOrCreateStateSet()->setAttributeAndModes(new osg::Point(6));
    Offscreen offscreen(50, 50, samples);
    const Image image = offscreen.draw(point, nullptr, camera_at_origin());
    int count = 0;
    for (int row = 0; row < 50; ++row) count += color_at(image, 25, row)[1] > 127 ? 1 : 0;
    return count;
  };
  EXPECT_NEAR(bright_rows(1), 6, 1);
  EXPECT_NEAR(bright_rows(3), 6, 1);
}

TEST(Offscreen, NearAndFarThingsAreDrawnTogetherUnlessTheCameraLimitsThem) {
  osg::ref_ptr<osg::Group> world = new osg::Group;
  const auto scaled = [&](double scale, double y, const osg::Vec4& color) {
    osg::ref_ptr<osg::MatrixTransform> to =
        new osg::MatrixTransform(osg::Matrixd::scale(scale, scale, scale));
    to->addChild(square(y, 0, color));
    world->addChild(to);
  };
  scaled(0.01, 2, kRed);    // 0.1 m away
  scaled(500, -2, kGreen);  // 5 km away
  Offscreen offscreen(100, 100, 1);
  render::Camera camera = camera_at_origin();
  Image image = offscreen.draw(world, nullptr, camera);
  EXPECT_EQ(color_at(image, 30, 50), (Rgb{255, 0, 0}));
  EXPECT_EQ(color_at(image, 70, 50), (Rgb{0, 255, 0}));
  camera.near = 0.2;
  camera.far = 4000;
  image = offscreen.draw(world, nullptr, camera);
  EXPECT_EQ(color_at(image, 30, 50), (Rgb{0, 0, 0}));
  EXPECT_EQ(color_at(image, 70, 50), (Rgb{0, 0, 0}));
}

TEST(Offscreen, WhatLiesOverThePictureIsInItsPixels) {
  osg::ref_ptr<osg::Camera> over = new osg::Camera;
  over->setReferenceFrame(osg::Transform::ABSOLUTE_RF);
  over->setProjectionMatrixAsOrtho2D(0, 80, 0, 60);
  over->setClearMask(GL_DEPTH_BUFFER_BIT);
  over->setRenderOrder(osg::Camera::POST_RENDER);
  over->addChild(shape(
      GL_TRIANGLE_FAN,
      {osg::Vec3(10, 5, 0), osg::Vec3(20, 5, 0), osg::Vec3(20, 8, 0), osg::Vec3(10, 8, 0)}, kBlue));
  Offscreen offscreen(80, 60, 2);
  const Image image = offscreen.draw(square(0, 0, kRed), over, camera_at_origin());
  int blue = 0;
  for (int row = 0; row < 60; ++row) {
    for (int column = 0; column < 80; ++column) {
      const bool inside = column >= 10 && column < 20 && row >= 52 && row < 55;
      const bool is_blue = color_at(image, column, row) == Rgb{0, 0, 255};
      EXPECT_EQ(is_blue, inside) << column << " " << row;
      blue += is_blue ? 1 : 0;
    }
  }
  EXPECT_EQ(blue, 30);
  EXPECT_EQ(color_at(image, 40, 30), (Rgb{255, 0, 0}));
}

TEST(Offscreen, DrawsTheSameBytesAgain) {
  osg::ref_ptr<osg::Geometry> world = square(0.123, 0.321, {0.3f, 0.6f, 0.9f, 1});
  Offscreen first(64, 48, 3), second(64, 48, 3);
  const Image image = first.draw(world, nullptr, camera_at_origin());
  EXPECT_EQ(first.draw(world, nullptr, camera_at_origin()).pixels, image.pixels);
  EXPECT_EQ(second.draw(world, nullptr, camera_at_origin()).pixels, image.pixels);
  EXPECT_EQ(first.draw(world, nullptr, camera_at_origin()).pixels, image.pixels);
}

TEST(Offscreen, SceneOutlivesManyContexts) {
  osg::ref_ptr<osg::Geometry> world = square(0, 0, kRed);
  for (int i = 0; i < 40; ++i) {
    Offscreen offscreen(16, 16, 1);
    EXPECT_EQ(color_at(offscreen.draw(world, nullptr, camera_at_origin()), 8, 8), (Rgb{255, 0, 0}))
        << i;
  }
  // Their numbers are used again: nothing of them is left.
  EXPECT_LE(osg::GraphicsContext::getMaxContextID(), 2u);
  EXPECT_TRUE(osg::GraphicsContext::getAllRegisteredGraphicsContexts().empty());
}

TEST(Offscreen, DrawsNothingAsBlack) {
  Offscreen offscreen(4, 4, 1);
  EXPECT_EQ(offscreen.draw(nullptr, nullptr, render::Camera{}).pixels,
            std::vector<std::uint8_t>(48));
}

TEST(Offscreen, NamesWhatDraws) { EXPECT_FALSE(Offscreen(4, 4, 1).renderer().empty()); }

TEST(Offscreen, NeedsNoScreenAndPrintsNothing) {
  EXPECT_EQ(in_child({{"DISPLAY", ""}}, red_in_the_middle), "red");
  EXPECT_EQ(in_child({{"DISPLAY", ":4711"}, {"OSG_NOTIFY_LEVEL", "DEBUG"}}, red_in_the_middle),
            "red");
}

TEST(OffscreenDeathTest, SaysWhenThereIsNoEgl) {
  // In a process that has not loaded a driver yet.
  GTEST_FLAG_SET(death_test_style, "threadsafe");
  const auto draw_without_egl = [] {
    setenv("__EGL_VENDOR_LIBRARY_DIRS", "/nonexistent", 1);
    try {
      red_in_the_middle();
    } catch (const NoGraphics& error) {
      std::fputs(error.what(), stderr);
      _exit(7);
    }
    _exit(0);
  };
  EXPECT_EXIT(
      draw_without_egl(), ::testing::ExitedWithCode(7),
      AllOf(StartsWith("no picture can be drawn: EGL finds no driver"), Not(HasSubstr("\n"))));
}

TEST(Offscreen, NamesASizeBeyondTheLimit) {
  try {
    Offscreen offscreen(1'000'000, 10, 1);
    FAIL() << "made";
  } catch (const NoGraphics& error) {
    EXPECT_THAT(error.what(), HasSubstr("1000000 x 10 pixels are more than "));
  }
  EXPECT_THROW(Offscreen(0, 10, 1), std::invalid_argument);
  EXPECT_THROW(Offscreen(10, 10, 0), std::invalid_argument);
}

}  // namespace
}  // namespace protobeam::viewer
