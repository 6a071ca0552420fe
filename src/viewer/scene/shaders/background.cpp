#include "viewer/scene/programs.h"

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
  vec3 direction_U = upright_from_eye * normalize(v_direction);
#ifdef SKY_CUBE
  // A picture is shown as it is.
  vec3 color = encoded(texture(sky_cube, along_cube(direction_U)).rgb);
#else
  vec3 color = encoded(min(sky_gradient(direction_U), 1.0));
#endif
#ifdef HAS_FOG
  // Fog hides the horizon and what is below.
  color = mix(color, fog.rgb, 1.0 - smoothstep(0.0, 0.35, direction_U.z));
#endif
  gl_FragColor = vec4(color, 1.0);
}
)glsl";

const char* const kGroundVertex = R"glsl(
out vec3 v_position;
out vec2 v_place;  // from the point below the camera

void main() {
  v_position = (gl_ModelViewMatrix * gl_Vertex).xyz;
  v_place = gl_Vertex.xy;
  gl_Position = ftransform();
}
)glsl";

const char* const kGroundFragment = R"glsl(
in vec3 v_position;
in vec2 v_place;

uniform vec2 grid_origin;  // of v_place, modulo 10 m
uniform vec3 up;

// The share of a pixel that lines of this width and spacing cover: sharp when near, an even tint
// when far.
vec2 covered(vec2 place, vec2 footprint, float spacing, float width) {
  vec2 off = abs(place - spacing * round(place / spacing));
  vec2 inside = clamp((width / 2.0 + footprint / 2.0 - off) / footprint, 0.0, 1.0);
  vec2 sharp = inside * min(vec2(1.0), width / footprint);
  vec2 far = clamp(2.0 * footprint / spacing - 0.5, 0.0, 1.0);
  return mix(sharp, vec2(width / spacing), far);
}

void main() {
  vec2 place = grid_origin + v_place;
  vec2 footprint = max(fwidth(v_place), 1e-5);
  vec2 fine = covered(place, footprint, 1.0, 0.02), coarse = covered(place, footprint, 10.0, 0.05);
  vec3 albedo = mix(vec3(0.18, 0.188, 0.19), vec3(0.105, 0.112, 0.116), max(fine.x, fine.y));
  albedo = mix(albedo, vec3(0.055, 0.06, 0.063), max(coarse.x, coarse.y));
  vec3 light = shaded(Surface(albedo, vec3(0.0), 1.0, 0.0), v_position, up);
  // It has no end: haze hides it before the horizon.
  gl_FragColor = vec4(to_screen(light, length(v_position), 0.35 * haze_distance), 1.0);
}
)glsl";

}  // namespace protobeam::viewer::shaders
