// How something moves, and when it is there, as glTF's animations have it.
#pragma once

#include <vector>

#include "base/math.h"

namespace protobeam::gltf {

class Track {
 public:
  /// Single precision is what glTF has.
  struct Key {
    float time;  ///< s
    Eigen::Vector3f p;
    Eigen::Quaternionf R;
  };
  struct Presence {
    float time;  ///< s
    bool there;
  };

  /// At `time` (s, later than the one before) it has this pose, relative to the node above it; in
  /// between it moves evenly. What stays as it is takes no memory; what is at no place any more, as
  /// a body whose physics has failed, stays where it was.
  void add(double time, const Pose& X);
  /// From `time` (s) on it is there, or is not, after it was not, or was; without this it always
  /// is.
  void show(double time, bool there);

  bool moves() const { return keys_.size() > 1; }
  const std::vector<Key>& keys() const { return keys_; }
  const std::vector<Presence>& presences() const { return presences_; }

 private:
  std::vector<Key> keys_;
  std::vector<Presence> presences_;
  float held_until_ = 0;  ///< s; the last key's pose was still the same then
};

}  // namespace protobeam::gltf
