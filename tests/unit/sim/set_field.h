// A field as a supervisor sets it, for tests.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "sim/supervisor/supervisor.h"

namespace protobeam {

/// Of the node with that DEF; `index`: of an element.
inline link::SupervisorAnswer set_field(Simulation& simulation, const std::string& def,
                                        const std::string& field, std::vector<double> numbers,
                                        int index = -1) {
  LiveTree& tree = simulation.tree();
  const auto node = tree.node(tree.from_def(def));
  link::SupervisorRequest request;
  request.op = link::SupervisorOp::kSetField;
  request.node = tree.id(node.get());
  request.field = tree.address(tree.field_of(node, field));
  request.numbers = std::move(numbers);
  request.index = index;
  return simulation.supervisor().answer(0, {&request, 1}).at(0);
}

}  // namespace protobeam
