// What the world is to light: surfaces, air and sun, as sensors that shine or look may ask.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "base/math.h"
#include "raycast/ray_scene.h"

namespace protobeam {

/// A picture on a surface, as reflectance.
struct SurfacePicture {
  int width = 0, height = 0;
  std::vector<float>
      reflectance;  ///< [height][width], row 0 on top; (0, 0) is the lower left corner
  bool repeat_s = true, repeat_t = true;
  Eigen::Matrix<float, 2, 3> uv_transform;
};

/// One surface at the wavelengths of lidars (850 to 1550 nm). A beam that meets it at the angle t
/// between beam and normal finds the reflectance
///   diffuse cos t + specular exp(-tan^2 t / slope^2) / (4 slope^2 cos^5 t) + retro cos^4 t,
/// and (1 - F(t)) transmission of it goes on, F being Fresnel's share. See docs/lidar-models.md.
struct Surface {
  float diffuse = 0;       ///< Lambertian, 0..1; the mean where there is a picture
  float specular = 0;      ///< of a mirror at normal incidence, 0..1
  float slope = 1;         ///< of the mirror's facets, root of twice the mean square, > 0
  float retro = 0;         ///< in white Lambertian surfaces at normal incidence
  float transmission = 0;  ///< 0 opaque, 1 clear
  std::shared_ptr<const SurfacePicture> picture;  ///< of `diffuse`; may be null
  /// What the picture lies on, by the texture coordinates of its triangles.
  std::shared_ptr<const Geometry> geometry;
};

/// The surfaces of a ray scene by what RayBlock says about a hit. Structure of arrays: surface
/// number 0 is "nothing", which reflects nothing.
class SurfaceTable {
 public:
  SurfaceTable();
  /// `shapes` in the order of the instance's shapes. Once for each instance.
  void set(RayScene::Instance instance, std::span<const Surface> shapes);

  /// Surface number of a hit: 0 for a miss (kNoHit) and for what was never set.
  std::uint32_t number(std::uint32_t instance, std::uint32_t shape) const {
    if (instance >= count_.size() || shape >= count_[instance]) return 0;
    return first_[instance] + shape;
  }
  std::size_t size() const { return diffuse_.size(); }
  const float* diffuse() const { return diffuse_.data(); }
  const float* specular() const { return specular_.data(); }
  const float* slope() const { return slope_.data(); }
  const float* retro() const { return retro_.data(); }
  const float* transmission() const { return transmission_.data(); }
  /// One of the surfaces has a picture, or lets light through.
  bool has_pictures() const { return has_pictures_; }
  bool has_transmission() const { return has_transmission_; }

  bool has_picture(std::uint32_t number) const { return pictures_[number].picture != nullptr; }
  /// For n hits of surfaces `number`, at points of their triangles as RayBlock has them: `diffuse`
  /// becomes the nearest pixel where there is a picture, and stays elsewhere.
  void draw_pictures(const std::uint32_t* number, const std::uint32_t* triangle, const float* u,
                     const float* v, std::size_t n, float* diffuse) const;

 private:
  struct Picture {
    std::shared_ptr<const SurfacePicture> picture;
    std::shared_ptr<const Geometry> geometry;
  };
  void push(const Surface& surface);

  std::vector<std::uint32_t> first_, count_;  ///< by instance
  std::vector<float> diffuse_, specular_, slope_, retro_, transmission_;
  std::vector<Picture> pictures_;
  bool has_pictures_ = false, has_transmission_ = false;
};

/// Weather, the same everywhere.
struct Atmosphere {
  double visibility = 0;  ///< m, at 550 nm and a contrast of 2 %; 0: no fog
  double rain = 0;        ///< mm/h
  double snow = 0;        ///< mm/h of melted water
  double dust = 0;        ///< g/m^3

  bool clear() const { return !(visibility > 0 || rain > 0 || snow > 0 || dust > 0); }
  bool operator==(const Atmosphere&) const = default;
};

struct Sun {
  Vec3 direction_W = Vec3::UnitZ();  ///< towards it, unit
  double irradiance = 0;             ///< 1: as the bright sun (100 klx) on a surface that faces it
};

}  // namespace protobeam
