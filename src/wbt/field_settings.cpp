#include "wbt/field_settings.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cctype>
#include <stdexcept>

#include "wbt/old_fields.h"
#include "wbt/parser.h"
#include "wbt/values.h"

namespace protobeam::wbt {
namespace {

std::string_view without_blanks(std::string_view text) {
  const auto first = text.find_first_not_of(" \t\r\n");
  if (first == std::string_view::npos) return {};
  return text.substr(first, text.find_last_not_of(" \t\r\n") - first + 1);
}

Field& field_of(Node& node, std::string_view name) {
  // Of several with one name the last one counts.
  for (auto field = node.fields.rbegin(); field != node.fields.rend(); ++field) {
    if (field->name == name && !field->hidden) return *field;
  }
  node.fields.emplace_back().name = name;
  return node.fields.back();
}

std::string one_string(const Value& value) {
  return value.kind == Value::Kind::kStrings && value.strings.size() == 1 ? value.strings[0] : "";
}

}  // namespace

FieldSetting parse_setting(std::string_view text, std::string origin) {
  const auto equals = text.find('=');
  const auto path = without_blanks(text.substr(0, equals));
  const auto dot = path.rfind('.');
  if (equals == std::string_view::npos || dot == std::string_view::npos || dot == 0 ||
      dot + 1 == path.size()) {
    throw std::invalid_argument(
        fmt::format("'{}' is not PATH=VALUE, such as CAR.maxSpeed=20", text));
  }
  return {std::string(path), std::string(without_blanks(text.substr(equals + 1))),
          std::move(origin)};
}

std::optional<FieldSetter::Path> FieldSetter::path_of(const FieldSetting& setting) {
  const auto source =
      std::make_shared<SourceText>(setting.origin, setting.path + "=" + setting.value);
  const auto size = static_cast<std::uint32_t>(setting.path.size());
  const auto dot = setting.path.rfind('.');
  if (dot == std::string::npos || dot == 0 || dot + 1 == setting.path.size()) {
    diagnostics_.error({source, 0, std::max(size, 1u)},
                       fmt::format("'{}' names no field", setting.path),
                       "write what has the field, a dot and the field: CAR.maxSpeed");
    return std::nullopt;
  }
  const std::string_view path = setting.path;
  const auto at = static_cast<std::uint32_t>(dot);
  return Path{&setting,
              path.substr(0, dot),
              path.substr(dot + 1),
              {source, 0, at},
              {source, at + 1, size - at - 1},
              {source, size + 1,
               std::max<std::uint32_t>(1, static_cast<std::uint32_t>(setting.value.size()))}};
}

void FieldSetter::set_in_text(const Document& document) {
  if (options_.settings.empty()) return;
  for (const NodePtr& node : document.nodes) read_text(node, -1, document);
  for (const FieldSetting& setting : options_.settings) {
    const auto path = path_of(setting);
    if (!path) continue;
    const auto found = in_text(path->owner);
    if (found.empty()) {
      rest_.push_back(*path);
    } else if (const NodePtr node = only(found, *path)) {
      set(node, *path, &document);
    }
  }
}

void FieldSetter::read_text(const NodePtr& node, int parent, const Document& document) {
  if (!node || !node->use.empty()) return;
  const int index = static_cast<int>(text_.size());
  text_.push_back({node, name_in_text(*node, document), parent});
  for (const Field& field : node->fields) {
    for (const NodePtr& child : field.value.nodes) read_text(child, index, document);
  }
}

/// What it is called once it is expanded; "" when the text alone does not say that.
std::string FieldSetter::name_in_text(const Node& node, const Document& document) {
  if (const Field* name = node.find("name")) return one_string(name->value);
  const bool built_in = options_.schemas->find(node.type) &&
                        (is_webots_node(node.type) || !library_.declares(node.type, document));
  if (built_in) return "";
  bool known = false;
  const auto proto = library_.find(node.type, document, node.place, nullptr, known);
  const Parameter* name = proto && proto->proto ? proto->proto->find("name") : nullptr;
  return name ? one_string(name->default_value) : "";
}

std::vector<NodePtr> FieldSetter::in_text(std::string_view owner) const {
  std::vector<NodePtr> found;
  const auto take = [&](const auto& matches) {
    if (!found.empty()) return;
    for (std::size_t i = 0; i < text_.size(); ++i) {
      if (matches(text_[i])) found.push_back(text_[i].node);
    }
  };
  // "A.B": from the last name outwards.
  take([&](const TextNode& node) {
    std::string_view rest = owner;
    const TextNode* at = &node;
    for (bool innermost = true;; innermost = false) {
      const auto dot = rest.rfind('.');
      const auto def = rest.substr(dot == std::string_view::npos ? 0 : dot + 1);
      if (innermost && at->node->def != def) return false;
      while (at->node->def != def && at->parent >= 0)
        at = &text_[static_cast<std::size_t>(at->parent)];
      if (def.empty() || at->node->def != def) return false;
      if (dot == std::string_view::npos) return true;
      if (at->parent < 0) return false;
      at = &text_[static_cast<std::size_t>(at->parent)];
      rest = rest.substr(0, dot);
    }
  });
  take([&](const TextNode& node) { return !node.name.empty() && node.name == owner; });
  take([&](const TextNode& node) { return node.node->type == owner; });
  return found;
}

NodePtr FieldSetter::only(const std::vector<NodePtr>& found, const Path& path) {
  if (found.size() == 1) return found[0];
  const auto first = found[0]->place.to_string(), second = found[1]->place.to_string();
  diagnostics_.error(
      path.place,
      fmt::format("{} nodes are called '{}', at {} and {}{}", found.size(), path.owner, first,
                  second, found.size() > 2 ? " and elsewhere" : ""),
      "give the one that is meant a DEF of its own");
  return nullptr;
}

void FieldSetter::set_in_tree(const std::vector<NodePtr>& nodes) {
  if (rest_.empty()) return;
  for (const NodePtr& node : nodes) read_tree(node, "");
  for (const Path& path : rest_) {
    std::vector<NodePtr> found;
    for (const auto& [name, node] : tree_) {
      const auto slash = name.rfind('/');
      const bool alone = slash != std::string::npos && name.substr(slash + 1) == path.owner;
      if (name == path.owner || alone) found.push_back(node);
    }
    if (!found.empty()) {
      if (const NodePtr node = only(found, path)) set(node, path, nullptr);
      continue;
    }
    std::vector<std::string> known;
    if (diagnostics_.has_errors()) continue;  // it may stand in what could not be read
    for (const TextNode& node : text_) {
      for (const std::string& name : {node.node->def, node.name, node.node->type}) {
        if (!name.empty()) known.push_back(name);
      }
    }
    for (const auto& [name, node] : tree_) {
      known.push_back(name);
      const auto slash = name.rfind('/');
      if (slash != std::string::npos) known.push_back(name.substr(slash + 1));
    }
    diagnostics_.error(path.place,
                       fmt::format("nothing in this world is called '{}': no DEF, name, type or "
                                   "device",
                                   path.owner),
                       did_you_mean(path.owner, known));
  }
}

void FieldSetter::read_tree(const NodePtr& node, const std::string& robot) {
  if (!node || !seen_.insert(node.get()).second) return;
  const SchemaRegistry& schemas = *options_.schemas;
  std::string inside = robot;
  const bool is_robot = schemas.is_a(node->type, "Robot");
  const bool named = is_robot || schemas.is_a(node->type, "Solid") ||
                     schemas.is_a(node->type, "BodyDevice") || is_joint_device(schemas, node->type);
  const NodeSchema* schema = named ? schemas.find(node->type) : nullptr;
  if (const FieldSpec* spec = schema ? schemas.find_field(*schema, "name") : nullptr) {
    const Field* written = node->find("name");
    const std::string name = one_string(written ? written->value : parse_value(spec->default_text));
    if (is_robot) {
      inside = name;
      tree_.emplace_back(name, node);
    } else if (!robot.empty() && !name.empty()) {
      tree_.emplace_back(fmt::format("{}/{}", robot, name), node);
    }
  }
  for (const Field& field : node->fields) {
    for (const NodePtr& child : field.value.nodes) read_tree(child, inside);
  }
}

void FieldSetter::set(const NodePtr& node, const Path& path, const Document* document) {
  const std::string name(path.field);
  std::vector<std::string> known;
  std::optional<FieldType> type;
  const NodeSchema* schema = options_.schemas->find(node->type);
  if (document && schema && !is_webots_node(node->type) &&
      library_.declares(node->type, *document)) {
    schema = nullptr;  // as the expander has it: a PROTO by the name of a type of ours
  }
  if (schema) {
    for (const FieldSpec* spec : options_.schemas->fields(*schema)) {
      if (spec->name == name) type = spec->type;
      if (!spec->alias_of) known.emplace_back(spec->name);
    }
  } else {
    bool declared = false;
    const auto proto = library_.find(node->type, *document, node->place, nullptr, declared);
    if (!proto || !proto->proto) return;  // the expander says what is wrong with it
    for (const Parameter& parameter : proto->proto->parameters) {
      if (parameter.name == name) type = parameter.type;
      known.push_back(parameter.name);
    }
  }
  if (!type) {
    Diagnostic diagnostic{Severity::kError, path.field_place,
                          fmt::format("{} has no field '{}'", node->type, name),
                          did_you_mean(name, known)};
    diagnostic.notes.push_back(fmt::format("fields of {}: {}", node->type, fmt::join(known, ", ")));
    diagnostics_.add(std::move(diagnostic));
    return;
  }
  const std::string subject = fmt::format("field '{}' of {}", name, node->type);
  if (!document && single(*type) == FieldType::kNode) {
    diagnostics_.error(path.field_place,
                       subject + " holds nodes: it can be set in the world's text only");
    return;
  }
  auto value = read_value(path, *type, subject);
  if (!value) return;
  Field& field = field_of(*node, name);
  field.place = path.field_place;
  field.value = std::move(*value);
  field.from = {};
}

/// As a file has it, and easier: a string needs no quotes, a list no brackets.
std::optional<Value> FieldSetter::read_value(const Path& path, FieldType type,
                                             const std::string& subject) {
  const std::string& text = path.setting->value;
  const auto& source = path.value_place.source;
  const ValueContext context{subject, nullptr, diagnostics_};
  const bool quoted = text.starts_with('"') || text.starts_with('[');
  const bool word = !text.empty() && std::isalpha(static_cast<unsigned char>(text[0])) &&
                    single(type) != FieldType::kNode && text != "TRUE" && text != "FALSE";
  if (word || (single(type) == FieldType::kString && !quoted)) {
    Value value;
    value.kind = Value::Kind::kStrings;
    value.strings = {text};
    value.offsets = {path.value_place.offset};
    value.place = path.value_place;
    return fit(value, type, context) ? std::optional(std::move(value)) : std::nullopt;
  }
  if (text.empty()) {
    diagnostics_.error(path.field_place, subject + " gets no value");
    return std::nullopt;
  }
  ParseInput input;
  input.source = source;
  input.text = source->text();
  input.begin = path.value_place.offset;
  input.end = static_cast<std::uint32_t>(source->text().size());
  Parser parser(std::move(input), diagnostics_);
  Value value = parser.only_value();
  if (parser.failed()) return std::nullopt;
  const bool list = is_multi(type) && value.kind != Value::Kind::kNodes;
  if (list && value.kind != Value::Kind::kEmpty) value.bracketed = true;
  return fit(value, type, context) ? std::optional(std::move(value)) : std::nullopt;
}

}  // namespace protobeam::wbt
