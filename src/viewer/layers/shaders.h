// How layers are drawn: unlit, and slightly nearer to the camera than they are, to avoid z-fighting
// with the surfaces that they lie on.
#pragma once

#include <osg/Group>
#include <osg/Program>
#include <osg/StateSet>

namespace protobeam::viewer {

/// Where the layers come among what is drawn: opaque things are in OSG's bin 0, transparent ones
/// in bin 10.
enum LayerBin {
  kNewestSweepBin = 1,
  kPastSweepBin = 11,
  kBeamBin = 12,
  kHiddenLineBin = 13,
  kLineBin = 14
};

/// The vertex attribute that holds (range, ring, intensity, return number) of a cloud's points.
inline constexpr unsigned kMarksAttribute = 6;

/// The programs of one set of layers. Not shared between sets: OSG drops a graphics context's
/// copy of a program only together with the nodes that use it.
class Shaders {
 public:
  Shaders();

  /// Colours points by the uniforms `position_weights` (vec3), `mark_weights` (vec4) and
  /// `color_offset` (float), see ColourWeights, with the given `opacity` (float).
  osg::ref_ptr<osg::StateSet> clouds(bool newest) const;
  /// Lines in their own colours, below all other lines.
  osg::ref_ptr<osg::StateSet> beams() const;
  /// Draws the lines and points of `content` in their own colours: as they are where nothing is
  /// before them, faint where something is. Lines test depth but do not write it.
  osg::ref_ptr<osg::Group> seen_through(osg::Node* content, float width) const;

 private:
  osg::ref_ptr<osg::StateSet> line_pass(LayerBin bin, float width) const;

  osg::ref_ptr<osg::Program> clouds_, lines_;
};

}  // namespace protobeam::viewer
