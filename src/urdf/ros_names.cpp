#include "urdf/ros_names.h"

#include <algorithm>

namespace protobeam::urdf {
namespace {

using xml::Element;

bool is_word(std::string_view word) {
  const auto letter = [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
  };
  return !word.empty() && letter(word.front()) &&
         std::ranges::all_of(word, [&](char c) { return letter(c) || (c >= '0' && c <= '9'); });
}

}  // namespace

bool is_topic(std::string_view name) {
  if (name.starts_with('/')) name.remove_prefix(1);
  for (;;) {
    const auto slash = name.find('/');
    if (!is_word(name.substr(0, slash))) return false;
    if (slash == std::string_view::npos) return true;
    name.remove_prefix(slash + 1);
  }
}

std::string in_namespace(std::string space, const std::string& name) {
  if (name.empty() || name.starts_with('/')) return name;
  while (space.ends_with('/')) space.pop_back();
  return space.empty() ? name : space + "/" + name;
}

std::string remapped(const Element& ros, const std::string& name) {
  for (const char* tag : {"remapping", "argument"}) {
    for (const Element* one : ros.all(tag)) {
      const std::string& text = one->text.value;
      const auto sign = text.find(":=");
      if (sign == std::string::npos) continue;
      const std::string from = text.substr(0, sign);
      if (from == name || from == "/" + name) return text.substr(sign + 2);
    }
  }
  return "";
}

std::string ros_topic(const Element& plugin, const std::string& name) {
  const Element* ros = plugin.child("ros");
  if (!ros) return in_namespace(child_text(plugin, "robotNamespace"), name);
  const std::string other = remapped(*ros, name);
  return in_namespace(child_text(*ros, "namespace"), other.empty() ? name : other);
}

std::string child_text(const Element& owner, std::string_view tag) {
  const Element* child = owner.child(tag);
  return child ? child->text.value : "";
}

}  // namespace protobeam::urdf
