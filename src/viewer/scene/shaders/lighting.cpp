#include "viewer/scene/programs.h"

namespace protobeam::viewer::shaders {

// Light without units: a white surface that faces light of 1 sends 1 back. Branches are few:
// without a GPU all lanes run both sides.
const char* const kLighting = R"glsl(
uniform mat3 upright_from_eye;               // U: the axes of the world, but z up
uniform vec3 to_sun, to_sun_U, sun;
uniform vec3 ambient_up, ambient_down;       // on surfaces that face up, down
uniform vec3 sky_zenith, sky_horizon, sky_below, sky_glow;
uniform float haze_distance;
uniform vec4 fog;                            // sRGB and visibility range

#if LIGHTS > 0
const int light_vectors = 5;                 // as light_set.cpp packs them
uniform vec4 lights[light_vectors * LIGHTS];
#endif

uniform sampler2DShadow sun_map;
uniform mat4 sun_map_from_eye;
uniform vec3 sun_map_scale;                  // texel in metres; texture widths of a metre
uniform sampler2DShadow sky_map;
uniform mat4 sky_map_from_eye;
uniform vec4 sky_map_scale;                  // texel in metres; texture widths, depth of a metre
uniform float pass_seed;                     // differs between the drawings of one picture

#ifdef SKY_CUBE
uniform samplerCube sky_cube;
uniform float sky_cube_light;
#endif

struct Surface {
  vec3 albedo;
  vec3 emissive;
  float roughness, metalness;
};

const float pi = 3.14159265;

// The six pictures are seen with front along -x, right along +y and z up.
vec3 along_cube(vec3 direction_U) {
  return vec3(direction_U.y, direction_U.z, -direction_U.x);
}

float power24(float x) {
  float x2 = x * x, x4 = x2 * x2, x8 = x4 * x4;
  return x8 * x8 * x8;
}

vec3 sky_gradient(vec3 direction_U) {
  float level = 1.0 - max(direction_U.z, 0.0);
  float below = clamp(-2.0 * direction_U.z, 0.0, 1.0);
  vec3 color = mix(sky_zenith, sky_horizon, level * level * level);
  color = mix(color, sky_below, below * (2.0 - below));
  float near_sun = max(dot(direction_U, to_sun_U), 0.0);
  return color + sky_glow * (power24(near_sun) * (1.0 - below));
}

// What a surface mirrors; the rougher, the more blurred.
vec3 mirrored_sky(vec3 direction_U, float roughness) {
#ifdef SKY_CUBE
  return textureLod(sky_cube, along_cube(direction_U), 1.0 + 6.0 * roughness).rgb * sky_cube_light;
#else
  return sky_gradient(direction_U);
#endif
}

// Noise that looks even at any place (J. Jimenez, "Next Generation Post Processing in Call of Duty:
// Advanced Warfare", SIGGRAPH 2014).
float even_noise(vec2 pixel) {
  return fract(52.9829189 * fract(dot(pixel, vec2(0.06711056, 0.00583715))) + pass_seed);
}

// The share of the sun that gets to a place.
float sunlight(vec3 position, vec3 normal, float facing) {
  // Off the surface, so that it does not shade itself.
  vec3 off = position + normal * (sun_map_scale.x * (1.0 + 1.5 * (1.0 - facing)));
  vec3 place = (sun_map_from_eye * vec4(off, 1.0)).xyz;
#ifdef SOFT_SHADOWS
  const int taps = 12;
  float angle = 2.0 * pi * even_noise(gl_FragCoord.xy), sum = 0.0;
  vec2 radius = sun_map_scale.yz * max(1.8 * sun_map_scale.x, 0.03);
  for (int i = 0; i < taps; ++i) {  // a disc by the golden angle (H. Vogel, 1979)
    float away = sqrt((float(i) + 0.5) / float(taps)), turn = angle + 2.39996323 * float(i);
    vec2 tap = place.xy + radius * (away * vec2(cos(turn), sin(turn)));
    sum += texture(sun_map, vec3(tap, place.z));
  }
  return sum / float(taps);
#else
  return texture(sun_map, place);
#endif
}

// The share of the sky that a point sees: the map of the sky holds the height of the world around it.
float skylight(vec3 position, vec3 normal) {
#ifdef SKY_TAPS
  vec3 off = position + normal * (0.03 + 1.5 * sky_map_scale.x);
  vec3 place = (sky_map_from_eye * vec4(off, 1.0)).xyz;
  vec3 normal_U = upright_from_eye * normal;
  float angle = 2.0 * pi * even_noise(gl_FragCoord.xy), sum = 0.0, all = 0.0;
  for (int i = 0; i < SKY_TAPS; ++i) {
    // Azimuths by the golden angle; distances grow from 0.1 m to 4 m; elevations in three steps.
    float turn = angle + 2.39996323 * float(i);
    float distance = 0.1 * exp2((float(i) + 0.5) * (5.3 / float(SKY_TAPS)));
    float slope = 0.35 + 0.55 * float(i % 3);
    vec2 side = vec2(cos(turn), sin(turn));
    float weight = max(dot(normal_U, vec3(side, slope)) * inversesqrt(1.0 + slope * slope), 0.0) + 0.05;
    vec3 tap = vec3(place.xy + sky_map_scale.yz * (distance * side),
                    place.z - sky_map_scale.w * (distance * slope));
    sum += weight * texture(sky_map, tap);
    all += weight;
  }
  return sum / all;
#else
  return 1.0;
#endif
}

// What light from one direction does to a surface: the microfacet distribution of B. Walter et al.,
// "Microfacet Models for Refraction through Rough Surfaces", EGSR 2007; Fresnel's factor by
// C. Schlick, "An Inexpensive BRDF Model for Physically-based Rendering", Eurographics 1994; the
// shadowing by B. Karis, "Real Shading in Unreal Engine 4", SIGGRAPH 2013 course.
struct Reflector {
  vec3 normal, to_eye, diffuse, f0;
  float alpha, k, facing_eye;
};

vec3 reflected(Reflector r, vec3 to_light) {
  float facing = clamp(dot(r.normal, to_light), 0.0, 1.0);
  vec3 half_way = normalize(to_light + r.to_eye);
  float n_h = clamp(dot(r.normal, half_way), 0.0, 1.0);
  float v_h = clamp(dot(r.to_eye, half_way), 0.0, 1.0);
  float a2 = r.alpha * r.alpha, d = n_h * n_h * (a2 - 1.0) + 1.0;
  float visible = 4.0 * (facing * (1.0 - r.k) + r.k) * (r.facing_eye * (1.0 - r.k) + r.k);
  float x = 1.0 - v_h, x2 = x * x;
  vec3 fresnel = r.f0 + (1.0 - r.f0) * (x2 * x2 * x);
  vec3 specular = fresnel * min(a2 / (d * d * visible), 16.0);
  return (r.diffuse + specular) * facing;
}

vec3 lamplight(Reflector r, vec3 position) {
  vec3 sum = vec3(0.0);
#if LIGHTS > 0
  for (int i = 0; i < LIGHTS; ++i) {
    vec4 place = lights[light_vectors * i], axis = lights[light_vectors * i + 1];
    vec4 color = lights[light_vectors * i + 2], falloff = lights[light_vectors * i + 3];
    vec3 way = place.xyz - position * place.w;
    float distance = length(way);
    vec3 to_light = way / max(distance, 1e-6);
    float angle = acos(clamp(dot(-to_light, axis.xyz), -1.0, 1.0));
    float share = clamp(falloff.w - angle * axis.w, 0.0, 1.0) * step(distance, color.w) /
                  max(falloff.x + distance * (falloff.y + distance * falloff.z), 1e-6);
    sum += share * (reflected(r, to_light) * color.rgb + r.diffuse * lights[light_vectors * i + 4].rgb);
  }
#endif
  return sum;
}

// Light that leaves a surface towards the camera.
vec3 shaded(Surface surface, vec3 position, vec3 normal) {
  Reflector r;
  r.normal = normal;
  r.to_eye = normalize(-position);
  r.facing_eye = clamp(dot(normal, r.to_eye), 0.0, 1.0);
  r.diffuse = surface.albedo * (1.0 - surface.metalness);
  r.f0 = mix(vec3(0.04), surface.albedo, surface.metalness);
  r.alpha = max(surface.roughness * surface.roughness, 0.01);
  r.k = (surface.roughness + 1.0) * (surface.roughness + 1.0) / 8.0;

  vec3 color = surface.emissive;
  float facing_sun = dot(normal, to_sun);
#ifdef HAS_SUN
  float sun_share = sunlight(position, normal, max(facing_sun, 0.0));
  color += reflected(r, to_sun) * sun * sun_share;
#endif
  color += lamplight(r, position);

  float sky_share = skylight(position, normal);
  vec3 normal_U = upright_from_eye * normal;
  vec3 ambient = mix(ambient_down, ambient_up * sky_share, 0.5 + 0.5 * normal_U.z);
  color += r.diffuse * ambient;

  // The environment as a mirror image, by the fit of B. Karis, "Physically Based Shading on Mobile"
  // (2014), blurred into the ambient light as the surface gets rough.
  vec3 mirrored_U = upright_from_eye * reflect(-r.to_eye, normal);
  float gloss = (1.0 - surface.roughness) * (1.0 - surface.roughness);
  vec3 around = mix(ambient, mirrored_sky(mirrored_U, surface.roughness) * sky_share, gloss);
  vec4 fit = surface.roughness * vec4(-1.0, -0.0275, -0.572, 0.022) + vec4(1.0, 0.0425, 1.04, -0.04);
  float edge = min(fit.x * fit.x, exp2(-9.28 * r.facing_eye)) * fit.x + fit.y;
  color += around * (r.f0 * (fit.z - 1.04 * edge) + (fit.w + 1.04 * edge));
  return color;
}

// The filmic curve of K. Narkowicz, "ACES Filmic Tone Mapping Curve", 2015 (CC0).
vec3 tone_mapped(vec3 light) {
  vec3 x = EXPOSURE * max(light, 0.0);
  return clamp(x * (2.51 * x + 0.03) / (x * (2.43 * x + 0.59) + 0.14), 0.0, 1.0);
}

// IEC 61966-2-1 to less than a step of 8 bits, by square roots only.
vec3 encoded(vec3 x) {
  vec3 s1 = sqrt(x), s2 = sqrt(s1), s3 = sqrt(s2);
  vec3 curve = 0.662002687 * s1 + 0.684122060 * s2 - 0.323583601 * s3 - 0.0225411470 * x;
  return clamp(mix(12.92 * x, curve, step(0.0031308, x)), 0.0, 1.0);
}

// The part of a thing's colour that fog leaves. Linear fog ends at the visibility range; the
// exponential ones leave 1/e there (Webots Reference Manual, Fog).
float through_fog(float distance) {
#if defined(FOG_LINEAR)
  return clamp(1.0 - distance / fog.w, 0.0, 1.0);
#elif defined(FOG_EXPONENTIAL)
  return exp(-distance / fog.w);
#elif defined(FOG_EXPONENTIAL2)
  return exp(-(distance * distance) / (fog.w * fog.w));
#else
  return 1.0;
#endif
}

vec3 to_screen(vec3 light, float distance, float haze) {
  vec3 seen = mix(sky_horizon, tone_mapped(light), exp(-distance / haze));
  return mix(fog.rgb, encoded(seen), through_fog(distance));
}
)glsl";

}  // namespace protobeam::viewer::shaders
