// A robot with each device of Webots, whose program tells what it reads.
#pragma once

#include <sstream>
#include <string>

#include "tests/unit/support/paths.h"

namespace protobeam::test {

/// A robot with each device of Webots that is simulated, among things that it senses.
inline std::string robot_world(
    const std::string& controller, const std::string& arguments = "",
    const std::string& lidar = "numberOfLayers 3 horizontalResolution 90",
    const std::string& fields = "") {
  return R"(#VRML_SIM R2025a utf8
WorldInfo { basicTimeStep 32 randomSeed 3 }
DirectionalLight { direction -0.5 0 -0.8660254037844386 }
DEF CUBE Solid {
  translation 2 0 0.3 rotation 0 0 1 0.5
  name "cube" model "red cube" recognitionColors [ 1 0 0 0 0.5 0.25 ] radarCrossSection 5
  children [
    Shape {
      appearance PBRAppearance { baseColor 0.5 0.2 0.1 emissiveColor 1 0 0 emissiveIntensity 5 roughness 1 metalness 0 }
      geometry Box { size 0.4 0.4 0.4 }
    }
  ]
  boundingObject Box { size 0.4 0.4 0.4 }
}
Robot {
  translation 0 0 10
  name "tester" model "Tester" )" +
         fields + R"(
  controller ")" +
         controller + R"("
  controllerArgs [ )" +
         arguments + R"( ]
  children [
    Accelerometer { name "accelerometer" }
    Altimeter { name "altimeter" }
    Compass { name "compass" }
    DistanceSensor { name "distance_sensor" type "laser" lookupTable [ 0 0 0.1, 20 2000 0.1 ] rotation 0 1 0 1.5707963 }
    Emitter { name "emitter" }
    GPS { name "gps" accuracy 0.1 }
    Gyro { name "gyro" }
    InertialUnit { name "inertial_unit" noise 0.01 }
    LightSensor { name "light_sensor" }
    Receiver { name "receiver" }
    TouchSensor { name "touch_sensor" boundingObject Box { size 0.1 0.1 0.1 } }
    Pose {
      translation 0 0 -10
      children [
        Camera { name "camera" width 60 height 40 fieldOfView 1 recognition Recognition { } }
        RangeFinder { name "range_finder" width 20 height 10 fieldOfView 0.5 minRange 0.1 maxRange 5 noise 0.01 }
        Lidar { name "lidar" minRange 0.1 maxRange 10 noise 0.01 fieldOfView 6.28 )" +
         lidar + R"( }
        Radar { name "radar" minRange 0.5 }
      ]
    }
    HingeJoint {
      jointParameters HingeJointParameters { axis 0 0 1 }
      device [
        RotationalMotor { name "motor" }
        PositionSensor { name "position_sensor" noise 0.01 }
        Brake { name "brake" }
      ]
      endPoint Solid {
        children [ Shape { geometry Box { size 0.1 0.3 0.1 } } ]
        boundingObject Box { size 0.1 0.3 0.1 }
        physics Physics { }
      }
    }
  ]
  boundingObject Box { size 0.2 0.2 0.2 }
  physics Physics { }
})";
}

/// Answers the tester, which does not hear itself.
inline const char* const kEcho = R"(
Robot {
  translation 3 2 1
  name "echo"
  controller "python_echo"
  children [ Emitter { } Receiver { } ]
})";

/// A car on a plain.
inline std::string vehicle_world(const std::string& controller) {
  return "#VRML_SIM R2025a utf8\nEXTERNPROTO \"" + source_dir() +
         R"(/protos/vehicles/AckermannCar.proto"
WorldInfo { basicTimeStep 10 }
Solid { children [ Shape { geometry DEF GROUND Plane { size 300 300 } } ] boundingObject USE GROUND }
AckermannCar { controller ")" +
         controller + "\" }\n";
}

/// The lines of the robot, without its name.
inline std::string said(const std::string& output) {
  std::string lines;
  std::istringstream in(output);
  for (std::string line; std::getline(in, line);) {
    if (line.rfind("[tester] ", 0) == 0) lines += line.substr(9) + "\n";
  }
  return lines;
}

}  // namespace protobeam::test
