// The light of points that rays have met: what of it goes to the camera. Structure of arrays, as the
// loops over it are vectorised.
#pragma once

#include <vector>

#include "device/appearance.h"

namespace protobeam::render {

/// Directions and positions have the axes of W; positions count from the camera. Colours are linear,
/// [0] red.
struct LitPoints {
  static constexpr int kSize = 256;
  using Floats = float[kSize];

  int count = 0;
  alignas(64) Floats distance;      ///< m, from the camera; infinity: nothing was met
  alignas(64) Floats dx, dy, dz;    ///< unit, from the camera
  alignas(64) Floats nx, ny, nz;    ///< unit normal that faces the camera
  alignas(64) Floats albedo[3];     ///< of light that is scattered
  alignas(64) Floats emissive[3];   ///< light that is sent out
  alignas(64) Floats mirror[3];     ///< share that is mirrored at right angles
  alignas(64) Floats roughness;
  alignas(64) Floats open;          ///< share of the light from all around that gets there
  alignas(64) Floats seen[3];       ///< the sky where the point mirrors it
  /// Points of surfaces that are not physical: their `mirror` is the colour of highlights.
  struct PhongRun {
    int begin, end;
    float exponent;  ///< of highlights
  };
  std::vector<PhongRun> phong;
  alignas(64) Floats ambient[3];    ///< of ambient light that is scattered; of points in `phong` only
  alignas(64) Floats out[3];        ///< light towards the camera
};

/// A light as the points see it: where it is, and the share of it that arrives.
struct LightDirections {
  alignas(64) LitPoints::Floats x, y, z, share, distance;
};

/// Light as Webots has it, so that images have the brightness of its cameras; with I a light's
/// intensity. Physical surfaces (its shader pbr.frag): the diffuse part is albedo (1 - F) I^2 cos / pi,
/// the highlight F G D I / (4 n.v) with D and G of Trowbridge and Reitz, F after Schlick. Those of
/// Phong (phong.frag): the diffuse part is albedo I cos, the highlight mirror I (n.h)^exponent.
///
/// `color`: linear; `add`: light that the points send to the camera unless something is between them
/// and the light; `faces`: 1 where that is more than none.
void add_light(const Eigen::Vector3f& color, float intensity, const LightDirections& to_light,
               const LitPoints& points, LitPoints::Floats add[3], unsigned char* faces);

/// Starts `points.out`: what they send out, and what they send back: physical surfaces of a sky that
/// is `around` everywhere, and `seen` where they mirror it; those of Phong of `ambient` light.
void start_light(const Eigen::Vector3f& around, const Eigen::Vector3f& ambient, LitPoints& points);

}  // namespace protobeam::render
