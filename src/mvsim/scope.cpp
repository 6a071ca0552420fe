#include "mvsim/scope.h"

namespace protobeam::mvsim {

const std::string* find_variable(const std::string& name, const Scope& scope,
                                 const WorldVariables& world) {
  const auto in = [&](const Variables& variables) -> const std::string* {
    const auto found = variables.find(name);
    return found == variables.end() ? nullptr : &found->second;
  };
  for (const Frame* frame = scope.frame.get(); frame; frame = frame->parent.get()) {
    if (const auto* value = in(frame->values)) return value;
  }
  if (scope.at_class) {
    if (const auto* value = in(*scope.at_class)) return value;
  }
  return in(world.values());
}

std::vector<std::string> variable_names(const Scope& scope, const WorldVariables& world) {
  std::vector<std::string> names;
  const auto add = [&](const Variables& variables) {
    for (const auto& [name, value] : variables) names.push_back(name);
  };
  for (const Frame* frame = scope.frame.get(); frame; frame = frame->parent.get()) {
    add(frame->values);
  }
  if (scope.at_class) add(*scope.at_class);
  add(world.values());
  names.push_back("MVSIM_CURRENT_FILE_DIRECTORY");
  return names;
}

}  // namespace protobeam::mvsim
