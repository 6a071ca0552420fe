#include "publish/parameter_server.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>
#include <utility>

namespace protobeam {
namespace {

using message::Parameter;
using message::ParameterValue;
using message::SetParametersResult;

bool same(const ParameterValue& a, const ParameterValue& b) {
  return message::to_cdr(a) == message::to_cdr(b);
}

ParameterServer::Value value_of(std::string name, ParameterValue::Type type,
                                const char* description) {
  ParameterServer::Value out{std::move(name), {}, description};
  out.value.type = type;
  return out;
}

}  // namespace

ParameterServer::Value ParameterServer::flag(const char* name, bool value,
                                             const char* description) {
  Value out = value_of(name, ParameterValue::kBool, description);
  out.value.bool_value = value;
  return out;
}

ParameterServer::Value ParameterServer::integer(const char* name, std::int64_t value,
                                                const char* description) {
  Value out = value_of(name, ParameterValue::kInteger, description);
  out.value.integer_value = value;
  return out;
}

ParameterServer::Value ParameterServer::text(std::string name, std::string value,
                                             const char* description) {
  Value out = value_of(std::move(name), ParameterValue::kString, description);
  out.value.string_value = std::move(value);
  return out;
}

ParameterServer::Value ParameterServer::texts(const char* name, std::vector<std::string> values,
                                              const char* description) {
  Value out = value_of(name, ParameterValue::kStringArray, description);
  out.value.string_array_value = std::move(values);
  return out;
}

template <class S, class Handle>
void ParameterServer::offer(const char* name, Handle handle) {
  services_.offer<S>(
      fmt::format("{}/{}", node_, name), this,
      [handle](const typename S::Request& request, const Asker&) {
        typename S::Response response;
        handle(request, response);
        return std::optional(std::move(response));
      },
      nullptr, is_main_ ? "" : node_);
}

ParameterServer::ParameterServer(ServiceTable& services, std::string node, bool is_main,
                                 std::vector<Value> values, Set set)
    : services_(services),
      node_(std::move(node)),
      is_main_(is_main),
      values_(std::move(values)),
      set_(std::move(set)) {
  offer<message::ListParameters>(
      "list_parameters", [this](const auto& asked, auto& out) { out.result = list(asked); });
  offer<message::GetParameters>("get_parameters", [this](const auto& asked, auto& out) {
    for (const std::string& name : asked.names) {
      const Value* one = find(name);
      out.values.push_back(one ? one->value : ParameterValue());
    }
  });
  offer<message::GetParameterTypes>("get_parameter_types", [this](const auto& asked, auto& out) {
    for (const std::string& name : asked.names) {
      const Value* one = find(name);
      out.types.push_back(one ? one->value.type : std::uint8_t{ParameterValue::kNotSet});
    }
  });
  offer<message::DescribeParameters>("describe_parameters", [this](const auto& asked, auto& out) {
    for (const std::string& name : asked.names) {
      message::ParameterDescriptor& made = out.descriptors.emplace_back();
      made.name = name;
      const Value* one = find(name);
      if (!one) continue;
      made.type = one->value.type;
      made.description = one->description;
      made.read_only = true;
    }
  });
  offer<message::SetParameters>("set_parameters", [this](const auto& asked, auto& out) {
    for (const Parameter& one : asked.parameters) out.results.push_back(this->set(one));
  });
  offer<message::SetParametersAtomically>("set_parameters_atomically",
                                          [this](const auto& asked, auto& out) {
                                            out.result = {true, ""};
                                            for (const Parameter& one : asked.parameters)
                                              if (out.result.successful)
                                                out.result = this->set(one);
                                          });
}

const ParameterServer::Value* ParameterServer::find(const std::string& name) const {
  const auto found = std::ranges::find(values_, name, &Value::name);
  return found == values_.end() ? nullptr : &*found;
}

/// As rclcpp lists them (rclcpp, node_parameters.cpp, list_parameters).
message::ListParametersResult ParameterServer::list(
    const message::ListParameters::Request& asked) const {
  const auto within = [&](std::string_view rest) {
    const auto dots = static_cast<std::uint64_t>(std::ranges::count(rest, '.'));
    return asked.depth == 0 || dots < asked.depth;
  };
  message::ListParametersResult out;
  std::set<std::string> prefixes;
  for (const Value& one : values_) {
    const std::string_view name = one.name;
    const auto fits = [&](const std::string& prefix) {
      return name == prefix ||
             (name.starts_with(prefix + ".") && within(name.substr(prefix.size() + 1)));
    };
    if (asked.prefixes.empty() ? !within(name) : std::ranges::none_of(asked.prefixes, fits))
      continue;
    out.names.push_back(one.name);
    const auto dot = one.name.rfind('.');
    if (dot != std::string::npos) prefixes.insert(one.name.substr(0, dot));
  }
  out.prefixes.assign(prefixes.begin(), prefixes.end());
  return out;
}

SetParametersResult ParameterServer::set(const Parameter& parameter) const {
  const Value* one = find(parameter.name);
  if (one && same(one->value, parameter.value)) return {true, ""};
  if (set_) return set_(parameter);
  return {false, one ? fmt::format("'{}' is as the simulation has it: it cannot be set", one->name)
                     : fmt::format("there is no parameter '{}'", parameter.name)};
}

}  // namespace protobeam
