#include "json_cdr.h"

#include <algorithm>
#include <limits>
#include <stdexcept>
#include <string>

namespace protobeam::foxglove {
namespace {

using message::Extent;
using message::FieldDescription;
using message::MessageDescription;
using message::Primitive;
using nlohmann::json;
using CdrWriter = message::Writer<message::Encoding::kCdr>;

/// Calls `use` with a value of the C++ type that stands for a plain type.
template <class F>
void with_type(Primitive type, F use) {
  switch (type) {
    case Primitive::kBool:
      return use(bool{});
    case Primitive::kInt8:
      return use(std::int8_t{});
    case Primitive::kUint8:
      return use(std::uint8_t{});
    case Primitive::kInt16:
      return use(std::int16_t{});
    case Primitive::kUint16:
      return use(std::uint16_t{});
    case Primitive::kInt32:
      return use(std::int32_t{});
    case Primitive::kUint32:
      return use(std::uint32_t{});
    case Primitive::kInt64:
      return use(std::int64_t{});
    case Primitive::kUint64:
      return use(std::uint64_t{});
    case Primitive::kFloat32:
      return use(float{});
    case Primitive::kFloat64:
      return use(double{});
    case Primitive::kString:
      return use(std::string{});
    case Primitive::kTime:
      return use(message::Time{});
    case Primitive::kDuration:
      return use(message::Duration{});
    case Primitive::kMessage:
      break;
  }
  throw std::logic_error("a message is no plain type");
}

[[noreturn]] void fail(const std::string& where, const char* what) {
  throw std::runtime_error((where.empty() ? "the message" : where) + ": " + what);
}

void take(const json& value, const std::string& where, bool& out) {
  if (!value.is_boolean()) fail(where, "not true or false");
  out = value.get<bool>();
}

template <std::integral T>
void take(const json& value, const std::string& where, T& out) {
  if (value.is_number_unsigned()) {
    const auto number = value.get<std::uint64_t>();
    if (number > static_cast<std::uint64_t>(std::numeric_limits<T>::max()))
      fail(where, "too large");
    out = static_cast<T>(number);
  } else if (value.is_number_integer()) {
    const auto number = value.get<std::int64_t>();
    if (number < static_cast<std::int64_t>(std::numeric_limits<T>::min())) fail(where, "too small");
    out = static_cast<T>(number);
  } else {
    fail(where, "not a whole number");
  }
}

template <std::floating_point T>
void take(const json& value, const std::string& where, T& out) {
  if (value.is_null()) {
    out = std::numeric_limits<T>::quiet_NaN();
  } else if (value.is_number()) {
    out = static_cast<T>(value.get<double>());
  } else {
    fail(where, "not a number");
  }
}

void take(const json& value, const std::string& where, std::string& out) {
  if (!value.is_string()) fail(where, "not a text");
  out = value.get<std::string>();
}

/// Time or Duration.
template <class T>
requires requires(T time) { time.nanosec; }
void take(const json& value, const std::string& where, T& out) {
  if (!value.is_object()) fail(where, "not an object");
  for (const auto& [name, part] : value.items()) {
    if (name == "sec") {
      take(part, where + ".sec", out.sec);
    } else if (name == "nanosec" || name == "nsec") {
      take(part, where + "." + name, out.nanosec);
    } else {
      fail(where, "only sec and nanosec belong here");
    }
  }
}

/// IDL has no empty structures: ROS 2 sends a byte for one.
bool is_empty(const MessageDescription& description) { return description.fields.empty(); }

void write_message(const json& value, const MessageDescription& description,
                   const std::string& where, CdrWriter& out);

void write_one(const json& value, const FieldDescription& field, const std::string& where,
               CdrWriter& out) {
  if (field.nested) return write_message(value, *field.nested, where, out);
  with_type(field.type, [&](auto number) {
    if (!value.is_discarded()) take(value, where, number);
    out.write(number);
  });
}

/// A value that is "discarded" stands for one that is missing.
void write_field(const json& value, const FieldDescription& field, const std::string& where,
                 CdrWriter& out) {
  if (field.extent == Extent::kOne) return write_one(value, field, where, out);
  const bool missing = value.is_discarded();
  if (!missing && !value.is_array()) fail(where, "not an array");
  if (field.extent == Extent::kSequence) {
    out.write(static_cast<std::uint32_t>(missing ? 0 : value.size()));
  } else if (missing) {
    for (std::size_t i = 0; i < field.size; ++i) write_one(value, field, where, out);
  } else if (value.size() != field.size) {
    fail(where, ("not " + std::to_string(field.size) + " values").c_str());
  }
  if (missing) return;
  for (const json& one : value) write_one(one, field, where, out);
}

void write_message(const json& value, const MessageDescription& description,
                   const std::string& where, CdrWriter& out) {
  const bool missing = value.is_discarded();
  if (!missing && !value.is_object()) fail(where, "not an object");
  const std::string before = where.empty() ? "" : where + ".";
  if (!missing) {
    for (const auto& [name, part] : value.items()) {
      if (std::ranges::find(description.fields, name, &FieldDescription::ros2_name) ==
              description.fields.end() ||
          name.empty()) {
        fail(before + name, "there is no such field");
      }
    }
  }
  const json nothing(json::value_t::discarded);
  for (const FieldDescription& field : description.fields) {
    if (field.ros2_name.empty()) continue;
    const bool here = !missing && value.contains(field.ros2_name);
    write_field(here ? value[field.ros2_name] : nothing, field, before + field.ros2_name, out);
  }
  if (is_empty(description)) out.write(std::uint8_t{0});
}

void skip_message(message::CdrReader& in, const MessageDescription& description);

void skip_one(message::CdrReader& in, const FieldDescription& field) {
  if (field.nested) return skip_message(in, *field.nested);
  with_type(field.type, [&](auto value) { in.read(value); });
}

void skip_message(message::CdrReader& in, const MessageDescription& description) {
  for (const FieldDescription& field : description.fields) {
    if (field.ros2_name.empty()) continue;
    std::uint32_t count =
        field.extent == Extent::kArray ? static_cast<std::uint32_t>(field.size) : 1;
    if (field.extent == Extent::kSequence) in.read(count);
    // Each takes at least a byte: a count that cannot be ends with the bytes.
    for (std::uint32_t i = 0; i < count; ++i) skip_one(in, field);
  }
  std::uint8_t filler = 0;
  if (is_empty(description)) in.read(filler);
}

/// How deep brackets are nested; those in texts do not count.
int depth_of(std::string_view text) {
  int depth = 0, most = 0;
  bool quoted = false;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    if (quoted && c == '\\') {
      ++i;
    } else if (c == '"') {
      quoted = !quoted;
    } else if (!quoted && (c == '[' || c == '{')) {
      most = std::max(most, ++depth);
    } else if (!quoted && (c == ']' || c == '}')) {
      --depth;
    }
  }
  return most;
}

}  // namespace

json parse_json(std::string_view text) {
  if (text.size() > kMostJson) throw std::runtime_error("JSON of more than 1 MB");
  if (depth_of(text) > 64) throw std::runtime_error("JSON that is nested too deep");
  json parsed = json::parse(text, nullptr, false);
  if (parsed.is_discarded()) throw std::runtime_error("not JSON");
  return parsed;
}

message::Bytes json_to_cdr(const json& json, const MessageDescription& description) {
  message::Bytes bytes(message::kCdrHeader.begin(), message::kCdrHeader.end());
  CdrWriter out(bytes);
  write_message(json, description, "", out);
  return bytes;
}

void check_cdr(std::span<const std::uint8_t> cdr, const MessageDescription& description) {
  message::CdrReader in(cdr);
  skip_message(in, description);
}

}  // namespace protobeam::foxglove
