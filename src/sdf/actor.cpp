#include "sdf/actor.h"

#include <fmt/format.h>

#include <utility>

#include "base/turn.h"
#include "urdf/values.h"

namespace protobeam::sdf {
namespace {

Element element(const char* tag, const Place& place, std::string text = {}) {
  return {tag, place, {}, {std::move(text), place, false}, {}};
}

Element named(const char* tag, const Place& place, std::vector<Element> children) {
  Element out = element(tag, place);
  out.attributes = {{"name", place, {"skin", place, false}}};
  out.children = std::move(children);
  return out;
}

Element with(Element outer, Element inner) {
  outer.children.push_back(std::move(inner));
  return outer;
}

/// A link that looks like the skin.
Element skin_link(const Element& skin, Resources& resources, Diagnostics& diagnostics) {
  const Place& place = skin.place;
  const Element* file = skin.child("filename");
  Diagnostics quiet;
  Element shape;
  if (file && resources.find(file->text, quiet)) {
    shape = element("mesh", place);
    Element uri = *file;
    uri.tag = "uri";
    shape.children.push_back(std::move(uri));
    if (const Element* scale = skin.child("scale")) {
      Element three = *scale;
      three.text.value = fmt::format("{0} {0} {0}", scale->text.value);
      shape.children.push_back(std::move(three));
    }
  } else {
    diagnostics.warning(place, "the file of this <skin> is not here",
                        "a capsule of a person's size stands for it");
    shape = with(with(element("capsule", place), element("radius", place, "0.25")),
                 element("length", place, "1.2"));
  }
  Element visual = named("visual", place, {with(element("geometry", place), std::move(shape))});
  return named("link", place, {std::move(visual)});
}

/// In the model's frame.
struct Keyframes {
  std::vector<double> times, translations, rotations;

  void add(double time, const Pose& X) {
    const Eigen::AngleAxisd turn = axis_and_angle(X.R);
    times.push_back(time);
    translations.insert(translations.end(), {X.p.x(), X.p.y(), X.p.z()});
    rotations.insert(rotations.end(),
                     {turn.axis().x(), turn.axis().y(), turn.axis().z(), turn.angle()});
  }
};

/// One trajectory follows the other; each round begins with the delay.
Keyframes keyframes_of(Context& context, const Element& script) {
  Keyframes out;
  double begin = number_in(context, script, "delay_start", 0, 0);
  for (const Element* trajectory : script.all("trajectory")) {
    for (const Element* waypoint : trajectory->all("waypoint")) {
      const double time = begin + number_in(context, *waypoint, "time", 0, 0);
      const Pose X = urdf::child_pose(*waypoint, context.diagnostics);
      if (out.times.empty() && time > 0) out.add(0, X);
      if (out.times.empty() || time > out.times.back())
        out.add(time, X);
      else if (time < out.times.back())
        context.ignored.add("a <waypoint> that is not later than the one before", waypoint->place);
    }
    if (!out.times.empty()) begin = out.times.back();
  }
  return out;
}

}  // namespace

void make_model(Element& actor, Resources& resources, Ignored& ignored, Diagnostics& diagnostics) {
  actor.tag = "model";
  std::vector<Element> children{element("static", actor.place, "1")};
  for (Element& child : actor.children) {
    if (child.tag == "skin") {
      children.push_back(skin_link(child, resources, diagnostics));
    } else if (child.tag == "animation") {
      ignored.add("the <animation> of an <actor>", child.place, "it moves, but not its limbs");
    } else if (child.tag != "static") {
      if (child.tag == "script") child.tag = kActorScript;
      children.push_back(std::move(child));
    }
  }
  actor.children = std::move(children);
}

NodePtr moved_by_script(Context& context, const Element& model, NodePtr node) {
  const Element* script = model.child(kActorScript);
  if (!script || !node) return node;
  if (!flag_in(*script, "auto_start", true)) {
    context.ignored.add("the <script> of an <actor> without <auto_start>", script->place);
    return node;
  }
  Keyframes made = keyframes_of(context, *script);
  if (made.times.size() < 2) return node;
  return NodeMaker("KeyframeAnimation", at(*script))
      .numbers("times", std::move(made.times))
      .numbers("translations", std::move(made.translations))
      .numbers("rotations", std::move(made.rotations))
      .flag("loop", flag_in(*script, "loop", true))
      .node("endPoint", std::move(node))
      .take();
}

}  // namespace protobeam::sdf
