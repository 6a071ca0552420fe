#include "viewer/scene/programs.h"

#include "viewer/scene/drawables.h"

namespace protobeam::viewer {
namespace {

std::string defines(const ShaderOptions& options) {
  std::string text;
  const auto define = [&text](const std::string& line) { text += "#define " + line + "\n"; };
  define("LIGHTS " + std::to_string(options.lights));
  define("EXPOSURE " + std::to_string(kExposure));
  if (options.soft_shadows) define("SOFT_SHADOWS");
  if (options.sky_taps > 0) define("SKY_TAPS " + std::to_string(options.sky_taps));
  if (options.has_sun) define("HAS_SUN");
  if (options.sky_cube) define("SKY_CUBE");
  if (options.fog.visibility_range > 0) {
    define("HAS_FOG");
    define(options.fog.kind == Fog::Kind::kLinear        ? "FOG_LINEAR"
           : options.fog.kind == Fog::Kind::kExponential ? "FOG_EXPONENTIAL"
                                                         : "FOG_EXPONENTIAL2");
  }
  return text;
}

osg::ref_ptr<osg::Program> program(const std::string& vertex, const std::string& fragment) {
  const std::string version = "#version 130\n";
  osg::ref_ptr<osg::Program> result = new osg::Program;
  result->addShader(new osg::Shader(osg::Shader::VERTEX, version + vertex));
  result->addShader(new osg::Shader(osg::Shader::FRAGMENT, version + fragment));
  return result;
}

}  // namespace

osg::ref_ptr<osg::Program> surface_program(const ShaderOptions& options, bool textured) {
  const std::string variant = textured ? "#define TEXTURED\n" : "";
  const auto result =
      program(shaders::kSurfaceVertex,
              defines(options) + variant + shaders::kLighting + shaders::kSurfaceFragment);
  result->addBindAttribLocation("emissive", kEmissiveAttribute);
  result->addBindAttribLocation("surface", kSurfaceAttribute);
  return result;
}

osg::ref_ptr<osg::Program> ground_program(const ShaderOptions& options) {
  return program(shaders::kGroundVertex,
                 defines(options) + shaders::kLighting + shaders::kGroundFragment);
}

osg::ref_ptr<osg::Program> sky_program(const ShaderOptions& options) {
  return program(shaders::kSkyVertex,
                 defines(options) + shaders::kLighting + shaders::kSkyFragment);
}

osg::ref_ptr<osg::Program> depth_program() {
  return program(shaders::kDepthVertex, shaders::kDepthFragment);
}

}  // namespace protobeam::viewer
