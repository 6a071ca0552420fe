// What a message consists of. Each type of message is a struct that names its fields once, in each();
// its definition as ROS 1 and ROS 2 know it, its hashes and its bytes in each encoding follow from that.
//
//   struct Imu {
//     static constexpr MessageName kName{"sensor_msgs", "Imu"};
//     Header header;
//     Quaternion orientation;
//     static void each(auto& m, auto&& f) { f("header", m.header); f("orientation", m.orientation); }
//   };
//
// The names are those of the packages of the Robot Operating System, whose other programs read them.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

namespace protobeam::message {

struct MessageName {
  std::string_view ros1_package;
  std::string_view name;
  std::string_view ros2_package = ros1_package;
  std::string_view folder = "msg";  ///< in ROS 2; "srv" for the two halves of a service
};

/// Of a field. Null where ROS 1 or ROS 2 does not have it.
struct FieldName {
  const char* ros1;
  const char* ros2;
  constexpr FieldName(const char* both) : ros1(both), ros2(both) {}  // NOLINT(google-explicit-constructor)
  constexpr FieldName(const char* one, const char* two) : ros1(one), ros2(two) {}
};

struct Constant {
  std::string_view type, name, value;
};

/// Simulated time, as messages have it.
struct Time {
  std::int32_t sec = 0;
  std::uint32_t nanosec = 0;
  bool operator==(const Time&) const = default;
};
struct Duration {
  std::int32_t sec = 0;
  std::uint32_t nanosec = 0;
  bool operator==(const Duration&) const = default;
};
/// Of at least 0 ns.
Time time_of(std::int64_t ns);
Duration duration_of(std::int64_t ns);
inline std::int64_t nanoseconds(const Time& time) {
  return std::int64_t{time.sec} * 1'000'000'000 + time.nanosec;
}
/// The nearest nanosecond.
std::int64_t nanoseconds(double seconds);

enum class Primitive : std::uint8_t {
  kBool, kInt8, kUint8, kInt16, kUint16, kInt32, kUint32, kInt64, kUint64, kFloat32, kFloat64,
  kString, kTime, kDuration,
  kMessage,  ///< FieldDescription::nested
};

enum class Extent : std::uint8_t { kOne, kArray, kSequence };

struct MessageDescription;

struct FieldDescription {
  std::string ros1_name, ros2_name;  ///< "" where it is not there
  Primitive type = Primitive::kMessage;
  const MessageDescription* nested = nullptr;
  Extent extent = Extent::kOne;
  std::size_t size = 0;  ///< of a kArray
};

struct MessageDescription {
  MessageName name;
  std::vector<Constant> constants;
  std::vector<FieldDescription> fields;
};

// --- How C++ types stand for those of messages.

template <class T>
concept Message = requires { T::kName; };

template <class T>
struct ExtentOf {
  using Element = T;
  static constexpr Extent kExtent = Extent::kOne;
  static constexpr std::size_t kSize = 0;
};
template <class T, std::size_t N>
struct ExtentOf<std::array<T, N>> {
  using Element = T;
  static constexpr Extent kExtent = Extent::kArray;
  static constexpr std::size_t kSize = N;
};
template <class T>
struct ExtentOf<std::vector<T>> {
  using Element = T;
  static constexpr Extent kExtent = Extent::kSequence;
  static constexpr std::size_t kSize = 0;
};

template <class T>
constexpr Primitive primitive_of() {
  if constexpr (std::is_same_v<T, bool>) return Primitive::kBool;
  else if constexpr (std::is_same_v<T, std::int8_t>) return Primitive::kInt8;
  else if constexpr (std::is_same_v<T, std::uint8_t>) return Primitive::kUint8;
  else if constexpr (std::is_same_v<T, std::int16_t>) return Primitive::kInt16;
  else if constexpr (std::is_same_v<T, std::uint16_t>) return Primitive::kUint16;
  else if constexpr (std::is_same_v<T, std::int32_t>) return Primitive::kInt32;
  else if constexpr (std::is_same_v<T, std::uint32_t>) return Primitive::kUint32;
  else if constexpr (std::is_same_v<T, std::int64_t>) return Primitive::kInt64;
  else if constexpr (std::is_same_v<T, std::uint64_t>) return Primitive::kUint64;
  else if constexpr (std::is_same_v<T, float>) return Primitive::kFloat32;
  else if constexpr (std::is_same_v<T, double>) return Primitive::kFloat64;
  else if constexpr (std::is_same_v<T, std::string>) return Primitive::kString;
  else if constexpr (std::is_same_v<T, Time>) return Primitive::kTime;
  else if constexpr (std::is_same_v<T, Duration>) return Primitive::kDuration;
  else {
    static_assert(Message<T>, "messages are made of numbers, text, times and messages");
    return Primitive::kMessage;
  }
}

void add_field(MessageDescription& message, FieldName name, Primitive type,
               const MessageDescription* nested, Extent extent, std::size_t size);

/// The description of M, made at the first call.
template <Message M>
const MessageDescription& description_of() {
  static const MessageDescription description = [] {
    MessageDescription made;
    made.name = M::kName;
    if constexpr (requires { M::kConstants; }) {
      made.constants.assign(std::begin(M::kConstants), std::end(M::kConstants));
    }
    M empty;
    M::each(empty, [&made]<class T>(FieldName name, const T&) {
      using Extents = ExtentOf<T>;
      const MessageDescription* nested = nullptr;
      if constexpr (Message<typename Extents::Element>) {
        nested = &description_of<typename Extents::Element>();
      }
      add_field(made, name, primitive_of<typename Extents::Element>(), nested, Extents::kExtent,
                Extents::kSize);
    });
    return made;
  }();
  return description;
}

}  // namespace protobeam::message
