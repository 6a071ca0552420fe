// A line from each lidar to each return of its newest sweep.
#pragma once

#include <map>
#include <memory>
#include <osg/Geometry>
#include <osg/MatrixTransform>
#include <vector>

#include "sim/watch/world_frame.h"
#include "sim/watch/world_look.h"
#include "viewer/layers/shaders.h"

namespace protobeam::viewer {

/// Of a sweep with more returns, every n-th is drawn, with the smallest n that is enough: more
/// lines would cover everything, and cost more than the points.
inline constexpr std::size_t kMostBeams = 20000;

class Beams {
 public:
  Beams(std::shared_ptr<const WorldLook> look, const Shaders& shaders);
  ~Beams();
  osg::Node* root() { return root_; }
  void update(const std::vector<std::shared_ptr<const Sweep>>& sweeps);

 private:
  class Fan;

  std::shared_ptr<const WorldLook> look_;
  osg::ref_ptr<osg::Group> root_ = new osg::Group;
  std::map<int, std::unique_ptr<Fan>> fans_;  ///< by device
};

}  // namespace protobeam::viewer
