#include "urdf/import.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "urdf/gazebo_looks.h"

namespace protobeam::urdf {
namespace fs = std::filesystem;

void Ignored::add(const std::string& what, const Place& place, const std::string& instead) {
  const auto [known, added] = known_.try_emplace(what, entries_.size());
  if (added) {
    entries_.push_back({what, instead, place});
  } else {
    ++entries_[known->second].count;
  }
}

void Ignored::add(const Ignored& others) {
  for (const Entry& one : others.entries_) {
    add(one.what, one.first, one.instead);
    entries_[known_.at(one.what)].count += one.count - 1;
  }
}

void Ignored::report(Diagnostics& diagnostics) const {
  for (const Entry& one : entries_) {
    diagnostics.warning(one.first,
                        one.count == 1
                            ? fmt::format("{} has no effect", one.what)
                            : fmt::format("{} has no effect ({} times)", one.what, one.count),
                        one.instead);
  }
}

namespace {

/// Of a <material> of <gazebo>: the name of a script that Gazebo has, or colours.
bool has_look(const Element& material) {
  return gazebo_look(gazebo_script(material)) || material.child("diffuse") ||
         material.child("ambient");
}

}  // namespace

Materials::Materials(const Robot& robot, Diagnostics& diagnostics) {
  const auto add = [&](const Element& material, bool top) {
    const Text* name = material.attribute("name");
    if (!name || name->value.empty()) {
      if (top) diagnostics.error(material.place, "a <material> of a <robot> needs a name");
      return;
    }
    if (!material.child("color") && !material.child("texture")) return;
    const bool added = by_name_.try_emplace(name->value, &material).second;
    if (!added && top) {
      diagnostics.error(name->place, fmt::format("there are two materials '{}'", name->value));
    }
  };
  for (const Element* material : robot.element->all("material")) add(*material, true);
  for (const Link& link : robot.links) {
    for (const Shape& visual : link.visuals) {
      if (const Element* material = visual.element->child("material")) add(*material, false);
    }
  }
  for (const Element* gazebo : robot.element->all("gazebo")) {
    const Text* link = gazebo->attribute("reference");
    if (!link) continue;
    for (const Element* material :
         {gazebo->child("material"), gazebo->find({"visual", "material"})}) {
      if (material && has_look(*material)) gazebos_[link->value] = material;
    }
  }
}

bool Materials::is_gazebos(const Element& material) const {
  return std::ranges::any_of(gazebos_, [&](const auto& one) { return one.second == &material; });
}

const Element* Materials::of(const Link& link, const Element& visual,
                             Diagnostics& diagnostics) const {
  if (const auto own = gazebos_.find(link.name); own != gazebos_.end()) return own->second;
  const Element* material = visual.child("material");
  if (!material) return nullptr;
  const Text* name = material->attribute("name");
  if (name && !name->value.empty()) {
    if (const auto known = by_name_.find(name->value); known != by_name_.end())
      return known->second;
    diagnostics.warning(name->place, fmt::format("there is no material '{}'", name->value),
                        "the shape is grey");
    return nullptr;
  }
  return material->child("color") || material->child("texture") ? material : nullptr;
}

std::pair<std::string, bool> Materials::def_name(const Element& material) {
  const auto known = names_.find(&material);
  if (known != names_.end()) return {known->second, true};
  std::string name = "MATERIAL_";
  const Text* text = material.attribute("name");
  const std::string given = text ? text->value : gazebo_script(material);
  if (!given.empty()) {
    for (const char c : given.substr(0, 60)) {
      const bool plain = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9');
      name += plain ? c : '_';
    }
  }
  const std::string base = name;
  for (int n = 2; std::find(defined_.begin(), defined_.end(), name) != defined_.end(); ++n) {
    name = fmt::format("{}_{}", base, n);
  }
  defined_.push_back(name);
  names_.emplace(&material, name);
  return {name, false};
}

std::string url_from(const fs::path& folder, const fs::path& file) {
  std::error_code failed;
  const fs::path real = fs::weakly_canonical(fs::absolute(file, failed), failed);
  if (folder.empty()) return real.string();
  const fs::path base = fs::weakly_canonical(fs::absolute(folder, failed), failed);
  const fs::path relative = real.lexically_relative(base);
  return relative.empty() ? real.string() : relative.string();
}

}  // namespace protobeam::urdf
