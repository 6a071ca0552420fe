// An expanded SDF as one of frames alone.
#pragma once

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "sdf/expand.h"

namespace protobeam::sdf {

/// An expanded text as one of frames alone, without models that have none, each element on a line
/// of its own. Foreign numbers, files and plugins do not reach libsdformat.
class FrameText {
 public:
  explicit FrameText(Diagnostics& diagnostics) : diagnostics_(diagnostics) {}

  std::string run(const Element& sdf);
  /// The element that a line was made from.
  const Element* at_line(int line) const {
    const auto index = static_cast<std::size_t>(std::max(line, 1) - 1);
    return index < lines_.size() ? lines_[index] : lines_.front();
  }
  const std::vector<const Element*>& lines() const { return lines_; }

  /// A joint of the world, which libsdformat does not know before SDF 1.10: frames stand for it.
  struct WorldJoint {
    const Element* element;
    std::string parent, child;  ///< frames that are attached to its ends; the child's is its own
    struct Axis {
      std::string frame;
      Vec3 xyz;
    };
    std::vector<Axis> axes;
  };
  const std::vector<WorldJoint>& world_joints() const { return world_joints_; }

 private:
  using Attributes = std::vector<std::pair<const char*, std::string>>;

  void open(const Element& element, const std::string& tag, const Attributes& attributes);
  void close(const char* tag);
  void leaf(const Element& element, const char* tag, const std::string& text);
  void pose(const Element& owner, const Element& scope);
  void frame(const Element& element, const Element& scope);
  void model(const Element& element);
  void link(const Element& element, const Element& scope);
  /// As libsdformat gets it, with the number of its axes; nothing with an error for a mistake.
  std::optional<std::string> plain_type(const Element& joint, int& axes);
  void joint(const Element& element, const Element& scope);
  void world_joint(const Element& element, const Element& world);
  void axis(const Element& joint, const char* tag, const Element& scope);
  Vec3 direction(const Element* xyz);

  Diagnostics& diagnostics_;
  std::string out_;
  std::vector<WorldJoint> world_joints_;
  std::vector<const Element*> lines_;
};

}  // namespace protobeam::sdf
