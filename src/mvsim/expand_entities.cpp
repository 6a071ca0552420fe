// Elements, sensors, classes and their instances.
#include <algorithm>
#include <cstdio>

#include "mvsim/expand.h"
#include "mvsim/vocabulary.h"

namespace protobeam::mvsim {
namespace {

void set_name(Element& element, const std::string& name) {
  std::erase_if(element.attributes, [](const Attribute& one) { return one.name == "name"; });
  element.attributes.push_back({"name", element.place, Text{name, element.place, true, false}});
}

}  // namespace

Element Expander::element(const xml::Element& node, const Scope& scope) {
  Element made;
  made.tag = node.tag;
  made.place = node.place;
  made.chain = scope.chain;
  made.folder = std::make_shared<const std::filesystem::path>(scope.file->path.parent_path());
  for (const auto& attribute : node.attributes) {
    made.attributes.push_back(
        {attribute.name, attribute.place, values_->expand(attribute.text, scope)});
  }
  made.text = values_->expand(node.text, scope);
  return made;
}

void Expander::plain(const xml::Element& node, const Scope& scope, Elements& out) {
  Element made = element(node, scope);
  all(node.children, scope, Where::kInside, made.children);
  out.push_back(std::move(made));
}

std::string Expander::entity_name(Element& made) {
  const std::string tag = made.tag;
  for (const auto& attribute : made.attributes) {
    if (attribute.name != "name" || (attribute.text.value.empty() && !attribute.text.broken)) {
      continue;
    }
    const std::string& name = attribute.text.value;
    const auto [known, is_new] = names_[tag].try_emplace(name, attribute.text.place);
    if (!is_new && tag == "vehicle" && !attribute.text.broken) {
      const auto line = known->second.source->locate(known->second.offset).line;
      diagnostics_.error(
          attribute.text.place, "a second vehicle is called '" + name + "'",
          "the first one is at " + known->second.source->path() + ":" + std::to_string(line),
          made.chain);
    }
    return name;
  }
  // MVSim's own names for what has none.
  std::string name;
  do {
    char number[16];
    std::snprintf(number, sizeof number, tag == "block" ? "%03d" : "%d", ++unnamed_[tag]);
    name = (tag == "vehicle" ? "veh" : tag) + number;
  } while (!names_[tag].try_emplace(name, made.place).second);
  set_name(made, name);
  return name;
}

void Expander::sensor(const xml::Element& node, const Scope& scope, Where where, Elements& out) {
  Element made = element(node, scope);
  const std::string* parent = find_variable("NAME", scope, variables_);
  const std::string owner = where == Where::kWorld || !parent ? "world" : *parent;
  std::string name;
  if (const Text* given = made.attribute("name"); given && !given->value.empty()) {
    name = given->value;
  } else {
    const Text* kind = made.attribute("class");
    const std::string prefix = kind && !kind->value.empty() ? kind->value : "sensor";
    name = prefix + std::to_string(++unnamed_["sensor " + owner + " " + prefix]);
    set_name(made, name);
  }
  const Scope inside = scope.with({{"NAME", name}, {"PARENT_NAME", owner}});
  all(node.children, inside, Where::kInside, made.children);
  out.push_back(std::move(made));
}

void Expander::register_class(const xml::Element& node, const Scope& scope) {
  const xml::Attribute* attribute = wanted(node, "name", scope);
  if (!attribute) return;
  const Text name = values_->expand(attribute->text, scope);
  if (name.broken) return;
  const std::string key = node.tag + " " + name.value;
  const auto [known, is_new] = classes_.try_emplace(key);
  if (is_new) {
    class_order_.push_back(key);
  } else if (known->second.node != &node) {
    const Place& first = known->second.node->place;
    diagnostics_.warning(attribute->text.place,
                         node.tag + " '" + name.value +
                             "' is defined again; instances below are "
                             "of this one",
                         "the first one is at " + first.source->path() + ":" +
                             std::to_string(first.source->locate(first.offset).line),
                         scope.chain);
  }
  known->second.node = &node;
  known->second.scope = scope;
  known->second.scope.at_class = variables_.snapshot();
}

void Expander::instance(const xml::Element& node, const Scope& scope, Elements& out) {
  Element made = element(node, scope);
  const std::string name = entity_name(made);
  const Scope inside = scope.with({{"NAME", name}});
  all(node.children, inside, Where::kInside, made.children);
  const Text* kind = made.attribute("class");
  if (kind && !kind->broken) {
    const auto found = classes_.find(node.tag + ":class " + kind->value);
    if (found != classes_.end()) {
      merge_class(found->second, kind->value, inside, made);
    } else {
      std::vector<std::string> known;
      for (const auto& key : class_order_) {
        const std::string begin = node.tag + ":class ";
        if (key.rfind(begin, 0) == 0) known.push_back(key.substr(begin.size()));
      }
      diagnostics_.error(kind->place, "unknown " + node.tag + ":class '" + kind->value + "'",
                         did_you_mean(kind->value, known), scope.chain);
    }
  }
  out.push_back(std::move(made));
}

void Expander::merge_class(Class& from, const std::string& name, const Scope& scope, Element& to) {
  from.used = true;
  Scope inside = from.scope.with({{"NAME", *find_variable("NAME", scope, variables_)}});
  inside.chain = std::make_shared<Instantiation>(
      Instantiation{from.node->tag + " " + name, to.place, scope.chain});
  Elements inherited;
  all(from.node->children, inside, Where::kInside, inherited);
  // What the instance says itself counts; what can be there several times adds up.
  const std::size_t own = to.children.size();
  for (auto& element : inherited) {
    const auto same = [&](const Element& one) { return one.tag == element.tag; };
    const bool overridden = !repeats(to.tag, element.tag) &&
                            std::any_of(to.children.begin(), to.children.begin() + own, same);
    if (!overridden) to.children.push_back(std::move(element));
  }
}

}  // namespace protobeam::mvsim
