#include "viewer/scene/programs.h"

namespace protobeam::viewer::shaders {

const char* const kSurfaceVertex = R"glsl(
in vec3 emissive;
in vec2 surface;  // roughness, metalness

out vec3 v_position, v_normal, v_emissive;
out vec4 v_color;
out vec2 v_surface, v_uv;

void main() {
  v_position = (gl_ModelViewMatrix * gl_Vertex).xyz;
  v_normal = gl_NormalMatrix * gl_Normal;
  v_color = gl_Color;
  v_emissive = emissive;
  v_surface = surface;
  v_uv = gl_MultiTexCoord0.xy;
  gl_Position = ftransform();
}
)glsl";

const char* const kSurfaceFragment = R"glsl(
in vec3 v_position, v_normal, v_emissive;
in vec4 v_color;
in vec2 v_surface, v_uv;

uniform sampler2D base_color;
uniform vec4 tint;  // of a highlighted solid

void main() {
  vec4 color = v_color;
#ifdef TEXTURED
  color *= texture(base_color, v_uv);  // from sRGB by its format
  if (color.a < 0.01) discard;
#endif
  vec3 normal = normalize(v_normal);
  normal *= gl_FrontFacing ? 1.0 : -1.0;
  Surface surface = Surface(color.rgb, v_emissive, v_surface.x, v_surface.y);
  vec3 light = shaded(surface, v_position, normal);

  float distance = length(v_position);
  float facing = clamp(-dot(normal, v_position) / distance, 0.0, 1.0);
  float rim = (1.0 - facing) * (1.0 - facing);
  light = mix(light, tint.rgb, tint.a * (0.3 + 0.6 * rim));

  // Glass mirrors more than it lets through when it is seen at an angle.
  float x2 = (1.0 - facing) * (1.0 - facing);
  float opacity = 1.0 - (1.0 - color.a) * (1.0 - 0.96 * x2 * x2 * (1.0 - facing));
  gl_FragColor = vec4(to_screen(light, distance, haze_distance), opacity);
}
)glsl";

const char* const kDepthVertex = R"glsl(
void main() { gl_Position = ftransform(); }
)glsl";

const char* const kDepthFragment = R"glsl(
void main() {}
)glsl";

}  // namespace protobeam::viewer::shaders
