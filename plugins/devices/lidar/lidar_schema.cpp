#include "lidar_schema.h"

namespace protobeam {
namespace {

// As people round them.
constexpr double kFullTurn = 6.2832, kHalfTurn = 3.1416, kQuarterTurn = 1.5708;

Range positive_share() {
  Range share = Range::between(0, 1);
  share.min_open = true;
  return share;
}

NodeSchema lidar_node() {
  const Range fraction_of_turn = [] {
    Range r = Range::between(0, kFullTurn);
    r.min_open = true;
    return r;
  }();
  return {
      "Lidar",
      "Device",
      "Ranges along laser beams: a grid of them, or those of a real device at their firing times.",
      {
          {"name", FieldType::kString, "\"lidar\"", "", Range::any(), "name for the controller"},
          {"tiltAngle", FieldType::kFloat, "0", "rad", Range::between(-kQuarterTurn, kQuarterTurn),
           "raises all beams"},
          {"horizontalResolution", FieldType::kInt32, "512", "", Range::between(1, 1 << 20),
           "columns: beams in a layer"},
          {"fieldOfView", FieldType::kFloat, "1.5708", "rad", fraction_of_turn,
           "horizontal angle of a fixed head; a rotating one always sees the full turn"},
          {"verticalFieldOfView", FieldType::kFloat, "0.2", "rad", Range::between(0, kHalfTurn),
           "angle between the top and the bottom layer"},
          {"numberOfLayers", FieldType::kInt32, "4", "", Range::between(1, 1 << 14), "layers"},
          {"layerAngles", FieldType::kMFFloat, "[ ]", "rad",
           Range::between(-kQuarterTurn, kQuarterTurn),
           "elevation of each layer, top first, instead of verticalFieldOfView"},
          {"near", FieldType::kFloat, "0.01", "m", Range::positive(),
           "what is nearer does not exist for this lidar (its own housing)"},
          {"minRange", FieldType::kFloat, "0.01", "m", Range::positive(),
           "what is nearer gives no return but hides what is behind"},
          {"maxRange", FieldType::kFloat, "1", "m", Range::positive(), "longest range"},
          {"ownRobotVisible", FieldType::kBool, "TRUE", "", Range::any(),
           "beams meet the robot that carries the lidar; FALSE: they pass through it"},
          {"housingVisible", FieldType::kBool, "FALSE", "", Range::any(),
           "beams meet the inside of shapes of that robot that the lidar stands in; FALSE: they "
           "begin where they have left these"},
          {"type", FieldType::kString, "\"fixed\"", "", Range::any(),
           "whole image at once, or a turning head", "fixed|rotating"},
          {"projection", FieldType::kString, "\"cylindrical\"", "", Range::any(),
           "beams at equal angles, or at equal steps on a plane", "cylindrical|planar"},
          {"spherical", FieldType::kBool, "TRUE", "", Range::any(),
           "old spelling of projection: TRUE is cylindrical, FALSE planar"},
          {"noise", FieldType::kFloat, "0", "", Range::at_least(0),
           "standard deviation of a range / maxRange"},
          {"resolution", FieldType::kFloat, "-1", "m", Range::positive().or_special(-1),
           "ranges are multiples of it; -1: exact"},
          {"defaultFrequency", FieldType::kFloat, "10", "Hz", Range::positive(),
           "turns, or other sweeps, a second"},
          {"minFrequency", FieldType::kFloat, "1", "Hz", Range::positive(),
           "lowest frequency that a controller can set"},
          {"maxFrequency", FieldType::kFloat, "25", "Hz", Range::positive(),
           "highest frequency that a controller can set; at most 1e6 for a head that moves"},
          {"rotatingHead", FieldType::kNode, "NULL", "", Range::any(),
           "what is seen to turn with the head", "Solid"},
          {"scanLaw", FieldType::kString, "\"grid\"", "", Range::any(),
           "how the beams move: not at all, turning about z, turning part of the way, or behind "
           "two turning prisms",
           "grid|spinning|oscillating|risley"},
          {"beamElevations_deg", FieldType::kMFFloat, "[ ]", "deg", Range::between(-90, 90),
           "elevation of each laser, in the order of the device's laser ids"},
          {"beamAzimuths_deg", FieldType::kMFFloat, "[ ]", "deg", Range::between(-360, 360),
           "added to the azimuth of the head, counter-clockwise positive"},
          {"beamOrigins", FieldType::kMFVec3f, "[ ]", "m", Range::any(),
           "where each beam starts, in the turning head: x along its direction, z up"},
          {"beamTimes", FieldType::kMFFloat, "[ ]", "s", Range::at_least(0),
           "when each laser fires after the start of the firing sequence"},
          {"beamRings", FieldType::kMFInt32, "[ ]", "", Range::between(0, 65535),
           "ring number of each laser in the device's driver; default: from the lowest, 0"},
          {"beamTable", FieldType::kMFString, "[ ]", "", Range::any(),
           "a .csv file with the lasers instead: elevation_deg,azimuth_deg,x,y,z,time,ring"},
          {"firingPeriod", FieldType::kFloat, "-1", "s", Range::positive().or_special(-1),
           "between firing sequences; -1: from defaultFrequency and horizontalResolution"},
          {"startAzimuth", FieldType::kFloat, "3.14159265358979", "rad", Range::any(),
           "of the head at the start of a sweep; an oscillating one starts at an edge of its "
           "fieldOfView when this is not given"},
          {"rotationSense", FieldType::kString, "\"clockwise\"", "", Range::any(),
           "of the head, seen from above", "clockwise|counter-clockwise"},
          {"azimuthPerColumn", FieldType::kBool, "FALSE", "", Range::any(),
           "all lasers of a firing sequence fire at once"},
          {"pointRate", FieldType::kFloat, "100000", "Hz", Range::positive(),
           "pulses a second behind prisms"},
          {"prismAngle", FieldType::kFloat, "0.314159265358979", "rad",
           Range::between(-kQuarterTurn, kQuarterTurn), "between the two faces of a prism"},
          {"prismIndex", FieldType::kFloat, "1.51", "", Range::at_least(1),
           "refractive index of the prisms"},
          {"prismRates", FieldType::kMFFloat, "[ ]", "Hz", Range::any(),
           "turns a second of the prism that light enters first and of the other"},
          {"prismPhases", FieldType::kMFFloat, "[ 0, 0 ]", "rad", Range::any(),
           "angles of the prisms when the device is enabled"},
          {"prismOrder", FieldType::kString, "\"out\"", "", Range::any(),
           "tilted faces are the outer ones of the pair, or the inner ones", "out|in"},
          {"motionDistortion", FieldType::kBool, "FALSE", "", Range::any(),
           "each beam sees the world at its own instant, not at the end of the sweep"},
          {"beamModel", FieldType::kString, "\"nominal\"", "", Range::any(),
           "every surface within maxRange returns, or what the fields below say; datasheet is "
           "taken, too, when this is not written and one of them is",
           "nominal|datasheet"},
          {"wavelength", FieldType::kFloat, "905e-9", "m", Range::between(300e-9, 3000e-9),
           "of the laser"},
          {"detectionRange", FieldType::kFloat, "-1", "m", Range::positive().or_special(-1),
           "where a surface of detectionReflectance that faces the device is seen by 90 % of the "
           "beams; -1: maxRange"},
          {"detectionReflectance", FieldType::kFloat, "0.1", "", positive_share(),
           "of the surface that detectionRange is for"},
          {"detectionNoise", FieldType::kFloat, "-1", "m", Range::at_least(0).or_special(-1),
           "standard deviation of a range there; -1: from pulseLength"},
          {"pulseLength", FieldType::kFloat, "5e-9", "s", Range::positive(),
           "full width at half maximum; echoes within half of its length make one return"},
          {"overlapRange", FieldType::kFloat, "2", "m", Range::at_least(0),
           "where the receiver sees 86 % of the spot, less in front of it; 0: all of it always"},
          {"beamDivergence", FieldType::kFloat, "0", "rad", Range::between(0, 0.1),
           "full angle of a beam to 1/e^2 of its irradiance; 0: a line"},
          {"returnMode", FieldType::kString, "\"strongest\"", "", Range::any(),
           "which of several returns of a beam is reported; dual: the strongest and the last",
           "first|strongest|last|dual"},
          {"intensityCode", FieldType::kString, "\"reflectance\"", "", Range::any(),
           "how intensities are written: a number up to 1, or a maker's byte",
           "reflectance|velodyne|ouster|livox|robosense"},
          {"headerTime", FieldType::kString, "\"end\"", "", Range::any(),
           "which time of a sweep the device's driver writes into its message", "end|start"},
          {"udpProfile", FieldType::kString, "\"RNG19_RFL8_SIG16_NIR16\"", "", Range::any(),
           "layout of an Ouster's packets, for recordings; others have one only",
           "RNG19_RFL8_SIG16_NIR16|LEGACY"},
      }};
}

}  // namespace

DeviceType lidar_type() {
  const std::vector<Dimension> image = {"numberOfLayers", "horizontalResolution"};
  return {
      .node = lidar_node(),
      .channels = {{"range", ElementType::kFloat32, image, "m", "device", "inf",
                    "distance along each beam, layer 0 on top, column 0 at the left"},
                   {"points",
                    ElementType::kRecord,
                    image,
                    "",
                    "device",
                    "inf",
                    "written while the point cloud is on",
                    {{"x", ElementType::kFloat32, "m"},
                     {"y", ElementType::kFloat32, "m"},
                     {"z", ElementType::kFloat32, "m"},
                     {"layer", ElementType::kInt32, ""},
                     {"time", ElementType::kFloat32, "s"}}}},
      .commands = {{"point cloud", {{"on", "", Range::between(0, 1)}}, "1: write points, 0: do not"},
                   {"frequency",
                    {{"frequency", "Hz", Range::at_least(0)}},
                    "of rotation, in [minFrequency, maxFrequency]"}},
      .properties = {{"numberOfLayers", "", "layers of the image"},
                     {"horizontalResolution", "", "columns of the image"},
                     {"fieldOfView", "rad", "horizontal angle"},
                     {"verticalFieldOfView", "rad", "angle between the top and the bottom layer"},
                     {"minRange", "m", "smallest range"},
                     {"maxRange", "m", "largest range"},
                     {"near", "m", "what is nearer is not seen"},
                     {"noise", "", "standard deviation / maxRange"},
                     {"resolution", "m", "smallest step of ranges; -1: none"},
                     {"defaultFrequency", "Hz", "of rotation, at the start"},
                     {"minFrequency", "Hz", "slowest"},
                     {"maxFrequency", "Hz", "fastest"},
                     {"scanLaw", "", "how beams move"},
                     {"motionDistortion", "", "1: each beam is cast at its own time"},
                     {"returnMode", "", "which return a beam reports"}},
      .inputs = {Input::kVisibleRays, Input::kSurfaces, Input::kHousing},
      .concurrent = true,
      .webots_node = 48,
  };
}

}  // namespace protobeam
