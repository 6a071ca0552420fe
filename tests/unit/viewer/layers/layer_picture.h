// A small picture of layers, and where a point of the world must be in it.
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <memory>
#include <osg/Geometry>
#include <string>
#include <utility>
#include <vector>

#include "viewer/layers/layers.h"
#include "viewer/offscreen/offscreen.h"

namespace protobeam::viewer {

using Rgb = std::array<int, 3>;

inline Rgb bytes(const Eigen::Vector3f& color) {
  return {static_cast<int>(std::lround(255 * color.x())),
          static_cast<int>(std::lround(255 * color.y())),
          static_cast<int>(std::lround(255 * color.z()))};
}

/// The largest difference of a channel.
inline int difference(const Rgb& a, const Rgb& b) {
  int most = 0;
  for (std::size_t i = 0; i < 3; ++i) most = std::max(most, std::abs(a[i] - b[i]));
  return most;
}

/// Pinhole pictures, 320 x 240, black where there is nothing.
class LayerPicture {
 public:
  static constexpr int kWidth = 320, kHeight = 240;

  explicit LayerPicture(const Pose& X_WC = {}) { camera.X_WC = X_WC; }

  void draw(osg::Node* world) { image_ = offscreen_.draw(world, nullptr, camera); }
  void draw(Layers& layers) { draw(layers.root()); }

  /// Column and row of a point: similar triangles, no OpenGL.
  std::pair<double, double> place(const Vec3& p_W) const {
    const Vec3 p_C = camera.X_WC.inverse() * p_W;
    const double focal = kHeight / 2 / std::tan(camera.vertical_fov / 2);  // pixels
    return {kWidth / 2 - focal * p_C.y() / p_C.x(), kHeight / 2 - focal * p_C.z() / p_C.x()};
  }

  Rgb pixel(int column, int row) const {
    if (column < 0 || column >= kWidth || row < 0 || row >= kHeight) return {-1, -1, -1};
    const auto i = static_cast<std::size_t>(3 * (row * kWidth + column));
    return {image_.pixels[i], image_.pixels[i + 1], image_.pixels[i + 2]};
  }
  Rgb at(const Vec3& p_W) const {
    const auto [column, row] = place(p_W);
    return pixel(static_cast<int>(std::floor(column)), static_cast<int>(std::floor(row)));
  }
  /// The brightest pixel around there: lines are thin.
  Rgb brightest(const Vec3& p_W, int reach = 1) const {
    const auto [column, row] = place(p_W);
    const auto brightness = [](const Rgb& rgb) { return rgb[0] + rgb[1] + rgb[2]; };
    Rgb best{-1, -1, -1};
    for (int dy = -reach; dy <= reach; ++dy) {
      for (int dx = -reach; dx <= reach; ++dx) {
        const Rgb one = pixel(static_cast<int>(std::floor(column)) + dx,
                              static_cast<int>(std::floor(row)) + dy);
        if (brightness(one) > brightness(best)) best = one;
      }
    }
    return best;
  }
  bool is_lit_near(const Vec3& p_W, int reach = 1) const {
    return difference(brightest(p_W, reach), {0, 0, 0}) > 20;
  }
  int lit_pixels() const {
    int count = 0;
    for (int row = 0; row < kHeight; ++row) {
      for (int column = 0; column < kWidth; ++column) {
        if (pixel(column, row) != Rgb{0, 0, 0}) ++count;
      }
    }
    return count;
  }

  render::Camera camera;

 private:
  Offscreen offscreen_{kWidth, kHeight, 1};
  Image image_;
};

/// An unlit square of 18 m across the x axis.
inline osg::ref_ptr<osg::Geometry> wall(double x, const osg::Vec4& color) {
  osg::ref_ptr<osg::Geometry> geometry = new osg::Geometry;
  auto* corners = new osg::Vec3Array;
  for (const auto& [y, z] : {std::pair{-9.f, -9.f}, {9.f, -9.f}, {9.f, 9.f}, {-9.f, 9.f}}) {
    corners->push_back({static_cast<float>(x), y, z});
  }
  auto* colors = new osg::Vec4Array(osg::Array::BIND_OVERALL);
  colors->push_back(color);
  geometry->setVertexArray(corners);
  geometry->setColorArray(colors);
  geometry->addPrimitiveSet(new osg::DrawArrays(GL_QUADS, 0, 4));
  geometry->getOrCreateStateSet()->setMode(GL_LIGHTING, osg::StateAttribute::OFF);
  return geometry;
}

inline DrawSettings nothing() {
  DrawSettings settings;
  settings.clouds = false;
  return settings;
}

/// A world with a 16-layer lidar (device 0, Solid 0) on body 0, and a second lidar (device 1).
inline std::shared_ptr<SceneDescription> look_with_lidars() {
  auto description = std::make_shared<SceneDescription>();
  description->load = 1;
  description->solids.resize(2);
  description->solids[0].body = 0;
  description->devices.resize(2);
  description->devices[0] = {"robot", "top", "Lidar", "", 0, 16, 100, 0.1, 50};
  description->devices[1] = {"robot", "front", "Lidar", "", 1, 1, 100, 0.1, 50};
  return description;
}

/// A return from a point in the sensor's frame.
inline BeamReturn hit(const Vec3& p_S, int layer = 0, double intensity = 0, int number = 1) {
  BeamReturn beam{};
  beam.layer = layer;
  beam.range = static_cast<float>(p_S.norm());
  beam.x = static_cast<float>(p_S.x());
  beam.y = static_cast<float>(p_S.y());
  beam.z = static_cast<float>(p_S.z());
  beam.intensity = static_cast<float>(intensity);
  beam.return_number = number;
  return beam;
}

inline std::shared_ptr<Sweep> sweep(std::uint64_t number, const Pose& X_WS,
                                    std::vector<BeamReturn> returns, int device = 0) {
  auto made = std::make_shared<Sweep>();
  made->device = device;
  made->number = number;
  made->X_WS = X_WS;
  made->returns = std::move(returns);
  return made;
}

inline SceneState frame_with(std::vector<std::shared_ptr<const Sweep>> sweeps) {
  SceneState state;
  state.load = 1;
  state.sweeps = std::move(sweeps);
  return state;
}

}  // namespace protobeam::viewer
