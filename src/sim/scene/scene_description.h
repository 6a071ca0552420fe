// A world as viewers know it: the constant part, made once when the world was loaded.
//
// A viewer never touches the simulation. It gets a SceneDescription after loading and SceneStates
// (scene_state.h) while the world runs; both are values that nobody changes afterwards.
#pragma once

#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include "sim/model.h"

namespace protobeam {

struct SceneDescription {
  /// One visible shape in its group's frame G.
  struct Shape {
    std::shared_ptr<const Geometry> geometry;
    std::shared_ptr<const Material> material;
    Pose X_GS;
    int solid = -1;  ///< the Solid that it belongs to; -1: none
    bool emits = false;  ///< an Emitter colours it
  };
  /// Shapes that move together; the ray scene's instance of them has exactly these.
  struct Group {
    std::vector<Shape> shapes;
    bool moves = false;
  };
  /// A shape of a boundingObject.
  struct Collision {
    std::shared_ptr<const Geometry> geometry;
    Pose X_BS;
    physics::BodyId body = physics::kWorldBody;
    int solid = -1;
  };
  struct Solid {
    std::string name, type, proto;
    Place place;  ///< in the world's own text
    int parent = -1, robot = -1;
    physics::BodyId body = physics::kWorldBody;
    double body_mass = 0;  ///< kg, of the whole body that it is part of; 0: nothing moves it
  };
  struct Joint {
    std::string name;
    physics::JointKind kind = physics::JointKind::kFixed;
    physics::BodyId parent = physics::kWorldBody;
    Vec3 anchor_P = Vec3::Zero();  ///< in the parent's frame
    std::vector<Vec3> axes_P;      ///< unit, at position 0
  };
  /// A device with a pose; what it covers, if it is a lidar or a camera. x forward, z up.
  struct Device {
    std::string robot, name, type, proto;
    int solid = -1;                       ///< its pose is that Solid's
    int layers = 0, columns = 0;          ///< lidars
    double min_range = 0, max_range = 0;  ///< m; 0: unknown
    double fov = 0, vertical_fov = 0;     ///< rad; 0: it has none
    bool has_picture = false;             ///< SceneState::pictures may have one of it
  };

  /// A device that colours what is in it; its colours are in SceneState::emissions.
  struct Emitter {
    struct Shape {
      std::size_t group, index;
    };
    std::vector<Shape> shapes;
    std::vector<std::size_t> lights;
  };

  int load = 0;  ///< counts the loads of one session: 1, 2, ...
  std::filesystem::path file;
  std::string title;
  std::vector<Group> groups;
  std::vector<Collision> collisions;
  std::vector<Solid> solids;
  std::vector<Joint> joints;
  std::vector<Device> devices;
  std::vector<LineSet> lines;
  std::vector<std::string> robots;
  /// Pages of robot windows, where they may be shown.
  struct Window {
    std::string robot;
    std::filesystem::path page;
  };
  std::vector<Window> windows;
  std::vector<int> robot_solids;  ///< the Solid of each robot
  std::vector<Light> lights;
  std::vector<Emitter> emitters;
  Background background;
  Fog fog;
  std::optional<Viewpoint> viewpoint;
  Bounds bounds;  ///< of the visible shapes when it was loaded
  Vec3 up = Vec3::UnitZ();
};

}  // namespace protobeam
