// The service of rcl_interfaces (ros2/rcl_interfaces) by which parameters of a node are set.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "message/description.h"

namespace protobeam::message {

/// The first is that of `type`.
struct ParameterValue {
  static constexpr MessageName kName{"rcl_interfaces", "ParameterValue"};
  enum Type : std::uint8_t { kNotSet, kBool, kInteger, kDouble, kString };
  std::uint8_t type = kNotSet;
  bool bool_value = false;
  std::int64_t integer_value = 0;
  double double_value = 0;
  std::string string_value;
  std::vector<std::uint8_t> byte_array_value;
  std::vector<std::uint8_t> bool_array_value;
  std::vector<std::int64_t> integer_array_value;
  std::vector<double> double_array_value;
  std::vector<std::string> string_array_value;
  static void each(auto& m, auto&& f) {
    f("type", m.type);
    f("bool_value", m.bool_value);
    f("integer_value", m.integer_value);
    f("double_value", m.double_value);
    f("string_value", m.string_value);
    f("byte_array_value", m.byte_array_value);
    f("bool_array_value", m.bool_array_value);
    f("integer_array_value", m.integer_array_value);
    f("double_array_value", m.double_array_value);
    f("string_array_value", m.string_array_value);
  }
};

struct Parameter {
  static constexpr MessageName kName{"rcl_interfaces", "Parameter"};
  std::string name;
  ParameterValue value;
  static void each(auto& m, auto&& f) {
    f("name", m.name);
    f("value", m.value);
  }
};

struct SetParametersResult {
  static constexpr MessageName kName{"rcl_interfaces", "SetParametersResult"};
  bool successful = false;
  std::string reason;
  static void each(auto& m, auto&& f) {
    f("successful", m.successful);
    f("reason", m.reason);
  }
};

struct SetParameters {
  static constexpr std::string_view kType = "rcl_interfaces/srv/SetParameters";
  struct Request {
    static constexpr MessageName kName{"rcl_interfaces", "SetParameters_Request", "rcl_interfaces",
                                       "srv"};
    /// Our descriptions know neither `byte` nor rows of `bool`, whose bytes are as above.
    static constexpr std::string_view kRos2Hash =
        "RIHS01_130d46386b7e84ea9ecf60608a4d83cbe5e5cb7c6cc5b712b7a4e3a6c254e932";
    std::vector<Parameter> parameters;
    static void each(auto& m, auto&& f) { f("parameters", m.parameters); }
  };
  struct Response {
    static constexpr MessageName kName{"rcl_interfaces", "SetParameters_Response", "rcl_interfaces",
                                       "srv"};
    std::vector<SetParametersResult> results;
    static void each(auto& m, auto&& f) { f("results", m.results); }
  };
};

}  // namespace protobeam::message
