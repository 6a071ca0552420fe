// The points of each lidar's newest sweep, and of some before.
//
// Measured with llvmpipe on 2 idle cores, 300,000 points at 1280 x 720, all in view, written anew
// for every second picture, in milliseconds a picture at 1 / 2 / 4 pixels a point: this program 21
// / 22 / 26, OpenGL's fixed functions with a colour a vertex 21 / 22 / 28. The time goes into the
// setup of each point: short attributes, no second attribute, GL_STREAM_DRAW, vertices in client
// memory and a point size from the shader changed nothing beyond the noise of 2 ms, and filling the
// buffers takes 1 ms. So the layout is the plain one that computes the colour in the shader.
#pragma once

#include <cstddef>
#include <deque>
#include <map>
#include <memory>
#include <osg/Geometry>
#include <osg/MatrixTransform>
#include <osg/Point>
#include <vector>

#include "sim/watch/world_frame.h"
#include "sim/watch/world_look.h"
#include "viewer/layers/colour_scale.h"
#include "viewer/layers/shaders.h"

namespace protobeam::viewer {

using Sweeps = std::vector<std::shared_ptr<const Sweep>>;

class Clouds {
 public:
  Clouds(std::shared_ptr<const WorldLook> look, const Shaders& shaders);
  ~Clouds();
  osg::Node* root() { return root_; }
  void set(CloudColour colour, double point_size, int past_sweeps);
  void update(const Sweeps& sweeps);
  void clear();  ///< forgets the sweeps, not the scale of the colours
  Legend legend() const;
  std::size_t points() const;

 private:
  /// One sweep's buffers. They are used again for a later sweep.
  class Cloud;
  using History = std::deque<std::unique_ptr<Cloud>>;  ///< of one lidar, newest first

  void add(History& history, const std::shared_ptr<const Sweep>& sweep);
  void drop_old(History& history);
  void fade(History& history);
  void include(const Sweep& sweep);
  void recolour();

  std::shared_ptr<const WorldLook> look_;
  osg::ref_ptr<osg::Group> root_ = new osg::Group, newest_ = new osg::Group, past_ = new osg::Group;
  osg::ref_ptr<osg::Point> point_ = new osg::Point;
  std::map<int, History> histories_;  ///< by device
  ColourScale scale_;
  std::size_t past_sweeps_ = 0;
};

}  // namespace protobeam::viewer
