#include "viewer/layers/shaders.h"

#include <osg/BlendFunc>
#include <osg/Depth>
#include <osg/LineWidth>
#include <osg/Point>
#include <string>

#include "viewer/layers/color_scale.h"

namespace protobeam::viewer {
namespace {

constexpr float kDotSize = 5;  // pixels
constexpr float kHiddenOpacity = 0.4f;

// Depth as if the vertex were nearer to the camera by a fraction of its distance, at the same place
// of the picture. glPolygonOffset does nothing for points and lines, and a constant offset of the
// depth would be metres far away and nothing close by.
constexpr char kNearer[] = R"(#version 130
vec4 nearer(vec3 p, float fraction) {
  vec4 clip = gl_ModelViewProjectionMatrix * vec4(p, 1.0);
  // Of a perspective: z = a z_eye + b and w = -z_eye, so that z / w of the nearer place has another
  // b only.
  clip.z += gl_ProjectionMatrix[3][2] * (fraction / (1.0 - fraction));
  return clip;
}
)";

constexpr char kFragment[] = R"(#version 130
flat in vec4 color;
void main() { gl_FragColor = color; }
)";

osg::ref_ptr<osg::Program> program(const std::string& name, const std::string& vertex) {
  osg::ref_ptr<osg::Program> made = new osg::Program;
  made->setName(name);
  made->addShader(new osg::Shader(osg::Shader::VERTEX, vertex));
  made->addShader(new osg::Shader(osg::Shader::FRAGMENT, kFragment));
  return made;
}

void set_common(osg::StateSet& state, osg::Program* program, LayerBin bin) {
  state.setAttributeAndModes(program);
  state.setMode(GL_LIGHTING, osg::StateAttribute::OFF);
  state.setRenderBinDetails(bin, "RenderBin");
}

}  // namespace

Shaders::Shaders()
    : clouds_(program("cloud", kNearer + point_color_glsl() + R"(
in vec4 marks;
uniform vec3 position_weights;
uniform vec4 mark_weights;
uniform float color_offset;
uniform float opacity;
flat out vec4 color;
void main() {
  float t = dot(gl_Vertex.xyz, position_weights) + dot(marks, mark_weights) + color_offset;
  color = vec4(point_color(t), opacity);
  gl_Position = nearer(gl_Vertex.xyz, 0.003);
}
)")),
      lines_(program("lines", std::string(kNearer) + R"(
uniform float opacity;
flat out vec4 color;
void main() {
  color = vec4(gl_Color.rgb, gl_Color.a * opacity);
  gl_Position = nearer(gl_Vertex.xyz, 0.005);
}
)")) {
  clouds_->addBindAttribLocation("marks", kMarksAttribute);
}

osg::ref_ptr<osg::StateSet> Shaders::clouds(bool newest) const {
  osg::ref_ptr<osg::StateSet> state = new osg::StateSet;
  set_common(*state, clouds_, newest ? kNewestSweepBin : kPastSweepBin);
  if (!newest) {
    state->setAttributeAndModes(new osg::BlendFunc);
    state->setAttributeAndModes(new osg::Depth(osg::Depth::LESS, 0, 1, false));
  }
  return state;
}

osg::ref_ptr<osg::StateSet> Shaders::line_pass(LayerBin bin, float width) const {
  const bool hidden = bin == kHiddenLineBin;
  osg::ref_ptr<osg::StateSet> state = new osg::StateSet;
  set_common(*state, lines_, bin);
  state->setAttributeAndModes(new osg::LineWidth(width));
  state->setAttributeAndModes(new osg::Point(kDotSize));  // and GL_POINT_SMOOTH: they are round
  state->setAttributeAndModes(new osg::BlendFunc);
  state->setAttributeAndModes(
      new osg::Depth(hidden ? osg::Depth::GREATER : osg::Depth::LEQUAL, 0, 1, false));
  state->addUniform(new osg::Uniform("opacity", hidden ? kHiddenOpacity : 1.0f));
  return state;
}

osg::ref_ptr<osg::StateSet> Shaders::beams() const { return line_pass(kBeamBin, 1); }

osg::ref_ptr<osg::Group> Shaders::seen_through(osg::Node* content, float width) const {
  osg::ref_ptr<osg::Group> both = new osg::Group;
  for (const LayerBin bin : {kHiddenLineBin, kLineBin}) {
    osg::ref_ptr<osg::Group> pass = new osg::Group;
    pass->setStateSet(line_pass(bin, width));
    pass->addChild(content);
    both->addChild(pass);
  }
  return both;
}

}  // namespace protobeam::viewer
