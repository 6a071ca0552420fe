#include "viewer/scene/shaders/shaders.h"

namespace protobeam::viewer::shaders {

// Covers the view at the far end of the depths.
const char* const kSkyVertex = R"glsl(
out vec3 v_direction;

void main() {
  gl_Position = vec4(gl_Vertex.xy, 1.0, 1.0);
  // The ray through this place of the picture; all are parallel in a parallel projection.
  mat4 p = gl_ProjectionMatrix;
  bool perspective = p[3][3] == 0.0;
  v_direction = perspective ? vec3((gl_Vertex.x + p[2][0]) / p[0][0],
                                   (gl_Vertex.y + p[2][1]) / p[1][1], -1.0)
                            : vec3(0.0, 0.0, -1.0);
}
)glsl";

const char* const kSkyFragment = R"glsl(
in vec3 v_direction;

void main() {
  vec3 direction_W = world_from_eye * normalize(v_direction);
#ifdef SKY_CUBE
  // A picture is shown as it is.
  vec3 color = encoded(texture(sky_cube, along_cube(direction_W)).rgb);
#else
  vec3 color = encoded(min(sky_gradient(direction_W), 1.0));
#endif
#ifdef HAS_FOG
  // Fog lies low: it hides the horizon and what is below.
  color = mix(color, fog.rgb, 1.0 - smoothstep(0.0, 0.35, direction_W.z));
#endif
  gl_FragColor = vec4(color, 1.0);
}
)glsl";

}  // namespace protobeam::viewer::shaders
