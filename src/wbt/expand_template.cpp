#include "wbt/expand.h"

namespace protobeam::wbt {

std::shared_ptr<const Node> Expander::body(Bindings& bindings, const Place& used_at, Scope& scope) {
  const Document& document = *bindings.document;
  const ProtoInterface& proto = *document.proto;
  if (proto.lua || proto.javascript) {
    diagnostics_.error(proto.place, std::string(proto.lua ? "Lua" : "JavaScript") +
                                        " templates are not supported: PROTO " + proto.name +
                                        " cannot be used");
    return nullptr;
  }
  return document.nodes.empty() ? nullptr : document.nodes[0];
}

}  // namespace protobeam::wbt
