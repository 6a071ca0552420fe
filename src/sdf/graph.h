// Links and joints of a model and of the models in it.
#pragma once

#include <string>
#include <vector>

#include "sdf/context.h"
#include "sdf/world_joints.h"

namespace protobeam::sdf {

struct Body {
  const Element* link = nullptr;
  std::string name;  ///< that of a nested model's link has the models before it: "arm::hand"
  Pose X_ML;         ///< in the outermost model
  bool fixed = false;  ///< a nested model that it is in is static
};

struct Edge {
  const Element* joint = nullptr;
  std::string name;
  int parent = -1, child = -1;  ///< bodies; -1: the world
  Pose X_MJ;
  Vec3 axis = Vec3::UnitZ(), axis2 = Vec3::UnitZ();  ///< in the outermost model's axes
};

struct Graph {
  std::vector<Body> bodies;
  std::vector<Edge> edges;
  std::vector<const Element*> plugins;
  bool joined = false;  ///< bodies are in the world's frame, and called "model::link"
};

Graph graph_of(Context& context, const Element& model);
/// By the joints of the world, too.
Graph graph_of(Context& context, const JoinedModels& joined);

/// The bodies that hang together by joints, as trees.
struct Tree {
  struct Branch {
    int edge = -1;
    int parent = -1, child = -1;  ///< bodies; parent -1: the world
    bool inverted = false;        ///< the joint's child is the parent
  };
  int root = -1;  ///< -1: the world
  std::vector<int> bodies;
  std::vector<Branch> branches;  ///< parents before children
  std::vector<Branch> closing;   ///< joints between bodies that have their place already
};
std::vector<Tree> trees_of(const Graph& graph);

}  // namespace protobeam::sdf
