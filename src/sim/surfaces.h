// From how things look to how they reflect a lidar's light.
#pragma once

#include <map>
#include <memory>
#include <vector>

#include "geometry/geometry.h"
#include "geometry/material.h"
#include "device/surroundings.h"
#include "sim/model.h"

namespace protobeam {

/// The surface that a material makes, without its picture. A lidarReflectance that is given is
/// taken as it is, without a mirror's share. Otherwise, with L the luminance of the base colour:
///   body of an insulator    0.02 + 0.88 L, scattered evenly
///   mirror of an insulator  0.04, as glass or varnish
///   mirror of a metal       L
/// mixed by metalness; transparency lets through its share of what the metal leaves. The mirror's
/// slope is the square of the roughness (B. Burley, "Physically-based shading at Disney", 2012),
/// but at least 0.02. Where the numbers come from, and what such a rule cannot know:
/// docs/lidar-models.md.
Surface surface_of(const Material& material);

/// Builds the table of all shapes of a world; pictures that several shapes or tables share are made
/// once.
class SurfaceBuilder {
 public:
  std::unique_ptr<SurfaceTable> table(const std::vector<VisualGroup>& groups);

 private:
  Surface surface(const std::shared_ptr<const Material>& material,
                  const std::shared_ptr<const Geometry>& geometry);

  struct Picture {
    std::shared_ptr<const Material> material;
    std::shared_ptr<const SurfacePicture> picture;
    int table = 0;  ///< the last one that it is in
  };
  std::map<const Material*, Picture> pictures_;
  int table_ = 0;
};

}  // namespace protobeam
