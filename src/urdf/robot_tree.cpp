#include "urdf/robot_tree.h"

#include <algorithm>

#include "urdf/batteries.h"
#include "urdf/joint_topics.h"
#include "urdf/ros2_control.h"
#include "urdf/shapes.h"
#include "urdf/tracks.h"

namespace protobeam::urdf {

RobotTree::RobotTree(Import& import)
    : import_(import),
      masses_(masses_of(import)),
      drives_(import),
      frictions_(import, drives_),
      control_(import, drives_),
      forces_(import, control_),
      sensors_(import) {}

wbt::NodePtr RobotTree::run(NodeMaker robot) {
  contents(robot, import_.robot.root);
  return robot.take();
}

wbt::NodePtr RobotTree::solid(int index) {
  const Link& link = import_.link(index);
  NodeMaker made("Solid", at(*link.element));
  made.pose(start_pose(import_.robot, *import_.robot.parent_joint(index))).text("name", link.name);
  contents(made, index);
  return made.take();
}

void RobotTree::contents(NodeMaker& made, int index) {
  const Link& link = import_.link(index);
  std::vector<wbt::NodePtr> children = visual_nodes(import_, link);
  for (wbt::NodePtr& node : sensors_.of(import_, link)) children.push_back(std::move(node));
  children.insert(children.end(), link.more.begin(), link.more.end());
  for (wbt::NodePtr& node : forces_.of(index)) children.push_back(std::move(node));
  if (index == import_.robot.root) {
    for (wbt::NodePtr& node : drives_.nodes()) children.push_back(std::move(node));
    for (wbt::NodePtr& node : joint_topics(import_, control_, drives_))
      children.push_back(std::move(node));
    for (wbt::NodePtr& node : track_topics(import_, drives_)) children.push_back(std::move(node));
    for (wbt::NodePtr& node : forces_.topics()) children.push_back(std::move(node));
    for (wbt::NodePtr& node : battery_nodes(import_)) children.push_back(std::move(node));
    for (wbt::NodePtr& node : hardware_nodes(import_, sensors_, drives_.broadcasters()))
      children.push_back(std::move(node));
    drop_repeated_controllers(children);
  }
  for (const int joint : link.joints) {
    children.push_back(
        joint_node(import_, control_, import_.joint(joint), solid(import_.joint(joint).child)));
  }
  for (const int joint : link.closing) {
    const Joint& closing = import_.joint(joint);
    children.push_back(joint_node(import_, control_, closing,
                                  NodeMaker("SolidReference", at(*closing.element))
                                      .text("solidName", import_.link(closing.child).name)
                                      .take()));
  }
  const std::vector<Surface> surfaces = surfaces_of(index);
  for (std::size_t i = 1; i < surfaces.size(); ++i) {
    NodeMaker part("Solid", at(*surfaces[i].shapes.front()->element));
    part.text("name", part_name(link, surfaces[i]));
    collide(part, link, surfaces[i]);
    children.push_back(part.take());
  }
  const Surface own = surfaces.empty() ? Surface() : surfaces.front();
  if (link.track) {
    children.push_back(
        track_node(import_, link, bounding_object(import_, link, own.shapes), own.material));
  }
  made.nodes("children", std::move(children));
  if (!link.track) collide(made, link, own);
  made.node("physics", physics(index));
}

std::vector<RobotTree::Surface> RobotTree::surfaces_of(int index) {
  const Link& link = import_.link(index);
  // What is weighed by its shapes needs all of them in one Solid.
  const auto& mass = masses_.of_link[static_cast<std::size_t>(index)];
  const bool whole = link.track || (mass && !mass->inertia);
  std::vector<Surface> out;
  for (const Shape& shape : link.collisions) {
    const std::string material = frictions_.material_of(link, shape);
    auto same = std::ranges::find(out, material, &Surface::material);
    if (same == out.end() && whole && !out.empty()) {
      import_.ignored.add("another <surface> than that of the first <collision> of a <link>",
                          shape.element->place);
      same = out.begin();
    }
    if (same == out.end()) same = out.insert(out.end(), {material, {}});
    same->shapes.push_back(&shape);
  }
  return out;
}

std::string RobotTree::part_name(const Link& link, const Surface& surface) {
  const Text* name = surface.shapes.front()->element->attribute("name");
  return link.name + "::" + (name ? name->value : surface.material);
}

void RobotTree::collide(NodeMaker& made, const Link& link, const Surface& surface) {
  if (!surface.material.empty()) made.text("contactMaterial", surface.material);
  made.node("boundingObject", bounding_object(import_, link, surface.shapes));
  if (link.fluid.empty()) return;
  made.nodes(
      "immersionProperties",
      {NodeMaker("ImmersionProperties", at(*link.element)).text("fluidName", link.fluid).take()});
}

wbt::NodePtr RobotTree::physics(int index) {
  const auto& mass = masses_.of_link[static_cast<std::size_t>(index)];
  if (!mass) return nullptr;
  const Link& link = import_.link(index);
  const Element* inertial = link.element->child("inertial");
  NodeMaker made("Physics", at(inertial ? *inertial : *link.element));
  made.number("density", -1)
      .number("mass", mass->mass)
      .points("centerOfMass", std::vector{mass->com});
  if (mass->inertia) {
    const Mat3& I = *mass->inertia;
    made.points("inertiaMatrix",
                std::vector{Vec3(I(0, 0), I(1, 1), I(2, 2)), Vec3(I(0, 1), I(0, 2), I(1, 2))});
  }
  if (!has_gravity(import_.robot, link)) made.flag("gravity", false);
  if (link.linear_damping > 0 || link.angular_damping > 0) {
    made.node("damping", NodeMaker("Damping", at(*link.element))
                             .number("linear", link.linear_damping)
                             .number("angular", link.angular_damping)
                             .take());
  }
  return made.take();
}

}  // namespace protobeam::urdf
