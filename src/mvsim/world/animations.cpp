#include "mvsim/world/animations.h"

#include "base/turn.h"
#include "mvsim/expression.h"

namespace protobeam::mvsim {
namespace {

struct Keyframes {
  std::vector<double> times, translations, rotations;
};

/// Time, then a 2D or a 3D pose; nothing, with an error, for too few numbers.
std::optional<Pose> pose_at(Import& import, const Element& keyframe, double& time) {
  const bool flat = keyframe.tag == "time_pose";
  const auto n =
      ValueReader("<" + keyframe.tag + "> of <animation>", keyframe.chain, import.diagnostics)
          .numbers(keyframe.text);
  if (!n) return std::nullopt;
  if (n->size() < (flat ? 4 : 7)) {
    import.diagnostics.error(keyframe.text.place,
                             "<" + keyframe.tag + "> of <animation> wants " +
                                 (flat ? "T X Y YAW" : "T X Y Z YAW PITCH ROLL"),
                             {}, keyframe.chain);
    return std::nullopt;
  }
  const auto at = [&](std::size_t i) { return (*n)[i]; };
  time = at(0);
  if (flat) return Pose{rotation_of(at(3) * kDegree, 0, 0), {at(1), at(2), 0}};
  return Pose{rotation_of(at(4) * kDegree, at(5) * kDegree, at(6) * kDegree),
              {at(1), at(2), at(3)}};
}

std::optional<Keyframes> keyframes_of(Import& import, const Element& animation) {
  Keyframes out;
  for (const Element& child : animation.children) {
    if (child.tag != "time_pose" && child.tag != "time_pose3d") continue;
    double time = 0;
    const auto X = pose_at(import, child, time);
    if (!X) return std::nullopt;
    if (time < 0 || (!out.times.empty() && time <= out.times.back())) {
      import.diagnostics.error(child.text.place,
                               "times of <animation> must rise from 0 on, got " + to_text(time), {},
                               child.chain);
      return std::nullopt;
    }
    const Eigen::AngleAxisd turn = axis_and_angle(X->R);
    out.times.push_back(time);
    out.translations.insert(out.translations.end(), {X->p.x(), X->p.y(), X->p.z()});
    out.rotations.insert(out.rotations.end(),
                         {turn.axis().x(), turn.axis().y(), turn.axis().z(), turn.angle()});
  }
  return out;
}

}  // namespace

bool is_animated(const Element& element) { return element.child("animation") != nullptr; }

wbt::NodePtr animated(Import& import, const Element& element, wbt::NodePtr node) {
  const Element* animation = element.child("animation");
  if (!animation || !node) return node;
  const auto type = import.attributes(*animation).text("type");
  if (type.value != "keyframes") {
    import.attributes(*animation)
        .error(type.place,
               type.written ? "unknown 'type' '" + type.value + "' of <animation>"
                            : "<animation> wants the attribute 'type'",
               "write type=\"keyframes\"");
    return node;
  }
  const auto keyframes = keyframes_of(import, *animation);
  if (!keyframes || keyframes->times.empty()) return node;
  return NodeMaker("KeyframeAnimation", *animation)
      .numbers("times", keyframes->times)
      .numbers("translations", keyframes->translations)
      .numbers("rotations", keyframes->rotations)
      .node("endPoint", std::move(node))
      .take();
}

}  // namespace protobeam::mvsim
