#include "wbt/template_fields.h"

#include <algorithm>
#include <cctype>
#include <nlohmann/json.hpp>

#include "wbt/expand.h"
#include "wbt/parser.h"
#include "wbt/values.h"

namespace protobeam::wbt {
namespace {

using Json = nlohmann::json;

bool is_part_of_a_name(char c) { return std::isalnum(static_cast<unsigned char>(c)) || c == '_'; }

constexpr std::string_view kFields = "fields";

/// The places behind each `fields` in the text.
template <typename Use>
bool all_fields(std::string_view body, const Use& use) {
  for (auto at = body.find(kFields); at != std::string_view::npos;
       at = body.find(kFields, at + 1)) {
    const bool inside = at > 0 && is_part_of_a_name(body[at - 1]);
    const std::string_view rest = body.substr(at + kFields.size());
    if (inside || (!rest.empty() && is_part_of_a_name(rest[0]))) continue;
    if (!use(rest)) return false;
  }
  return true;
}

/// Each parameter that the body reads stands as fields.NAME in it.
bool names_fields(std::string_view body) {
  return all_fields(body, [](std::string_view rest) {
    return rest.size() > 1 && rest[0] == '.' && is_part_of_a_name(rest[1]);
  });
}

/// There is fields.NAME: as Webots, which tells a template no other ones (WbProtoTemplateEngine).
bool names(std::string_view body, std::string_view name) {
  return !all_fields(body, [name](std::string_view rest) {
    if (rest.empty() || rest[0] != '.' || !rest.substr(1).starts_with(name)) return true;
    rest.remove_prefix(1 + name.size());
    return !rest.empty() && is_part_of_a_name(rest[0]);
  });
}

class FieldWriter {
 public:
  FieldWriter(const SchemaRegistry& schemas,
              const std::function<const Bindings*(const Node&)>& made_by)
      : schemas_(schemas), made_by_(made_by) {}

  Json value(const Value& value, FieldType type) {
    const std::size_t size = static_cast<std::size_t>(std::max(1, components(type)));
    const std::size_t items = value.numbers.size() + value.strings.size() + value.nodes.size();
    if (!is_multi(type)) return items < size ? Json() : element(value, type, 0);
    Json list = Json::array();
    for (std::size_t i = 0; i + size <= items; i += size) list.push_back(element(value, type, i));
    return list;
  }

  Json parameters(const Document& document, const std::vector<Value>& values, bool all) {
    const ProtoInterface& proto = *document.proto;
    const auto body =
        document.source->text().substr(proto.body_begin, proto.body_end - proto.body_begin);
    const bool by_name = !all && names_fields(body);
    Json out = Json::object();
    for (std::size_t i = 0; i < proto.parameters.size(); ++i) {
      const Parameter& parameter = proto.parameters[i];
      if (by_name && !names(body, parameter.name)) continue;
      if (!all && body.find(parameter.name) == std::string_view::npos) continue;
      out[parameter.name] = {{"value", value(values[i], parameter.type)},
                             {"defaultValue", value(parameter.default_value, parameter.type)}};
    }
    return out;
  }

 private:
  Json element(const Value& value, FieldType type, std::size_t at) {
    const double* n = value.numbers.empty() ? nullptr : &value.numbers[at];  // of texts and nodes
    switch (single(type)) {
      case FieldType::kBool:
        return n[0] != 0;
      case FieldType::kInt32:
        return static_cast<std::int64_t>(n[0]);
      case FieldType::kFloat:
        return n[0];
      case FieldType::kVec2f:
        return {{"x", n[0]}, {"y", n[1]}};
      case FieldType::kVec3f:
        return {{"x", n[0]}, {"y", n[1]}, {"z", n[2]}};
      case FieldType::kRotation:
        return {{"x", n[0]}, {"y", n[1]}, {"z", n[2]}, {"a", n[3]}};
      case FieldType::kColor:
        return {{"r", n[0]}, {"g", n[1]}, {"b", n[2]}};
      case FieldType::kString:
        return value.strings[at];
      default:
        return value.nodes[at] ? node(*value.nodes[at]) : Json();
    }
  }

  Json node(const Node& node) {
    const Bindings* made = made_by_(node);
    if (!made) return base(node);
    return {{"node_name", made->document->proto->name},
            {"fields", parameters(*made->document, made->values, true)},
            {"super", base(node)}};
  }

  Json base(const Node& node) {
    Json fields = Json::object();
    if (const NodeSchema* schema = schemas_.find(node.type)) {
      for (const FieldSpec* spec : schemas_.fields(*schema)) {
        const Json usual = value(parse_value(spec->default_text), spec->type);
        const Field* written = node.find(spec->name);
        const bool sound = written && has_kind(written->value, spec->type);
        fields[spec->name] = {{"value", sound ? value(written->value, spec->type) : usual},
                              {"defaultValue", usual}};
      }
    }
    return {{"node_name", node.type}, {"fields", std::move(fields)}};
  }

  const SchemaRegistry& schemas_;
  const std::function<const Bindings*(const Node&)>& made_by_;
};

}  // namespace

nlohmann::json template_fields(const Document& document, const std::vector<Value>& values,
                               const SchemaRegistry& schemas,
                               const std::function<const Bindings*(const Node&)>& made_by) {
  const bool all = std::find(document.tags.begin(), document.tags.end(), "indirectFieldAccess") !=
                   document.tags.end();
  return FieldWriter(schemas, made_by).parameters(document, values, all);
}

}  // namespace protobeam::wbt
