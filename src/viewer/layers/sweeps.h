// The sweeps of lidars: points of the newest sweep and of some before, and a line from the sensor
// to each return of the newest one.
//
// Measured with llvmpipe on 2 idle cores, 300,000 points at 1280 x 720, all in view, rewritten
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

#include "sim/scene/scene_description.h"
#include "sim/scene/scene_state.h"
#include "viewer/layers/color_scale.h"
#include "viewer/layers/shaders.h"

namespace protobeam::viewer {

using Sweeps = std::vector<std::shared_ptr<const Sweep>>;

class Clouds {
 public:
  Clouds(std::shared_ptr<const SceneDescription> description, const Shaders& shaders);
  ~Clouds();
  osg::Node* root() { return root_; }
  void set(CloudColor color, double point_size, int past_sweeps);
  void update(const Sweeps& sweeps);
  void clear();  ///< drops the sweeps, not the scale of the colours
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
  void recolor();

  std::shared_ptr<const SceneDescription> description_;
  osg::ref_ptr<osg::Group> root_ = new osg::Group, newest_ = new osg::Group, past_ = new osg::Group;
  osg::ref_ptr<osg::Point> point_ = new osg::Point;
  std::map<int, History> histories_;  ///< by device
  ColorScale scale_;
  std::size_t past_sweeps_ = 0;
};

/// Of a sweep with more returns, every n-th is drawn, with the smallest n that is enough: more
/// lines would cover everything, and cost more than the points.
inline constexpr std::size_t kMostBeams = 20000;

class Beams {
 public:
  Beams(std::shared_ptr<const SceneDescription> description, const Shaders& shaders);
  ~Beams();
  osg::Node* root() { return root_; }
  void update(const std::vector<std::shared_ptr<const Sweep>>& sweeps);

 private:
  class Fan;

  std::shared_ptr<const SceneDescription> description_;
  osg::ref_ptr<osg::Group> root_ = new osg::Group;
  std::map<int, std::unique_ptr<Fan>> fans_;  ///< by device
};

}  // namespace protobeam::viewer
