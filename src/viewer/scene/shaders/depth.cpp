#include "viewer/scene/shaders/shaders.h"

namespace protobeam::viewer::shaders {

const char* const kDepthVertex = R"glsl(
void main() { gl_Position = ftransform(); }
)glsl";

const char* const kDepthFragment = R"glsl(
void main() {}
)glsl";

}  // namespace protobeam::viewer::shaders
