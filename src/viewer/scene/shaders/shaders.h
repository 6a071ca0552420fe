// The sources of the shaders, in GLSL 1.30. A program's fragment shader is kLighting and its own
// main(). Names that end in _W are in the world's frame, others in the eye's.
#pragma once

namespace protobeam::viewer::shaders {

extern const char* const kLighting;
extern const char* const kSurfaceVertex;
extern const char* const kSurfaceFragment;
extern const char* const kGroundVertex;
extern const char* const kGroundFragment;
extern const char* const kSkyVertex;
extern const char* const kSkyFragment;
extern const char* const kDepthVertex;
extern const char* const kDepthFragment;

}  // namespace protobeam::viewer::shaders
