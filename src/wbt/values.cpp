#include "wbt/values.h"

#include <fmt/format.h>

#include <charconv>
#include <cmath>
#include <limits>

#include "base/libm.h"
#include "base/math.h"

namespace protobeam::wbt {
namespace {

const char* element_words(FieldType type) {
  switch (single(type)) {
    case FieldType::kBool:
      return "TRUE or FALSE";
    case FieldType::kInt32:
      return "a whole number";
    case FieldType::kFloat:
      return "a number";
    case FieldType::kVec2f:
      return "2 numbers";
    case FieldType::kVec3f:
      return "3 numbers";
    case FieldType::kColor:
      return "3 numbers";
    case FieldType::kRotation:
      return "4 numbers";
    case FieldType::kString:
      return "a string";
    default:
      return "a node";
  }
}

std::string wanted(FieldType type) {
  std::string out(to_string(type));
  out += is_multi(type) ? " (list, each " : " (";
  return out + element_words(type) + ")";
}

std::string counted(std::size_t count, const char* what) {
  return std::to_string(count) + " " + what + (count == 1 ? "" : "s");
}

std::string found(const Value& value) {
  std::string out;
  switch (value.kind) {
    case Value::Kind::kEmpty:
      return "an empty list";
    case Value::Kind::kIs:
      return "IS " + value.strings[0];
    case Value::Kind::kBools:
      out = value.numbers.size() == 1 ? (value.numbers[0] != 0 ? "TRUE" : "FALSE")
                                      : counted(value.numbers.size(), "truth value");
      break;
    case Value::Kind::kNumbers:
      out = value.numbers.size() == 1 ? shown(value.numbers[0])
                                      : counted(value.numbers.size(), "number");
      break;
    case Value::Kind::kStrings:
      out = value.strings.size() == 1 ? "\"" + value.strings[0] + "\""
                                      : counted(value.strings.size(), "string");
      break;
    case Value::Kind::kNodes:
      out = value.nodes.size() != 1 ? counted(value.nodes.size(), "node")
            : value.nodes[0]        ? "a node"
                                    : "NULL";
      break;
  }
  return value.bracketed ? "the list [ " + out + " ]" : out;
}

Value::Kind kind_of(FieldType type) {
  switch (single(type)) {
    case FieldType::kBool:
      return Value::Kind::kBools;
    case FieldType::kString:
      return Value::Kind::kStrings;
    case FieldType::kNode:
      return Value::Kind::kNodes;
    default:
      return Value::Kind::kNumbers;
  }
}

std::size_t item_count(const Value& value) {
  return value.numbers.size() + value.strings.size() + value.nodes.size();
}

bool truncate(Value& value, const ValueContext& context) {
  using Limits = std::numeric_limits<std::int32_t>;
  for (std::size_t i = 0; i < value.numbers.size(); ++i) {
    const double number = value.numbers[i];
    if (number < Limits::min() || number > Limits::max()) {
      const std::string message = context.subject + " must fit in 32 bits, got " + shown(number);
      if (!context.diagnostics.lenient()) {
        context.diagnostics.error(value.element_place(i), message, "", context.chain);
        return false;
      }
      // QString::toInt, by which WbToken reads whole numbers, gives 0 for what it cannot hold.
      context.diagnostics.warning(value.element_place(i), message + ": 0 counts, as in Webots", "",
                                  context.chain);
      value.numbers.edit()[i] = 0;
      continue;
    }
    if (std::isnan(number) || number == std::trunc(number)) continue;
    context.diagnostics.warning(value.element_place(i),
                                context.subject + " must be a whole number: " + shown(number) +
                                    " is taken as " + shown(std::trunc(number)),
                                "", context.chain);
    value.numbers.edit()[i] = std::trunc(number);
  }
  return true;
}

/// A whole number of degrees beyond a turn is hardly an angle in radians.
bool looks_like_degrees(double angle) { return std::abs(angle) >= 10 && std::fmod(angle, 5) == 0; }

void normalise_axes(Value& value, const ValueContext& context) {
  for (std::size_t i = 0; i + 3 < value.numbers.size(); i += 4) {
    const double* const r = &value.numbers[i];
    if (looks_like_degrees(r[3])) {
      context.diagnostics.warning(
          value.element_place(i + 3), context.subject + " turns by " + shown(r[3]) + " rad",
          fmt::format("{} degrees are {:.5g}", shown(r[3]), r[3] * kPi / 180), context.chain);
    }
    const double length = libm::hypot(r[0], r[1], r[2]);
    if (!(length > 0)) {
      context.diagnostics.warning(value.element_place(i),
                                  context.subject + " has no axis (0 0 0): taken as no rotation",
                                  "", context.chain);
      double* const turn = &value.numbers.edit()[i];
      turn[0] = turn[1] = turn[3] = 0;
      turn[2] = 1;
    } else if (std::abs(length - 1) > 1e-12) {
      double* const turn = &value.numbers.edit()[i];
      for (int k = 0; k < 3; ++k) turn[k] /= length;
    }
  }
}

}  // namespace

std::string shown(double number) {
  char buffer[32];
  return {buffer, std::to_chars(buffer, buffer + sizeof buffer, number).ptr};
}

bool has_kind(const Value& value, FieldType type) {
  return value.kind == Value::Kind::kEmpty || value.kind == kind_of(type);
}

bool fit(Value& value, FieldType type, const ValueContext& context) {
  const auto fail = [&](const Place& place, std::string hint = {}) {
    context.diagnostics.error(
        place, context.subject + " must be " + wanted(type) + ", got " + found(value),
        std::move(hint), context.chain);
    return false;
  };
  const auto size = static_cast<std::size_t>(components(type));
  if (value.kind == Value::Kind::kEmpty) return is_multi(type) || fail(value.place);
  if (value.kind != kind_of(type)) return fail(value.place);
  const std::size_t per_element = size > 0 ? size : 1;
  const std::size_t items = item_count(value);
  if (!is_multi(type)) {
    if (value.bracketed) return fail(value.place, "write it without [ ]");
    if (items != per_element) return fail(value.place);
  } else if (!value.bracketed && items != per_element) {
    return fail(value.place, items % per_element == 0 ? "write several values in [ ]" : "");
  } else if (items % per_element != 0) {
    context.diagnostics.error(value.element_place(items - items % per_element),
                              context.subject + " must be " + wanted(type) + ", got " +
                                  counted(items, "number") + ", no multiple of " +
                                  std::to_string(per_element),
                              "", context.chain);
    return false;
  }
  if (is_multi(type) && value.kind == Value::Kind::kNodes && !value.bracketed && !value.nodes[0]) {
    value.nodes.clear();  // `children NULL`
    value.offsets = {};
    value.kind = Value::Kind::kEmpty;
    return true;
  }
  if (single(type) == FieldType::kInt32) return truncate(value, context);
  if (single(type) == FieldType::kRotation) normalise_axes(value, context);
  return true;
}

std::size_t element_count(const Value& value, FieldType type) {
  const int size = components(type);
  return item_count(value) / static_cast<std::size_t>(size > 0 ? size : 1);
}

std::size_t nodes_worth(const Value& value) {
  constexpr std::size_t kNumbersPerNode = 32, kBytesPerNode = 256;
  std::size_t bytes = 0;
  for (const auto& text : value.strings) bytes += text.size() + sizeof text;
  return value.numbers.size() / kNumbersPerNode + bytes / kBytesPerNode;
}

bool equal_values(const Value& a, const Value& b) {
  return a.numbers == b.numbers && a.strings == b.strings && a.nodes.empty() && b.nodes.empty();
}

bool too_many(Diagnostics& diagnostics) {
  constexpr int kMaxErrors = 1000;
  if (diagnostics.error_count() < kMaxErrors) return false;
  diagnostics.error({}, "too many mistakes: the rest of them is not told");
  return true;
}

std::shared_ptr<const Instantiation> chain_of(const Place& value, const Place& node,
                                              std::shared_ptr<const Instantiation> chain) {
  const SourceText* body = node.source.get();
  while (chain && body != value.source.get()) {
    body = chain->place.source.get();
    chain = chain->parent;
  }
  return chain;
}

}  // namespace protobeam::wbt
