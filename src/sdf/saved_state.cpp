#include "sdf/saved_state.h"

#include <fmt/format.h>

#include <algorithm>

#include "sdf/context.h"

namespace protobeam::sdf {
namespace {

using urdf::Element;
using urdf::Ignored;
using urdf::Text;

void place(Element& body, const Element& pose) {
  Element said{"pose", pose.place, {}, pose.text, {}};
  const auto known = std::ranges::find(body.children, "pose", &Element::tag);
  if (known == body.children.end())
    body.children.push_back(std::move(said));
  else
    *known = std::move(said);
}

void apply(Element& world, const Element& state, Ignored& ignored) {
  for (const Element& saved : state.children) {
    if (saved.tag == "insertions" || saved.tag == "deletions")
      ignored.add(fmt::format("<{}> of a <state>", saved.tag), saved.place);
    const Text* name = saved.attribute("name");
    const Element* pose = saved.child("pose");
    if ((saved.tag != "model" && saved.tag != "light") || !name || !pose) continue;
    const auto body = std::ranges::find_if(world.children, [&](const Element& one) {
      const Text* own = one.attribute("name");
      return one.tag == saved.tag && own && own->value == name->value;
    });
    if (body == world.children.end()) continue;
    place(*body, *pose);
    if (const Element* scale = saved.child("scale"); scale && scale->text.value != "1 1 1")
      ignored.add("a <scale> of a <state>", scale->place);
  }
}

}  // namespace

void apply_saved_state(Element& sdf, Ignored& ignored) {
  for (Element& world : sdf.children) {
    const Element* state = world.tag == "world" ? world.child("state") : nullptr;
    if (!state) continue;
    if (is_of_gazebo(world)) {
      ignored.add("the <state> of a <world> with plugins of Gazebo", state->place,
                  "Gazebo Classic alone begins there");
    } else {
      apply(world, Element(*state), ignored);
    }
  }
}

}  // namespace protobeam::sdf
