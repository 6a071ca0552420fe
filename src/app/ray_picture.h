// The scene as rays see it, where no OpenGL is at hand or wanted.
#pragma once

#include "render/scene_picture.h"
#include "sim/simulation.h"

namespace protobeam {

/// `points`: with every lidar's last returns, coloured by height.
Image ray_picture(Simulation& simulation, const render::Camera& camera,
                  const render::PictureSize& size, bool points);

}  // namespace protobeam
