// The scene as rays see it, where no OpenGL is at hand or wanted.
#pragma once

#include <optional>

#include "render/legend.h"
#include "render/scene_picture.h"
#include "sim/simulation.h"

namespace protobeam {

/// From the 2nd to the 98th percentile of the heights (m, in the world) of every lidar's last
/// returns; none without returns.
std::optional<render::ColorScale> heights_of_returns(const Simulation& simulation);
/// With the supervisors' labels over it.
/// `heights`: with every lidar's last returns, coloured by height on this scale.
Image ray_picture(Simulation& simulation, const render::Camera& camera,
                  const render::PictureSize& size,
                  const std::optional<render::ColorScale>& heights);

}  // namespace protobeam
