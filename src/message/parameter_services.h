// The services of rcl_interfaces (ros2/rcl_interfaces) by which parameters of a node are listed,
// read and set. Hashes stand here where our descriptions lack a kind of field: `byte`, rows of
// `bool`, and rows of one at most, whose bytes are those of other rows.
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
  enum Type : std::uint8_t {
    kNotSet,
    kBool,
    kInteger,
    kDouble,
    kString,
    kByteArray,
    kBoolArray,
    kIntegerArray,
    kDoubleArray,
    kStringArray
  };
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

/// All of them, or none.
struct SetParametersAtomically {
  static constexpr std::string_view kType = "rcl_interfaces/srv/SetParametersAtomically";
  struct Request {
    static constexpr MessageName kName{"rcl_interfaces", "SetParametersAtomically_Request",
                                       "rcl_interfaces", "srv"};
    static constexpr std::string_view kRos2Hash =
        "RIHS01_db0bd950ed5ed867a0e90b225e44dea382d762c0762ff3e0ee842190042a59e5";
    std::vector<Parameter> parameters;
    static void each(auto& m, auto&& f) { f("parameters", m.parameters); }
  };
  struct Response {
    static constexpr MessageName kName{"rcl_interfaces", "SetParametersAtomically_Response",
                                       "rcl_interfaces", "srv"};
    SetParametersResult result;
    static void each(auto& m, auto&& f) { f("result", m.result); }
  };
};

struct ListParametersResult {
  static constexpr MessageName kName{"rcl_interfaces", "ListParametersResult"};
  std::vector<std::string> names;
  std::vector<std::string> prefixes;
  static void each(auto& m, auto&& f) {
    f("names", m.names);
    f("prefixes", m.prefixes);
  }
};

/// Those that begin with one of the prefixes; `depth` words from there at most, 0: any.
struct ListParameters {
  static constexpr std::string_view kType = "rcl_interfaces/srv/ListParameters";
  struct Request {
    static constexpr MessageName kName{"rcl_interfaces", "ListParameters_Request", "rcl_interfaces",
                                       "srv"};
    static constexpr Constant kConstants[] = {{"uint64", "DEPTH_RECURSIVE", "0"}};
    std::vector<std::string> prefixes;
    std::uint64_t depth = 0;
    static void each(auto& m, auto&& f) {
      f("prefixes", m.prefixes);
      f("depth", m.depth);
    }
  };
  struct Response {
    static constexpr MessageName kName{"rcl_interfaces", "ListParameters_Response",
                                       "rcl_interfaces", "srv"};
    ListParametersResult result;
    static void each(auto& m, auto&& f) { f("result", m.result); }
  };
};

struct GetParameters {
  static constexpr std::string_view kType = "rcl_interfaces/srv/GetParameters";
  struct Request {
    static constexpr MessageName kName{"rcl_interfaces", "GetParameters_Request", "rcl_interfaces",
                                       "srv"};
    std::vector<std::string> names;
    static void each(auto& m, auto&& f) { f("names", m.names); }
  };
  struct Response {
    static constexpr MessageName kName{"rcl_interfaces", "GetParameters_Response", "rcl_interfaces",
                                       "srv"};
    static constexpr std::string_view kRos2Hash =
        "RIHS01_9fa773b46e39cc5d02db6224d8fd520bb9caeeffc2b27c96c1e59431baba9f2a";
    std::vector<ParameterValue> values;
    static void each(auto& m, auto&& f) { f("values", m.values); }
  };
};

struct GetParameterTypes {
  static constexpr std::string_view kType = "rcl_interfaces/srv/GetParameterTypes";
  struct Request {
    static constexpr MessageName kName{"rcl_interfaces", "GetParameterTypes_Request",
                                       "rcl_interfaces", "srv"};
    std::vector<std::string> names;
    static void each(auto& m, auto&& f) { f("names", m.names); }
  };
  struct Response {
    static constexpr MessageName kName{"rcl_interfaces", "GetParameterTypes_Response",
                                       "rcl_interfaces", "srv"};
    std::vector<std::uint8_t> types;
    static void each(auto& m, auto&& f) { f("types", m.types); }
  };
};

struct FloatingPointRange {
  static constexpr MessageName kName{"rcl_interfaces", "FloatingPointRange"};
  double from_value = 0, to_value = 0, step = 0;
  static void each(auto& m, auto&& f) {
    f("from_value", m.from_value);
    f("to_value", m.to_value);
    f("step", m.step);
  }
};

struct IntegerRange {
  static constexpr MessageName kName{"rcl_interfaces", "IntegerRange"};
  std::int64_t from_value = 0, to_value = 0;
  std::uint64_t step = 0;
  static void each(auto& m, auto&& f) {
    f("from_value", m.from_value);
    f("to_value", m.to_value);
    f("step", m.step);
  }
};

struct ParameterDescriptor {
  static constexpr MessageName kName{"rcl_interfaces", "ParameterDescriptor"};
  std::string name;
  std::uint8_t type = ParameterValue::kNotSet;
  std::string description, additional_constraints;
  bool read_only = false, dynamic_typing = false;
  std::vector<FloatingPointRange> floating_point_range;  ///< one at most
  std::vector<IntegerRange> integer_range;               ///< one at most
  static void each(auto& m, auto&& f) {
    f("name", m.name);
    f("type", m.type);
    f("description", m.description);
    f("additional_constraints", m.additional_constraints);
    f("read_only", m.read_only);
    f("dynamic_typing", m.dynamic_typing);
    f("floating_point_range", m.floating_point_range);
    f("integer_range", m.integer_range);
  }
};

struct DescribeParameters {
  static constexpr std::string_view kType = "rcl_interfaces/srv/DescribeParameters";
  struct Request {
    static constexpr MessageName kName{"rcl_interfaces", "DescribeParameters_Request",
                                       "rcl_interfaces", "srv"};
    std::vector<std::string> names;
    static void each(auto& m, auto&& f) { f("names", m.names); }
  };
  struct Response {
    static constexpr MessageName kName{"rcl_interfaces", "DescribeParameters_Response",
                                       "rcl_interfaces", "srv"};
    static constexpr std::string_view kRos2Hash =
        "RIHS01_ad6747319613c6131589e062e095b469a46cc764f7d0f12a001a49e6cd893995";
    std::vector<ParameterDescriptor> descriptors;
    static void each(auto& m, auto&& f) { f("descriptors", m.descriptors); }
  };
};

}  // namespace protobeam::message
