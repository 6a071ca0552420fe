#include "message/message_type.h"

#include <fmt/format.h>
#include <md5.h>
#include <sha2.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <span>
#include <stdexcept>

namespace protobeam::message {
namespace {

enum class Dialect { kRos1, kRos2 };

constexpr std::array<std::string_view, 12> kTypeNames{
    "bool",  "int8",   "uint8",  "int16",   "uint16",  "int32",
    "uint32", "int64", "uint64", "float32", "float64", "string"};

std::string hex(std::span<const std::uint8_t> digest) {
  constexpr char kDigits[] = "0123456789abcdef";
  std::string text;
  for (const std::uint8_t byte : digest) {
    text += kDigits[byte >> 4];
    text += kDigits[byte & 15];
  }
  return text;
}

std::string md5_of(std::string_view text) {
  MD5_CTX context;
  MD5Init(&context);
  MD5Update(&context, reinterpret_cast<const std::uint8_t*>(text.data()), text.size());
  std::array<std::uint8_t, MD5_DIGEST_LENGTH> digest;
  MD5Final(digest.data(), &context);
  return hex(digest);
}

std::string sha256_of(std::string_view text) {
  SHA2_CTX context;
  SHA256Init(&context);
  SHA256Update(&context, reinterpret_cast<const std::uint8_t*>(text.data()), text.size());
  std::array<std::uint8_t, SHA256_DIGEST_LENGTH> digest;
  SHA256Final(digest.data(), &context);
  return hex(digest);
}

std::string package_of(const MessageName& name, Dialect dialect) {
  return std::string(dialect == Dialect::kRos1 ? name.ros1_package : name.ros2_package);
}

std::string short_name(const MessageName& name, Dialect dialect) {
  return fmt::format("{}/{}", package_of(name, dialect), name.name);
}

std::string ros2_name(const MessageName& name) {
  return fmt::format("{}/{}/{}", name.ros2_package, name.folder, name.name);
}

const std::string& name_in(const FieldDescription& field, Dialect dialect) {
  return dialect == Dialect::kRos1 ? field.ros1_name : field.ros2_name;
}

std::string type_name(const FieldDescription& field, Dialect dialect) {
  switch (field.type) {
    case Primitive::kMessage: return short_name(field.nested->name, dialect);
    case Primitive::kTime:
      return dialect == Dialect::kRos1 ? "time" : "builtin_interfaces/Time";
    case Primitive::kDuration:
      return dialect == Dialect::kRos1 ? "duration" : "builtin_interfaces/Duration";
    default: return std::string(kTypeNames.at(static_cast<std::size_t>(field.type)));
  }
}

std::string brackets(const FieldDescription& field) {
  switch (field.extent) {
    case Extent::kOne: return "";
    case Extent::kArray: return fmt::format("[{}]", field.size);
    case Extent::kSequence: return "[]";
  }
  return "";
}

std::string own_text(const MessageDescription& message, Dialect dialect) {
  std::string text;
  for (const Constant& constant : message.constants) {
    text += fmt::format("{} {}={}\n", constant.type, constant.name, constant.value);
  }
  for (const FieldDescription& field : message.fields) {
    const std::string& name = name_in(field, dialect);
    if (name.empty()) continue;
    text += fmt::format("{}{} {}\n", type_name(field, dialect), brackets(field), name);
  }
  return text;
}

/// The messages in `message`, itself not, each once, in the order in which they are met.
void collect_nested(const MessageDescription& message, Dialect dialect,
                    std::vector<const MessageDescription*>& found) {
  for (const FieldDescription& field : message.fields) {
    if (!field.nested || name_in(field, dialect).empty()) continue;
    if (std::ranges::find(found, field.nested) != found.end()) continue;
    found.push_back(field.nested);
    collect_nested(*field.nested, dialect, found);
  }
}

bool has_time(const MessageDescription& message, Primitive type) {
  return std::ranges::any_of(message.fields,
                             [type](const FieldDescription& field) { return field.type == type; });
}

std::string definition(const MessageDescription& message, Dialect dialect) {
  const std::string line(80, '=');
  std::string text = own_text(message, dialect);
  std::vector<const MessageDescription*> nested;
  collect_nested(message, dialect, nested);
  bool time = has_time(message, Primitive::kTime), duration = has_time(message, Primitive::kDuration);
  for (const MessageDescription* inner : nested) {
    text += fmt::format("{}\nMSG: {}\n{}", line, short_name(inner->name, dialect), own_text(*inner, dialect));
    time = time || has_time(*inner, Primitive::kTime);
    duration = duration || has_time(*inner, Primitive::kDuration);
  }
  if (dialect == Dialect::kRos1) return text;
  const std::string body = "int32 sec\nuint32 nanosec\n";
  if (time) text += line + "\nMSG: builtin_interfaces/Time\n" + body;
  if (duration) text += line + "\nMSG: builtin_interfaces/Duration\n" + body;
  return text;
}

std::string ros1_md5(const MessageDescription& message) {
  std::string text;
  for (const Constant& constant : message.constants) {
    text += fmt::format("{} {}={}\n", constant.type, constant.name, constant.value);
  }
  for (const FieldDescription& field : message.fields) {
    if (field.ros1_name.empty()) continue;
    // Where a message stands, its own hash does; its brackets do not count.
    text += field.nested ? ros1_md5(*field.nested) : type_name(field, Dialect::kRos1) + brackets(field);
    text += " " + field.ros1_name + "\n";
  }
  if (!text.empty()) text.pop_back();
  return md5_of(text);
}

// --- RIHS01: a hash of the type's description as JSON, in exactly this form
// (ros2/rosidl, rosidl_generator_type_description/__init__.py).

/// type_description_interfaces/msg/FieldType: the plain type, 48 more for an array, 144 for a sequence.
int type_id(const FieldDescription& field) {
  static const std::map<Primitive, int> kIds{
      {Primitive::kMessage, 1}, {Primitive::kTime, 1},    {Primitive::kDuration, 1},
      {Primitive::kInt8, 2},    {Primitive::kUint8, 3},   {Primitive::kInt16, 4},
      {Primitive::kUint16, 5},  {Primitive::kInt32, 6},   {Primitive::kUint32, 7},
      {Primitive::kInt64, 8},   {Primitive::kUint64, 9},  {Primitive::kFloat32, 10},
      {Primitive::kFloat64, 11}, {Primitive::kBool, 15},  {Primitive::kString, 17}};
  constexpr int kArray = 48, kUnboundedSequence = 144;
  const int id = kIds.at(field.type);
  if (field.extent == Extent::kArray) return id + kArray;
  if (field.extent == Extent::kSequence) return id + kUnboundedSequence;
  return id;
}

std::string json_field(const std::string& name, int id, std::size_t capacity, const std::string& nested) {
  return fmt::format(
      R"({{"name": "{}", "type": {{"type_id": {}, "capacity": {}, "string_capacity": 0, "nested_type_name": "{}"}}}})",
      name, id, capacity, nested);
}

std::string nested_name(const FieldDescription& field) {
  if (field.type == Primitive::kTime) return "builtin_interfaces/msg/Time";
  if (field.type == Primitive::kDuration) return "builtin_interfaces/msg/Duration";
  return field.nested ? ros2_name(field.nested->name) : "";
}

std::string json_type(const std::string& name, const std::string& fields) {
  return fmt::format(R"({{"type_name": "{}", "fields": [{}]}})", name, fields);
}

std::string json_type(const MessageDescription& message) {
  std::string fields;
  for (const FieldDescription& field : message.fields) {
    if (field.ros2_name.empty()) continue;
    if (!fields.empty()) fields += ", ";
    fields += json_field(field.ros2_name, type_id(field),
                         field.extent == Extent::kArray ? field.size : 0, nested_name(field));
  }
  // IDL has no empty structures.
  if (fields.empty()) fields = json_field("structure_needs_at_least_one_member", 3, 0, "");
  return json_type(ros2_name(message.name), fields);
}

std::string ros2_hash(const MessageDescription& message) {
  std::vector<const MessageDescription*> nested;
  collect_nested(message, Dialect::kRos2, nested);
  std::map<std::string, std::string> referenced;  // sorted by name
  const std::string time_fields =
      json_field("sec", 6, 0, "") + ", " + json_field("nanosec", 7, 0, "");
  const auto add_times = [&](const MessageDescription& one) {
    for (const FieldDescription& field : one.fields) {
      if (field.type != Primitive::kTime && field.type != Primitive::kDuration) continue;
      referenced[nested_name(field)] = json_type(nested_name(field), time_fields);
    }
  };
  add_times(message);
  for (const MessageDescription* inner : nested) {
    referenced[ros2_name(inner->name)] = json_type(*inner);
    add_times(*inner);
  }
  std::string all;
  for (const auto& [name, json] : referenced) all += (all.empty() ? "" : ", ") + json;
  return "RIHS01_" +
         sha256_of(fmt::format(R"({{"type_description": {}, "referenced_type_descriptions": [{}]}})",
                               json_type(message), all));
}

}  // namespace

void add_field(MessageDescription& message, FieldName name, Primitive type,
               const MessageDescription* nested, Extent extent, std::size_t size) {
  message.fields.push_back(
      {name.ros1 ? name.ros1 : "", name.ros2 ? name.ros2 : "", type, nested, extent, size});
}

Time time_of(std::int64_t ns) {
  constexpr std::int64_t kSecond = 1'000'000'000;
  if (ns < 0 || ns / kSecond > INT32_MAX) throw std::out_of_range("a time that no message can hold");
  return {static_cast<std::int32_t>(ns / kSecond), static_cast<std::uint32_t>(ns % kSecond)};
}

Duration duration_of(std::int64_t ns) {
  const Time time = time_of(ns);
  return {time.sec, time.nanosec};
}

std::int64_t nanoseconds(double seconds) { return std::llround(seconds * 1e9); }

MessageType make_type(const MessageDescription& description) {
  const MessageName& name = description.name;
  MessageType type;
  type.description = &description;
  type.ros1_name = short_name(name, Dialect::kRos1);
  type.ros1_definition = definition(description, Dialect::kRos1);
  type.ros1_md5 = ros1_md5(description);
  type.ros2_name = ros2_name(name);
  type.ros2_definition = definition(description, Dialect::kRos2);
  type.dds_name = fmt::format("{}::{}::dds_::{}_", name.ros2_package, name.folder, name.name);
  type.ros2_hash = ros2_hash(description);
  return type;
}

}  // namespace protobeam::message
