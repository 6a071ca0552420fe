// PROTO bodies with templates: their fields as JSON, the rendered text as a tree.
#include <nlohmann/json.hpp>

#include "wbt/expand.h"
#include "wbt/parser.h"
#include "wbt/template_fields.h"

namespace protobeam::wbt {
namespace {

std::string dumped(const nlohmann::json& json) {
  return json.dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
}

}  // namespace

std::shared_ptr<const Node> Expander::body(Bindings& bindings, const Place& used_at, Scope& scope) {
  const Document& document = *bindings.document;
  const ProtoInterface& proto = *document.proto;
  if (!proto.javascript && !proto.lua) {
    return document.nodes.empty() ? nullptr : document.nodes[0];
  }
  const auto rendered = render(bindings, used_at, scope);
  if (!rendered) return nullptr;
  scope.def_names = &rendered->def_names;
  return rendered->root;
}

std::shared_ptr<const Expander::RenderedBody> Expander::render(const Bindings& bindings,
                                                               const Place& used_at,
                                                               const Scope& scope) {
  const Document& document = *bindings.document;
  const ProtoInterface& proto = *document.proto;
  TemplateRequest request;
  request.language = proto.lua ? TemplateLanguage::kLua : TemplateLanguage::kJavaScript;
  request.source = document.source;
  request.body_begin = proto.body_begin;
  request.body_end = proto.body_end;
  request.expanded_from = scope.chain;
  request.fields_json = dumped(template_fields(document, bindings.values, *options_.schemas,
                                               [this](const Node& node) { return made_by(node); }));
  nlohmann::json context = {
      {"world", world_.string()},
      {"proto", document.file.string()},
      {"project_path", project_.string()},
      {"webots_version", {{"major", to_string(kR2025a)}, {"revision", "0"}}},
      {"webots_home", ""},
      {"temporary_files_path", ""},
      {"os", "linux"},
      {"coordinate_system", coordinate_system_},
  };
  // Instances with the same values have the same body, unless it asks which instance it is.
  const auto text =
      document.source->text().substr(proto.body_begin, proto.body_end - proto.body_begin);
  const bool individual = text.find("context") != std::string_view::npos ||
                          text.find("andom") != std::string_view::npos;
  context["id"] = individual ? std::to_string(++instances_with_id_) : "0";
  request.context_json = dumped(context);
  const std::string key = document.file.string() + '\n' + request.fields_json +
                          (individual ? '\n' + request.context_json : "");
  const auto known = rendered_.find(key);
  if (known != rendered_.end()) return known->second;
  auto& slot = rendered_[key];

  RenderedText out;
  if (!render(request, individual, out)) return nullptr;
  ParseInput input;
  input.source = document.source;
  input.text = out.text;
  input.end = static_cast<std::uint32_t>(out.text.size());
  input.rendered = &out;
  input.expanded_from = scope.chain;
  Parser parser(std::move(input), diagnostics_);
  auto nodes = parser.nodes();
  if (nodes.size() != 1) {
    if (!parser.failed()) {
      diagnostics_.error(proto.place,
                         "the body of PROTO " + proto.name + " makes " +
                             std::to_string(nodes.size()) + " root nodes, expected one",
                         "", scope.chain);
    }
    return nullptr;
  }
  slot = std::make_shared<RenderedBody>(RenderedBody{nodes[0], parser.take_def_names()});
  return slot;
}

bool Expander::render(const TemplateRequest& request, bool individual, RenderedText& out) {
  if (!engine_) {
    TemplateLimits limits;
    limits.seconds = options_.template_seconds;
    limits.bytes = options_.template_bytes;
    engine_ = std::make_unique<TemplateEngine>(limits);
    templates_ = std::make_unique<TemplateCache>();
  }
  if (auto known = templates_->find(request, individual)) {
    out = std::move(*known);
    return true;
  }
  const std::size_t messages = diagnostics_.all().size();
  if (!engine_->render(request, out, diagnostics_)) return false;
  // What it has said is to be said each time.
  if (diagnostics_.all().size() == messages) templates_->store(request, individual, out);
  return true;
}

const Bindings* Expander::made_by(const Node& node) const {
  const auto found = instances_.find(&node);
  return found != instances_.end() && found->second.node.lock().get() == &node
             ? found->second.bindings.get()
             : nullptr;
}

}  // namespace protobeam::wbt
