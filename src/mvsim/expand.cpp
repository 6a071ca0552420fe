#include "mvsim/expand.h"

#include <algorithm>
#include <cmath>

#include "wbt/values.h"

namespace protobeam::mvsim {
namespace {

bool is_class(const std::string& tag) {
  return tag == "vehicle:class" || tag == "block:class" || tag == "actor:class";
}
bool is_entity(const std::string& tag) {
  return tag == "vehicle" || tag == "block" || tag == "actor";
}

bool is_one_of(std::string_view word, std::initializer_list<std::string_view> words) {
  return std::find(words.begin(), words.end(), word) != words.end();
}

std::string lowered(std::string text) {
  for (char& c : text) c = c >= 'A' && c <= 'Z' ? static_cast<char>(c + 32) : c;
  return text;
}

std::shared_ptr<const Instantiation> step(std::string what, const Place& place,
                                          const std::shared_ptr<const Instantiation>& chain) {
  return std::make_shared<Instantiation>(Instantiation{std::move(what), place, chain});
}

}  // namespace

Expander::Expander(const LoadOptions& options, FileLibrary& files, Diagnostics& diagnostics)
    : options_(options),
      files_(files),
      diagnostics_(diagnostics),
      random_(options.seed, 0),
      aside_(options.seed, 1),
      substitution_(options, variables_, random_, diagnostics),
      substitution_aside_(options, variables_, aside_, diagnostics) {}

Scope Expander::file_scope(const std::shared_ptr<const XmlFile>& file) const {
  Scope scope;
  scope.file = file;
  scope.open_files = std::make_shared<OpenFile>(OpenFile{file.get(), nullptr, 1});
  return scope;
}

void Expander::world(const std::shared_ptr<const XmlFile>& file, Element& root) {
  const Scope scope = file_scope(file);
  root = element(file->roots.front(), scope);
  depth_ = 1;
  all(file->roots.front().children, scope, Where::kWorld, root.children);
}

std::vector<Element> Expander::definitions(const std::shared_ptr<const XmlFile>& file) {
  Elements out;
  all(file->roots, file_scope(file), Where::kWorld, out);
  return out;
}

std::vector<Element> Expander::unused_classes() {
  Elements out;
  values_ = &substitution_aside_;
  for (const auto& key : class_order_) {
    Class& one = classes_.at(key);
    if (one.used) continue;
    Element made = element(*one.node, one.scope);
    const Text* name = made.attribute("name");
    const Scope inside = one.scope.with({{"NAME", name ? name->value : ""}});
    ++depth_;
    all(one.node->children, inside, Where::kInside, made.children);
    --depth_;
    out.push_back(std::move(made));
  }
  values_ = &substitution_;
  return out;
}

bool Expander::stopped() { return stopped_ || (stopped_ = wbt::too_many(diagnostics_)); }

bool Expander::count(const Place& place, const Scope& scope) {
  if (stopped()) return false;
  if (++elements_ <= options_.limits.elements) return true;
  diagnostics_.error(place,
                     "the world has more than " + std::to_string(options_.limits.elements) +
                         " elements and rounds of loops",
                     {}, scope.chain);
  stopped_ = true;
  return false;
}

void Expander::all(const std::vector<xml::Element>& nodes, const Scope& scope, Where where,
                   Elements& out) {
  for (const auto& node : nodes) {
    if (!count(node.place, scope)) return;
    one(node, scope, where, out);
  }
}

void Expander::one(const xml::Element& node, const Scope& scope, Where where, Elements& out) {
  if (depth_ > options_.limits.nesting) {
    diagnostics_.error(
        node.place,
        "more than " + std::to_string(options_.limits.nesting) + " elements in each other", {},
        scope.chain);
    return;
  }
  ++depth_;
  if (node.tag == "include") {
    include(node, scope, where, out);
  } else if (node.tag == "variable") {
    variable(node, scope);
  } else if (node.tag == "for") {
    loop(node, scope, where, out);
  } else if (node.tag == "if") {
    condition(node, scope, where, out);
  } else if (node.tag == "sensor") {
    sensor(node, scope, where, out);
  } else if (where == Where::kWorld && is_class(node.tag)) {
    register_class(node, scope);
  } else if (where == Where::kWorld && is_entity(node.tag)) {
    instance(node, scope, out);
  } else {
    plain(node, scope, out);
  }
  --depth_;
}

const xml::Attribute* Expander::wanted(const xml::Element& node, const std::string& name,
                                       const Scope& scope) {
  for (const auto& attribute : node.attributes) {
    if (attribute.name == name) return &attribute;
  }
  diagnostics_.error(node.place, "<" + node.tag + "> wants the attribute '" + name + "'", {},
                     scope.chain);
  return nullptr;
}

void Expander::only(const xml::Element& node, std::initializer_list<const char*> known,
                    const Scope& scope) {
  const std::vector<std::string> names(known.begin(), known.end());
  for (const auto& attribute : node.attributes) {
    if (std::find(names.begin(), names.end(), attribute.name) != names.end()) continue;
    diagnostics_.warning(attribute.place,
                         "<" + node.tag + "> has no attribute '" + attribute.name + "'",
                         did_you_mean(attribute.name, names), scope.chain);
  }
}

void Expander::include(const xml::Element& node, const Scope& scope, Where where, Elements& out) {
  const xml::Attribute* file_name = wanted(node, "file", scope);
  if (!file_name) return;
  const Text name = values_->expand(file_name->text, scope);
  bool usable = !name.broken;
  Variables arguments;
  for (const auto& attribute : node.attributes) {
    if (attribute.name == "file") continue;
    Text value = values_->expand(attribute.text, scope, Substitution::Names::kKeep);
    usable = usable && !value.broken;
    arguments[attribute.name] = std::move(value.value);
  }
  if (!node.children.empty()) {
    diagnostics_.warning(node.children[0].place, "what stands inside of <include> is ignored", {},
                         scope.chain);
  }
  if (!usable) return;  // what is in the file would only say the same again
  if (name.value.empty()) {
    diagnostics_.error(name.place, "the file name of <include> is empty", {}, scope.chain);
    return;
  }
  if (scope.open_files->depth >= options_.limits.includes) {
    diagnostics_.error(
        name.place,
        "more than " + std::to_string(options_.limits.includes) + " files include each other", {},
        scope.chain);
    return;
  }
  const auto chain = step(name.value, node.place, scope.chain);
  const auto file = files_.include(*scope.file, name.value, {name.place, scope.chain}, chain);
  if (!file) return;
  for (const auto* open = scope.open_files.get(); open; open = open->parent.get()) {
    if (open->file != file.get()) continue;
    diagnostics_.error(name.place, "'" + name.value + "' includes itself", {}, scope.chain);
    return;
  }
  Scope inner = scope.with(std::move(arguments));
  inner.file = file;
  inner.open_files = std::make_shared<OpenFile>(
      OpenFile{file.get(), scope.open_files, scope.open_files->depth + 1});
  inner.chain = chain;
  all(file->roots, inner, where, out);
}

void Expander::assign(const std::string& name, const std::string& value, const Scope& scope) {
  for (Frame* frame = scope.frame.get(); frame; frame = frame->parent.get()) {
    const auto found = frame->values.find(name);
    if (found == frame->values.end()) continue;
    found->second = value;
    break;
  }
  variables_.set(name, value);
}

void Expander::variable(const xml::Element& node, const Scope& scope) {
  only(node, {"name", "value"}, scope);
  const xml::Attribute* name = wanted(node, "name", scope);
  const xml::Attribute* value = wanted(node, "value", scope);
  if (!name || !value) return;
  const Text named = values_->expand(name->text, scope);
  if (named.broken) return;
  const Text text = values_->expand(value->text, scope);
  if (named.value.empty()) {
    diagnostics_.error(name->place, "a variable without a name", {}, scope.chain);
  } else if (text.broken) {
    variables_.set_broken(named.value);
  } else {
    assign(named.value, text.value, scope);
  }
}

bool Expander::integer(const xml::Element& node, const std::string& name, const Scope& scope,
                       long long& value) {
  const xml::Attribute* attribute = wanted(node, name, scope);
  if (!attribute) return false;
  const Text text = values_->expand(attribute->text, scope);
  if (text.broken) return false;
  std::size_t end = 0;
  const auto number = scan_number(text.value, end);
  if (!number || end != text.value.size() || std::abs(*number) > 1e15) {
    diagnostics_.error(text.place,
                       "'" + name + "' of <for> wants a whole number, got '" + text.value + "'", {},
                       scope.chain);
    return false;
  }
  value = static_cast<long long>(*number);
  if (static_cast<double>(value) != *number && !text.computed) {
    diagnostics_.warning(text.place,
                         "'" + name + "' of <for> wants a whole number; '" + text.value +
                             "' is cut to " + std::to_string(value) + ", as in MVSim",
                         {}, scope.chain);
  }
  return true;
}

void Expander::loop(const xml::Element& node, const Scope& scope, Where where, Elements& out) {
  only(node, {"var", "from", "to"}, scope);
  const xml::Attribute* var = wanted(node, "var", scope);
  long long from = 0, to = 0;
  const bool has_from = integer(node, "from", scope, from), has_to = integer(node, "to", scope, to);
  if (!var || !has_from || !has_to) return;
  const Text name = values_->expand(var->text, scope);
  if (name.broken) return;
  if (to < from) {
    diagnostics_.warning(node.place,
                         "the loop makes no round: it counts upwards, from " +
                             std::to_string(from) + " to " + std::to_string(to),
                         {}, scope.chain);
    return;
  }
  if (static_cast<std::size_t>(to - from) >= options_.limits.elements) {
    diagnostics_.error(node.place,
                       "the loop makes " + std::to_string(to - from + 1) +
                           " rounds; a world has at most " +
                           std::to_string(options_.limits.elements) + " elements",
                       {}, scope.chain);
    return;
  }
  for (long long i = from; i <= to; ++i) {
    if (!count(node.place, scope)) return;
    const std::string value = std::to_string(i);
    assign(name.value, value, scope);
    Scope round = scope.with({{name.value, value}});
    round.chain = step("<for> with " + name.value + " = " + value, node.place, scope.chain);
    all(node.children, round, where, out);
  }
}

void Expander::condition(const xml::Element& node, const Scope& scope, Where where, Elements& out) {
  only(node, {"condition"}, scope);
  const xml::Attribute* attribute = wanted(node, "condition", scope);
  if (!attribute) return;
  const Text text = values_->expand(attribute->text, scope);
  if (text.broken) return;
  const std::string word = lowered(text.value);
  std::size_t end = 0;
  const auto number = scan_number(word, end);
  const bool is_number = number && end == word.size();
  const bool yes = is_number ? *number != 0 : is_one_of(word, {"y", "yes", "true", "on"});
  if (!is_number && !yes && !is_one_of(word, {"n", "no", "false", "off"})) {
    diagnostics_.warning(text.place,
                         "the condition '" + text.value +
                             "' is neither true, false nor a number; it counts as false",
                         {}, scope.chain);
  }
  if (yes) all(node.children, scope, where, out);
}

}  // namespace protobeam::mvsim
