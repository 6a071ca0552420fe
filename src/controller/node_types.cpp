// Webots' numbers of node types.
#include <webots/nodes.h>

#include <string_view>

#include "controller/supervisor_access.h"

namespace protobeam::controller {

WbNodeType node_type_of(const std::string& name) {
  for (int type = WB_NODE_NO_NODE + 1;; ++type) {
    const char* known = wb_node_get_name(static_cast<WbNodeType>(type));
    if (!known) return WB_NODE_NO_NODE;  // behind the last one
    if (name == known) return static_cast<WbNodeType>(type);
  }
}

}  // namespace protobeam::controller
