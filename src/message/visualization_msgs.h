// visualization_msgs. ROS 2 has textures and meshes with the marker.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include "message/sensor_msgs.h"

namespace protobeam::message {

struct UVCoordinate {
  static constexpr MessageName kName{"visualization_msgs", "UVCoordinate"};
  float u = 0;
  float v = 0;
  static void each(auto& m, auto&& f) {
    f("u", m.u);
    f("v", m.v);
  }
};

struct MeshFile {
  static constexpr MessageName kName{"visualization_msgs", "MeshFile"};
  std::string filename;
  std::vector<std::uint8_t> data;
  static void each(auto& m, auto&& f) {
    f("filename", m.filename);
    f("data", m.data);
  }
};

struct Marker {
  static constexpr MessageName kName{"visualization_msgs", "Marker"};
  static constexpr Constant kConstants[] = {
      {"uint8", "ARROW", "0"},
      {"uint8", "CUBE", "1"},
      {"uint8", "SPHERE", "2"},
      {"uint8", "CYLINDER", "3"},
      {"uint8", "LINE_STRIP", "4"},
      {"uint8", "LINE_LIST", "5"},
      {"uint8", "CUBE_LIST", "6"},
      {"uint8", "SPHERE_LIST", "7"},
      {"uint8", "POINTS", "8"},
      {"uint8", "TEXT_VIEW_FACING", "9"},
      {"uint8", "MESH_RESOURCE", "10"},
      {"uint8", "TRIANGLE_LIST", "11"},
      {"uint8", "ADD", "0"},
      {"uint8", "MODIFY", "0"},
      {"uint8", "DELETE", "2"},
      {"uint8", "DELETEALL", "3"},
  };
  Header header;
  std::string ns;
  std::int32_t id = 0;
  std::int32_t type = 0;
  std::int32_t action = 0;
  Pose pose;
  Vector3 scale;
  ColorRGBA color;
  Duration lifetime;
  bool frame_locked = false;
  std::vector<Point> points;
  std::vector<ColorRGBA> colors;
  std::string texture_resource;
  CompressedImage texture;
  std::vector<UVCoordinate> uv_coordinates;
  std::string text;
  std::string mesh_resource;
  MeshFile mesh_file;
  bool mesh_use_embedded_materials = false;
  static void each(auto& m, auto&& f) {
    f("header", m.header);
    f("ns", m.ns);
    f("id", m.id);
    f("type", m.type);
    f("action", m.action);
    f("pose", m.pose);
    f("scale", m.scale);
    f("color", m.color);
    f("lifetime", m.lifetime);
    f("frame_locked", m.frame_locked);
    f("points", m.points);
    f("colors", m.colors);
    f({nullptr, "texture_resource"}, m.texture_resource);
    f({nullptr, "texture"}, m.texture);
    f({nullptr, "uv_coordinates"}, m.uv_coordinates);
    f("text", m.text);
    f("mesh_resource", m.mesh_resource);
    f({nullptr, "mesh_file"}, m.mesh_file);
    f("mesh_use_embedded_materials", m.mesh_use_embedded_materials);
  }
};

struct MarkerArray {
  static constexpr MessageName kName{"visualization_msgs", "MarkerArray"};
  std::vector<Marker> markers;
  static void each(auto& m, auto&& f) {
    f("markers", m.markers);
  }
};

}  // namespace protobeam::message
