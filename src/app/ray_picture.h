// The scene as rays see it, where no OpenGL is at hand or wanted.
#pragma once

#include "sim/picture/picture.h"
#include "sim/simulation.h"

namespace protobeam {

/// `points`: with every lidar's last returns, coloured by height.
Image ray_picture(Simulation& simulation, const Camera& camera, const PictureSize& size,
                  bool points);

}  // namespace protobeam
