// Small worlds made by hand, and looks at their pictures.
#pragma once

#include <cmath>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "viewer/offscreen/offscreen.h"
#include "viewer/scene/world_scene.h"

namespace protobeam::viewer {

inline Material colored(float r, float g, float b) {
  Material material;
  material.base_color = {r, g, b};
  material.roughness = 1;
  return material;
}

inline Light sun(const Vec3& direction, float intensity = 2) {
  Light light;
  light.direction_B = direction;
  light.intensity = intensity;
  return light;
}

/// A camera at `from` that looks at `at`; its picture's left is +y of C.
inline Pose looking(const Vec3& from, const Vec3& at, const Vec3& up = Vec3::UnitZ()) {
  const Vec3 x = (at - from).normalized();
  const Vec3 y = up.cross(x).normalized();
  Mat3 R;
  R << x, y, x.cross(y);
  return {Quat(R), from};
}

/// A world that is being made: every shape is a group of its own.
class Stage {
 public:
  Stage() { description_.load = state_.load = 1; }

  /// Returns the number of its group. With a name it belongs to a new Solid.
  int add(const Geometry& geometry, const Material& material, const Pose& X_WS = {},
          const std::string& solid = "", int parent = -1, bool moves = false) {
    SceneDescription::Shape shape;
    shape.geometry = std::make_shared<Geometry>(geometry);
    shape.material = std::make_shared<Material>(material);
    if (!solid.empty()) {
      shape.solid = static_cast<int>(description_.solids.size());
      description_.solids.push_back({solid});
      description_.solids.back().parent = parent;
    }
    description_.groups.push_back({{shape}, moves});
    state_.groups.push_back(X_WS);
    const Bounds box = bounds(geometry);
    const Vec3 middle = X_WS * ((box.min + box.max) / 2).eval();
    const Vec3 reach = X_WS.R.toRotationMatrix().cwiseAbs() * ((box.max - box.min) / 2);
    description_.bounds.min = description_.bounds.min.cwiseMin(middle - reach);
    description_.bounds.max = description_.bounds.max.cwiseMax(middle + reach);
    return static_cast<int>(description_.groups.size()) - 1;
  }

  SceneDescription& description() { return description_; }
  SceneState& state() { return state_; }

  std::unique_ptr<WorldScene> scene(Quality quality = Quality::kWindow) const {
    auto scene =
        std::make_unique<WorldScene>(std::make_shared<SceneDescription>(description_), quality);
    scene->update(state_);
    return scene;
  }

 private:
  SceneDescription description_;
  SceneState state_;
};

/// Square pictures of one size, from one place.
class Camera {
 public:
  Camera(int size, const Vec3& from, const Vec3& at, double fov = 2 * std::atan(0.5),
         const Vec3& up = Vec3::UnitZ(), int samples = 1)
      : size_(size), offscreen_(size, size, samples) {
    eye_.X_WC = looking(from, at, up);
    eye_.vertical_fov = fov;
  }

  render::Camera& camera() { return eye_; }
  Image take(WorldScene& scene) { return offscreen_.draw(scene.root(), nullptr, eye_); }
  Image take(const Stage& stage, Quality quality = Quality::kWindow) {
    return take(*stage.scene(quality));
  }
  /// Where a place of the world is in the picture: column and row.
  Eigen::Vector2d where(const Vec3& p_W) const {
    const Vec3 p = eye_.X_WC.inverse() * p_W;
    const double focal = size_ / 2.0 / std::tan(eye_.vertical_fov / 2);
    return {size_ / 2.0 - focal * p.y() / p.x(), size_ / 2.0 - focal * p.z() / p.x()};
  }

 private:
  int size_;
  Offscreen offscreen_;
  render::Camera eye_;
};

inline Vec3 pixel(const Image& image, int column, int row) {
  const std::size_t i = (static_cast<std::size_t>(row) * static_cast<std::size_t>(image.width) +
                         static_cast<std::size_t>(column)) *
                        3;
  return Vec3(image.pixels.at(i), image.pixels.at(i + 1), image.pixels.at(i + 2));
}
inline Vec3 pixel(const Image& image, const Eigen::Vector2d& place) {
  return pixel(image, static_cast<int>(place.x()), static_cast<int>(place.y()));
}
inline double brightness(const Vec3& rgb) { return rgb.mean(); }

}  // namespace protobeam::viewer
