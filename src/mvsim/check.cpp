#include "mvsim/check.h"

#include <algorithm>
#include <set>

#include "mvsim/resources.h"

namespace protobeam::mvsim {
namespace {

std::vector<std::string> names_of(const std::map<std::string, Word, std::less<>>& words) {
  std::vector<std::string> names;
  for (const auto& [name, word] : words) {
    if (word.ineffective.empty()) names.push_back(name);
  }
  return names;
}

bool is_off(const Element& element) {
  const Text* enabled = element.attribute("enabled");
  return enabled && (enabled->value == "0" || enabled->value == "false" ||
                     enabled->value == "False" || enabled->value == "FALSE");
}

}  // namespace

void TreeChecker::world(Element& root) {
  const Context& context = *find_context("world");
  attributes(root, context);
  children(root, context);
}

void TreeChecker::definition(Element& element) {
  look_for_files_ = false;
  Element world;
  world.tag = "mvsim_world";
  child(element, world, *find_context("world"));
  look_for_files_ = true;
}

void TreeChecker::children(Element& element, const Context& context) {
  if (context.text != ValueKind::kChildren) {
    ValueReader("<" + element.tag + ">", element.chain, diagnostics_)
        .check(context.text, element.text);
  } else if (!element.text.value.empty()) {
    diagnostics_.warning(element.text.place, "the text in <" + element.tag + "> has no effect", {},
                         element.chain);
  }
  for (auto& one : element.children) child(one, element, context);
  drop_repeated(element, context);
}

void TreeChecker::attributes(const Element& element, const Context& context) {
  for (const auto& attribute : element.attributes) {
    const auto known = context.attributes.find(attribute.name);
    if (known != context.attributes.end()) {
      ValueReader("'" + attribute.name + "' of <" + element.tag + ">", element.chain, diagnostics_)
          .check(known->second.kind, attribute.text);
      continue;
    }
    const bool is_tag = context.tags.count(attribute.name) > 0;
    diagnostics_.warning(
        attribute.place,
        "the attribute '" + attribute.name + "' of <" + element.tag + "> has no effect",
        is_tag ? "write <" + attribute.name + ">" + attribute.text.value + "</" + attribute.name +
                     "> inside of it"
               : did_you_mean(attribute.name, names_of(context.attributes)),
        element.chain);
  }
}

void TreeChecker::child(Element& element, const Element& parent, const Context& context) {
  const auto known = context.tags.find(element.tag);
  if (known == context.tags.end()) {
    const bool is_attribute = context.attributes.count(element.tag) > 0;
    diagnostics_.warning(
        element.place,
        (is_attribute ? "<" + element.tag + "> in <" + parent.tag + "> has no effect"
                      : "unknown tag <" + element.tag + "> in <" + parent.tag + ">"),
        is_attribute ? "write it as an attribute: <" + parent.tag + " " + element.tag + "=\"" +
                           element.text.value + "\">"
                     : did_you_mean(element.tag, names_of(context.tags)),
        element.chain);
    return;
  }
  const Word& word = known->second;
  if (!word.ineffective.empty()) {
    diagnostics_.warning(element.place,
                         "<" + element.tag + "> in <" + parent.tag + "> has no effect",
                         word.ineffective, element.chain);
    return;
  }
  if (word.kind != ValueKind::kChildren) return leaf(element, parent, word);
  const Context* inner = context_of(element, word);
  if (!inner) return;
  attributes(element, *inner);
  const bool was_looking = look_for_files_;
  if (is_off(element)) look_for_files_ = false;
  children(element, *inner);
  look_for_files_ = was_looking;
  if (element.tag == "vehicle") same_sensor_names(element);
  if (element.tag == "shape") {
    ValueReader("<shape> of <" + parent.tag + ">", element.chain, diagnostics_)
        .shape(element, parent.tag == "walls" ? 2 : 3);
  }
}

const Context* TreeChecker::context_of(const Element& element, const Word& word) {
  if (!word.by_class) return find_context(word.context);
  const Text* kind = element.attribute("class");
  if (!kind) {
    diagnostics_.error(element.place, "<" + element.tag + "> wants the attribute 'class'", {},
                       element.chain);
    return nullptr;
  }
  if (kind->broken) return nullptr;
  const Context* context = find_context(word.context + "." + kind->value);
  if (!context) {
    diagnostics_.error(kind->place, "unknown class '" + kind->value + "' of <" + element.tag + ">",
                       did_you_mean(kind->value, classes_of(word.context)), element.chain);
  }
  return context;
}

void TreeChecker::leaf(const Element& element, const Element& parent, const Word& word) {
  for (const auto& attribute : element.attributes) {
    diagnostics_.warning(
        attribute.place,
        "the attribute '" + attribute.name + "' of <" + element.tag + "> has no effect", {},
        element.chain);
  }
  for (const auto& inner : element.children) {
    diagnostics_.warning(inner.place, "unknown tag <" + inner.tag + "> in <" + element.tag + ">",
                         {}, element.chain);
  }
  // "<shape> ... <pt>" is reported as a whole.
  if (parent.tag == "shape" && element.tag == "pt") return;
  ValueReader("<" + element.tag + "> of <" + parent.tag + ">", element.chain, diagnostics_)
      .check(word.kind, element.text);
  // A model or texture that is not there is a matter of what the world looks like.
  const bool looks = parent.tag == "visual" || element.tag.starts_with("texture");
  if (word.kind == ValueKind::kUri && look_for_files_ && is_remote(element.text.value) &&
      !looks &&
      element.text.value.find("%s") == std::string::npos) {
    find_resource(element.text, *element.folder, options_, element.chain, diagnostics_);
  }
}

void TreeChecker::drop_repeated(Element& element, const Context& context) {
  // MVSim reads values one after the other, so that the last one counts; of tags with children it
  // takes the first one.
  std::map<std::string, std::size_t> kept;
  std::vector<bool> dropped(element.children.size(), false);
  for (std::size_t i = 0; i < element.children.size(); ++i) {
    const Element& one = element.children[i];
    const auto known = context.tags.find(one.tag);
    if (known == context.tags.end() || known->second.repeats) continue;
    const auto [first, is_new] = kept.try_emplace(one.tag, i);
    if (is_new) continue;
    const bool last_counts = known->second.kind != ValueKind::kChildren;
    dropped[last_counts ? first->second : i] = true;
    if (last_counts) first->second = i;
    diagnostics_.warning(one.place, "<" + one.tag + "> is given twice in <" + element.tag + ">",
                         last_counts ? "this one counts" : "the first one counts", one.chain);
  }
  std::size_t i = 0;
  std::erase_if(element.children, [&](const Element&) { return dropped[i++]; });
}

void TreeChecker::same_sensor_names(const Element& vehicle) {
  std::set<std::string> names;
  for (const Element* sensor : vehicle.all("sensor")) {
    const Text* name = sensor->attribute("name");
    if (!name || name->broken || names.insert(name->value).second) continue;
    const Text* owner = vehicle.attribute("name");
    diagnostics_.warning(name->place,
                         "a second sensor of vehicle '" + (owner ? owner->value : "") +
                             "' is called '" + name->value + "'",
                         "give each one a name of its own", sensor->chain);
  }
}

}  // namespace protobeam::mvsim
