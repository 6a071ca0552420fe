#include "tests/fuzz/supervise_bytes.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <iterator>
#include <limits>
#include <string>
#include <vector>

#include "sim/simulation.h"
#include "sim/supervisor/supervisor.h"
#include "tests/support/temporary_folder.h"

namespace protobeam {
namespace {

using link::FieldAddress;
using link::SupervisorOp;
using link::SupervisorRequest;

constexpr const char* kProto = R"(#VRML_SIM R2025a utf8
PROTO Crate [
  field SFVec3f translation 0 0 0
  field SFRotation rotation 0 0 1 0
  field SFString name "crate"
  field SFFloat edge 0.4
  field SFColor color 1 0 0
  field MFNode children [ ]
  field SFNode physics Physics { density -1 mass 2 }
]
{
  Solid {
    translation IS translation
    rotation IS rotation
    name IS name
    children [
      DEF BOX Shape {
        appearance PBRAppearance { baseColor IS color }
        geometry Box { size %<= fields.edge.value >% 0.4 0.4 }
      }
      Group { children IS children }
    ]
    boundingObject USE BOX
    physics IS physics
  }
}
)";

constexpr const char* kWorld = R"(#VRML_SIM R2025a utf8
EXTERNPROTO "Crate.proto"
DEF INFO WorldInfo {
  basicTimeStep 16
  contactProperties [ ContactProperties { material1 "ice" coulombFriction 0.05 } ]
}
DEF VIEW Viewpoint { position 0 -5 2 }
Background { skyColor 0.2 0.3 0.6 }
DEF LAMP PointLight { location 0 0 3 }
DEF FLOOR Solid {
  children [ DEF PLANE Shape { geometry DEF FLAT Plane { size 20 20 } } ]
  boundingObject USE FLAT
  name "floor"
}
DEF HILL Solid {
  translation 4 0 0
  name "hill"
  children [ DEF H Shape {
    geometry DEF GRID ElevationGrid { xDimension 3 yDimension 3 height [ 0 0 0 0 0.5 0 0 0 0 ] } } ]
  boundingObject USE GRID
}
DEF CRATE Crate { translation 1 0 0.2 children [ DEF INSIDE Transform { children [ USE PLANE ] } ] }
DEF BALL Solid {
  translation -1 0 0.3
  name "ball"
  children [ Shape { geometry DEF ROUND Sphere { radius 0.2 } } ]
  boundingObject USE ROUND
  physics DEF WEIGHT Physics { density -1 mass 1 }
}
DEF LOOSE Group { children [ DEF MARK Transform { children [ Shape { geometry Cone { } } ] } ] }
DEF CAR Robot {
  translation 0 1.5 0.2
  name "car"
  supervisor TRUE
  customData "none"
  children [
    DEF BODY Shape { geometry DEF CHASSIS Box { size 0.4 0.2 0.1 } }
    DEF PLACE GPS { name "gps" }
    DEF LIGHT LED { name "led" children [ Shape { appearance PBRAppearance { } geometry Sphere { radius 0.02 } } ] }
    DEF EYE Lidar { translation 0 0 0.1 name "lidar" horizontalResolution 16 numberOfLayers 1 }
    DEF AXLE HingeJoint {
      jointParameters DEF TURN HingeJointParameters { axis 0 1 0 anchor 0.1 0 0 }
      device [ DEF DRIVE RotationalMotor { name "motor" } PositionSensor { name "angle" } ]
      endPoint DEF WHEEL Solid {
        translation 0.1 0.15 0
        name "wheel"
        children [ DEF TYRE Shape { geometry DEF RIM Cylinder { radius 0.08 height 0.04 } } ]
        boundingObject USE RIM
        physics Physics { density -1 mass 0.2 }
      }
    }
  ]
  boundingObject USE CHASSIS
  physics Physics { density -1 mass 3 }
}
)";

constexpr const char* kTexts[] = {
    "",
    "CAR",
    "CRATE",
    "BALL",
    "CAR.WHEEL",
    "BOX",
    "translation",
    "children",
    "a",
    "ice",
    "Crate { translation 0 0 1 name \"new\" }",
    "DEF NEW Solid { translation 0 2 1 boundingObject Box { } physics Physics { } }",
    "Solid { children [ USE PLANE ] }",
    "Shape { geometry Box { size 1e30 1 1 } }",
    "Shape { geometry Sphere { radius 1e-30 } }",
    "Shape { geometry IndexedFaceSet { coord Coordinate { point [ 0 0 0 1 0 0 0 1 0 ] } "
    "coordIndex [ 0 1 2 -1 ] } }",
    "Shape { geometry Mesh { url \"none.obj\" } }",
    "Robot { name \"second\" controller \"<none>\" children [ GPS { } ] }",
    "HingeJoint { device RotationalMotor { name \"m2\" } endPoint Solid { physics Physics { } "
    "boundingObject Sphere { } } }",
    "PointLight { }",
    "DirectionalLight { direction 0 0 0 }",
    "Physics { density -1 mass 1e-9 }",
    "Physics { density 1e9 }",
    "Box { size 0.1 0.1 0.1 }",
    "Sphere { }",
    "Plane { }",
    "ElevationGrid { xDimension 2 yDimension 2 height [ 0 1 0 1 ] }",
    "LED { name \"l2\" }",
    "Lidar { name \"far\" maxRange 1000 horizontalResolution 8 numberOfLayers 2 }",
    "Group { children [ Group { children [ Solid { name \"deep\" } ] } ] }",
    "DEF CRATE Transform { scale 0 0 0 }",
    "PBRAppearance { baseColor 1 2 3 }",
    "ContactProperties { bounce 5 }",
    "Nonsense { }",
    "Solid {",
    "} ] { [ \"",
    "VacuumGripper { }",
    "Charger { }",
    "Fluid { boundingObject Box { size 9 9 9 } }",
    "Track { }",
    "Propeller { }",
    "none",
};

/// The bytes, one after another; zeros behind the last.
class Bytes {
 public:
  Bytes(const std::uint8_t* data, std::size_t size) : at_(data), end_(data + size) {}
  bool empty() const { return at_ == end_; }
  unsigned next() { return empty() ? 0u : *at_++; }
  unsigned below(std::size_t bound) { return next() % static_cast<unsigned>(bound); }
  double number() {
    static constexpr double kNumbers[] = {0,
                                          1,
                                          -1,
                                          0.5,
                                          -0.5,
                                          2,
                                          3,
                                          0.1,
                                          1e-3,
                                          1e-9,
                                          1e-300,
                                          10,
                                          100,
                                          1e4,
                                          1e9,
                                          1e30,
                                          -1e30,
                                          1e300,
                                          -1e9,
                                          0.7,
                                          1.57,
                                          3.14,
                                          -2.1,
                                          0.25,
                                          1e-6,
                                          -3,
                                          16,
                                          255,
                                          65536,
                                          2e9,
                                          -2e9,
                                          1e16,
                                          std::numeric_limits<double>::max(),
                                          std::numeric_limits<double>::denorm_min()};
    const unsigned what = next();
    if (what < 128) return kNumbers[what % std::size(kNumbers)];
    return (static_cast<double>(what) - 192.0) / 64.0 + static_cast<double>(next()) / 4096.0;
  }

 private:
  const std::uint8_t *at_, *end_;
};

struct SolidPose {
  std::string name;
  Pose X_WS;
};

class Session {
 public:
  Session() {
    folder_.write("worlds/Crate.proto", kProto);
    SimulationOptions options;
    simulation_ = Simulation::load(folder_.write("worlds/fuzz.wbt", kWorld), options, diagnostics_);
    if (!simulation_) fail(fmt::format("the world does not load:\n{}", diagnostics_.to_string()));
  }

  /// Of the Solids of the world, by name.
  std::vector<SolidPose> poses() const {
    std::vector<SolidPose> out;
    const WorldModel& model = simulation_->model();
    for (const SolidInfo& solid : model.solids) {
      if (solid.removed) continue;
      const bool still = solid.body == physics::kWorldBody;
      out.push_back(
          {solid.name, still ? solid.X_BS : model.physics->pose(solid.body) * solid.X_BS});
    }
    std::stable_sort(out.begin(), out.end(),
                     [](const SolidPose& a, const SolidPose& b) { return a.name < b.name; });
    return out;
  }

  void play(Bytes& bytes) {
    for (int request = 0; request < 60 && !bytes.empty(); ++request) {
      if (bytes.next() % 8 == 0) {
        step();
      } else {
        ask(bytes);
      }
    }
    step();
  }

  void step() {
    log_ += "step\n";
    simulation_->step();
    if (!simulation_->broken_bodies().empty()) return;  // it is said, and they stand still
    for (const SolidPose& solid : poses()) {
      if (!solid.X_WS.p.allFinite() || !solid.X_WS.R.coeffs().allFinite()) {
        fail(fmt::format("the pose of '{}' is not finite", solid.name));
      }
    }
  }

  [[noreturn]] void fail(const std::string& why) const {
    std::fprintf(stderr, "%s%s\n", log_.c_str(), why.c_str());
    std::abort();
  }

  std::vector<link::SupervisorAnswer> answer(const SupervisorRequest& request) {
    return simulation_->supervisor().answer(0, {&request, 1});
  }

 private:
  /// Mostly what makes sense: a node that is there, a field that it has, as many numbers as the
  /// field takes.
  void ask(Bytes& bytes) {
    SupervisorRequest request;
    request.op = static_cast<SupervisorOp>(1 + bytes.below(static_cast<int>(SupervisorOp::kLast)));
    // These are for programs that run a simulation, and write files where they are told.
    if (request.op == SupervisorOp::kSaveWorld) request.op = SupervisorOp::kSetField;
    request.node = static_cast<std::int32_t>(bytes.below(64)) - 1;
    request.field.space = static_cast<std::uint8_t>(bytes.below(4) ? bytes.below(3) : 0);
    request.field.level = static_cast<std::uint8_t>(bytes.below(8) == 7);
    request.index = static_cast<std::int32_t>(bytes.below(8)) - 1;
    request.field.index = static_cast<std::int32_t>(bytes.below(16)) - 1;
    request.text = kTexts[bytes.below(std::size(kTexts))];
    std::size_t count = bytes.below(8);
    if (request.op >= SupervisorOp::kFieldByName && request.op <= SupervisorOp::kImportNode) {
      SupervisorRequest about = request;
      about.op = SupervisorOp::kFieldInfo;
      const auto info = answer(about);
      if (info.front().good && !info.front().numbers.empty() && bytes.below(8)) {
        count = static_cast<std::size_t>(
            components(single(static_cast<FieldType>(static_cast<int>(info.front().numbers[0])))));
      }
    } else if (request.op == SupervisorOp::kSetVelocity) {
      count = 6;
    } else if (request.op >= SupervisorOp::kAddForce && request.op <= SupervisorOp::kAddTorque) {
      count = request.op == SupervisorOp::kAddForceWithOffset ? 6 : 3;
    } else if (request.op == SupervisorOp::kSetJointPosition) {
      count = 1;
    }
    for (std::size_t n = 0; n < count; ++n) request.numbers.push_back(bytes.number());
    const auto answers = answer(request);
    log_ += fmt::format("op {} node {} field {}.{}.{} index {} numbers [{}] \"{}\": {}\n",
                        static_cast<int>(request.op), request.node, request.field.space,
                        request.field.level, request.field.index, request.index,
                        fmt::join(request.numbers, " "), request.text,
                        answers.front().good ? "good" : answers.front().text);
  }

  TemporaryFolder folder_;
  Diagnostics diagnostics_;
  std::unique_ptr<Simulation> simulation_;
  std::string log_;  ///< what was asked and answered, for whoever looks for the fault
};

std::vector<SolidPose> poses_after_steps(Session& session, int steps) {
  for (int n = 0; n < steps; ++n) session.step();
  return session.poses();
}

constexpr int kStepsAfterReset = 5;

}  // namespace

void supervise_bytes(const std::uint8_t* data, std::size_t size) {
  static const std::vector<SolidPose> fresh = [] {
    Session session;
    return poses_after_steps(session, kStepsAfterReset);
  }();
  Session session;
  Bytes bytes(data, size);
  session.play(bytes);
  SupervisorRequest reset;
  reset.op = SupervisorOp::kReset;
  session.answer(reset);
  const auto again = poses_after_steps(session, kStepsAfterReset);
  if (again.size() != fresh.size()) session.fail("after a reset there are other Solids");
  for (std::size_t n = 0; n < fresh.size(); ++n) {
    // Bodies that were made anew have other numbers, and contacts are summed up in their order.
    const bool same = again[n].name == fresh[n].name &&
                      (again[n].X_WS.p - fresh[n].X_WS.p).norm() < 1e-6 &&
                      again[n].X_WS.R.angularDistance(fresh[n].X_WS.R) < 1e-6;
    if (same) continue;
    session.fail(fmt::format("after a reset '{}' is {} m from where it should be", again[n].name,
                             (again[n].X_WS.p - fresh[n].X_WS.p).norm()));
  }
}

}  // namespace protobeam
