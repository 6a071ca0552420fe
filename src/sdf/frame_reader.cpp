#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <mutex>
#include <optional>
#include <sdf/Collision.hh>
#include <sdf/Console.hh>
#include <sdf/Frame.hh>
#include <sdf/Joint.hh>
#include <sdf/JointAxis.hh>
#include <sdf/Light.hh>
#include <sdf/Link.hh>
#include <sdf/Model.hh>
#include <sdf/ParserConfig.hh>
#include <sdf/Root.hh>
#include <sdf/Sensor.hh>
#include <sdf/Visual.hh>
#include <sdf/World.hh>

#include "sdf/frame_text.h"
#include "sdf/frames.h"

namespace protobeam::sdf {
namespace {

Pose pose_of(const ignition::math::Pose3d& X) {
  return {Quat(X.Rot().W(), X.Rot().X(), X.Rot().Y(), X.Rot().Z()).normalized(),
          {X.Pos().X(), X.Pos().Y(), X.Pos().Z()}};
}
Vec3 vector_of(const ignition::math::Vector3d& v) { return {v.X(), v.Y(), v.Z()}; }

/// libsdformat prints what it says, and writes it into a file in the home folder, which it opens at
/// its first message: it gets another one for that moment.
void silence_library() {
  static std::once_flag once;
  std::call_once(once, [] {
    const char* home = std::getenv("HOME");
    const std::optional<std::string> before =
        home ? std::optional<std::string>(home) : std::nullopt;
    setenv("HOME", "/dev/null", 1);
    ::sdf::Console::Instance()->SetQuiet(true);
    if (before) {
      setenv("HOME", before->c_str(), 1);
    } else {
      unsetenv("HOME");
    }
  });
}

}  // namespace

/// Asks libsdformat about a plain text.
class FrameReader {
 public:
  FrameReader(const FrameText& writer, Diagnostics& diagnostics)
      : writer_(writer), diagnostics_(diagnostics) {}

  std::unique_ptr<Frames> run(const std::string& text) {
    static std::mutex one_at_a_time;
    const std::lock_guard lock(one_at_a_time);
    silence_library();
    const int before = diagnostics_.error_count();
    try {
      ::sdf::Root root;
      tell(root.LoadSdfString(text, ::sdf::ParserConfig()));
      if (diagnostics_.error_count() > before) return nullptr;
      const ::sdf::World* world = root.WorldByIndex(0);
      for (std::uint64_t i = 0; world && i < world->ModelCount(); ++i)
        model(*world->ModelByIndex(i));
      for (const FrameText::WorldJoint& joint : writer_.world_joints())
        if (world) world_joint(*world, joint);
    } catch (const std::exception& error) {
      diagnostics_.error(writer_.at_line(1)->place,
                         fmt::format("libsdformat cannot read this: {}", error.what()));
    }
    return diagnostics_.error_count() == before ? std::move(out_) : nullptr;
  }

 private:
  template <class Object>
  const Element& element_of(const Object& object) const {
    return *writer_.at_line(object.Element()->LineNumber().value_or(1));
  }

  /// The first element with a name that a message quotes: "frame with name[weel]", "[m::weel]".
  const Element* named_in(const std::string& message) const {
    for (auto at = message.find('['); at != std::string::npos; at = message.find('[', at + 1)) {
      const auto end = message.find(']', at);
      if (end == std::string::npos) break;
      std::string name = message.substr(at + 1, end - at - 1);
      if (const auto scope = name.rfind("::"); scope != std::string::npos) name.erase(0, scope + 2);
      for (const Element* one : writer_.lines()) {
        const Text* own = one->attribute("name");
        if (own && own->value == name) return one;
      }
    }
    return nullptr;
  }

  void tell(const ::sdf::Errors& errors) {
    const auto follows = [](const ::sdf::Error& error) {
      return error.Message().find("Graph") != std::string::npos ||
             error.Message().starts_with("Failed to load");
    };
    // Of what was said before in other words.
    const bool has_cause = !std::all_of(errors.begin(), errors.end(), follows);
    for (const ::sdf::Error& error : errors) {
      if (has_cause && follows(error)) continue;
      const Element* element = error.LineNumber()          ? writer_.at_line(*error.LineNumber())
                               : named_in(error.Message()) ? named_in(error.Message())
                                                           : writer_.at_line(1);
      std::string message = error.Message().substr(0, 500);
      std::ranges::replace(message, '\n', ' ');
      while (message.ends_with('.') || message.ends_with(' ')) message.pop_back();
      diagnostics_.error(element->place, message);
    }
  }

  template <class Object>
  void pose(const Object& object, const std::string& in) {
    ignition::math::Pose3d X;
    tell(object.SemanticPose().Resolve(X, in));
    out_->poses_[&element_of(object)] = pose_of(X);
  }

  void model(const ::sdf::Model& model) {
    pose(model, "");
    for (std::uint64_t i = 0; i < model.ModelCount(); ++i) this->model(*model.ModelByIndex(i));
    for (std::uint64_t i = 0; i < model.LinkCount(); ++i) {
      const ::sdf::Link& link = *model.LinkByIndex(i);
      pose(link, "__model__");
      for (std::uint64_t k = 0; k < link.VisualCount(); ++k)
        pose(*link.VisualByIndex(k), link.Name());
      for (std::uint64_t k = 0; k < link.CollisionCount(); ++k)
        pose(*link.CollisionByIndex(k), link.Name());
      for (std::uint64_t k = 0; k < link.SensorCount(); ++k)
        pose(*link.SensorByIndex(k), link.Name());
      for (std::uint64_t k = 0; k < link.LightCount(); ++k)
        pose(*link.LightByIndex(k), link.Name());
    }
    for (std::uint64_t i = 0; i < model.JointCount(); ++i) joint(*model.JointByIndex(i));
  }

  void joint(const ::sdf::Joint& joint) {
    JointFrame out;
    tell(joint.ResolveParentLink(out.parent));
    tell(joint.ResolveChildLink(out.child));
    ignition::math::Pose3d X;
    tell(joint.SemanticPose().Resolve(X, "__model__"));
    out.X_MJ = pose_of(X);
    for (unsigned i = 0; i < 2; ++i) {
      const ::sdf::JointAxis* axis = joint.Axis(i);
      if (!axis) continue;
      ignition::math::Vector3d xyz;
      tell(axis->ResolveXyz(xyz, "__model__"));
      (i == 0 ? out.axis : out.axis2) = vector_of(xyz).normalized();
    }
    out_->joints_[&element_of(joint)] = out;
  }

  void world_joint(const ::sdf::World& world, const FrameText::WorldJoint& joint) {
    const auto pose_in_world = [&](const std::string& name) {
      ignition::math::Pose3d X;
      tell(world.FrameByName(name)->SemanticPose().Resolve(X, "world"));
      return pose_of(X);
    };
    JointFrame out;
    tell(world.FrameByName(joint.parent)->ResolveAttachedToBody(out.parent));
    tell(world.FrameByName(joint.child)->ResolveAttachedToBody(out.child));
    out.X_MJ = pose_in_world(joint.child);
    for (std::size_t i = 0; i < joint.axes.size(); ++i) {
      const auto& [frame, xyz] = joint.axes[i];
      (i == 0 ? out.axis : out.axis2) = (pose_in_world(frame).R * xyz).normalized();
    }
    out_->joints_[joint.element] = out;
  }

  const FrameText& writer_;
  Diagnostics& diagnostics_;
  std::unique_ptr<Frames> out_ = std::make_unique<Frames>();
};

std::unique_ptr<const Frames> Frames::of(const Element& sdf, Diagnostics& diagnostics) {
  const int before = diagnostics.error_count();
  FrameText writer(diagnostics);
  const std::string text = writer.run(sdf);
  if (diagnostics.error_count() > before) return nullptr;
  return FrameReader(writer, diagnostics).run(text);
}

}  // namespace protobeam::sdf
