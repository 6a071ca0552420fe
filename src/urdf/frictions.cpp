#include "urdf/frictions.h"

#include <fmt/format.h>

#include <set>

#include "urdf/values.h"

namespace protobeam::urdf {
namespace {

/// <mu1>0.1</mu1> or <mu1 value="0.1"/>, as sdformat reads it.
std::optional<double> friction_of(const Element& element, Diagnostics& diagnostics) {
  const Text* value = element.attribute("value");
  const auto number =
      numbers_of(value ? *value : element.text, 1, fmt::format("<{}>", element.tag), diagnostics);
  if (!number) return std::nullopt;
  if (number->front() >= 0) return number->front();
  diagnostics.error(element.place,
                    fmt::format("<{}> must be at least 0, got {}", element.tag, number->front()));
  return std::nullopt;
}

}  // namespace

Frictions::Frictions(Import& import, const Drives& drives)
    : by_friction_(import.materials_by_friction) {
  for (const Element* gazebo : import.robot.element->all("gazebo")) {
    const Text* reference = gazebo->attribute("reference");
    const Element* mu1 = gazebo->child("mu1");
    const Element* mu2 = gazebo->child("mu2");
    if (!reference || (!mu1 && !mu2)) continue;
    if (!import.sampled) {
      import.ignored.add("<mu1> or <mu2> of <gazebo>", (mu1 ? mu1 : mu2)->place,
                         "ContactProperties of the world say it");
      continue;
    }
    const auto first = friction_of(mu1 ? *mu1 : *mu2, import.diagnostics);
    const auto second = mu1 && mu2 ? friction_of(*mu2, import.diagnostics) : first;
    if (!first || !second) continue;
    if (*first != *second) import.ignored.add("a <mu2> of <gazebo> that is not <mu1>", mu2->place);
    of_link_[reference->value] = {*first, mu1 ? mu1 : mu2};
  }
  if (!import.sampled) return;
  for (std::size_t i = 0; i < import.robot.links.size(); ++i) {
    const Link& link = import.robot.links[i];
    if (!drives.is_smooth(static_cast<int>(i)) || link.collisions.empty()) continue;
    if (import.smooth_material.empty())
      of_link_[link.name] = {0, link.element};
    else
      smooth_.emplace(link.name, import.smooth_material);
  }
}

std::string Frictions::name(const OfLink::value_type& link) const {
  return by_friction_ ? fmt::format("mu {:g}", link.second.coulomb) : link.first;
}

std::vector<wbt::NodePtr> Frictions::contact_properties() const {
  std::vector<wbt::NodePtr> out;
  std::set<std::string> known;
  for (const auto& link : of_link_) {
    const Friction& friction = link.second;
    if (!known.insert(name(link)).second) continue;
    out.push_back(NodeMaker("ContactProperties", at(*friction.element))
                      .text("material1", name(link))
                      .numbers("coulombFriction", {friction.coulomb})
                      .take());
  }
  return out;
}

}  // namespace protobeam::urdf
