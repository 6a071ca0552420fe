// std_msgs, rosgraph_msgs (ros2/common_interfaces, ros/std_msgs).
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include "message/description.h"

namespace protobeam::message {

struct Header {
  static constexpr MessageName kName{"std_msgs", "Header"};
  std::uint32_t seq = 0;
  Time stamp;
  std::string frame_id;
  static void each(auto& m, auto&& f) {
    f({"seq", nullptr}, m.seq);
    f("stamp", m.stamp);
    f("frame_id", m.frame_id);
  }
};

struct Bool {
  static constexpr MessageName kName{"std_msgs", "Bool"};
  bool data = false;
  static void each(auto& m, auto&& f) {
    f("data", m.data);
  }
};

struct Float64 {
  static constexpr MessageName kName{"std_msgs", "Float64"};
  double data = 0;
  static void each(auto& m, auto&& f) {
    f("data", m.data);
  }
};

struct String {
  static constexpr MessageName kName{"std_msgs", "String"};
  std::string data;
  static void each(auto& m, auto&& f) {
    f("data", m.data);
  }
};

struct MultiArrayDimension {
  static constexpr MessageName kName{"std_msgs", "MultiArrayDimension"};
  std::string label;
  std::uint32_t size = 0;
  std::uint32_t stride = 0;  ///< elements from here to the end
  static void each(auto& m, auto&& f) {
    f("label", m.label);
    f("size", m.size);
    f("stride", m.stride);
  }
};

struct MultiArrayLayout {
  static constexpr MessageName kName{"std_msgs", "MultiArrayLayout"};
  std::vector<MultiArrayDimension> dim;
  std::uint32_t data_offset = 0;
  static void each(auto& m, auto&& f) {
    f("dim", m.dim);
    f("data_offset", m.data_offset);
  }
};

/// What channels are published as that have no message of their own.
struct Float64MultiArray {
  static constexpr MessageName kName{"std_msgs", "Float64MultiArray"};
  MultiArrayLayout layout;
  std::vector<double> data;
  static void each(auto& m, auto&& f) {
    f("layout", m.layout);
    f("data", m.data);
  }
};

struct ColorRGBA {
  static constexpr MessageName kName{"std_msgs", "ColorRGBA"};
  float r = 0;
  float g = 0;
  float b = 0;
  float a = 0;
  static void each(auto& m, auto&& f) {
    f("r", m.r);
    f("g", m.g);
    f("b", m.b);
    f("a", m.a);
  }
};

struct Clock {
  static constexpr MessageName kName{"rosgraph_msgs", "Clock"};
  Time clock;
  static void each(auto& m, auto&& f) {
    f("clock", m.clock);
  }
};

}  // namespace protobeam::message
