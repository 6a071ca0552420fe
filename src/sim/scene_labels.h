// Labels of what sensors see: an instance for each object, a class for each kind of object.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include <Eigen/Core>

#include "device/label_table.h"

namespace protobeam {

struct WorldModel;

/// An object is the nearest Solid around a shape that has recognitionColors, otherwise the topmost
/// one. Its class is its `model`, otherwise the name of its PROTO, otherwise its own name. Numbers
/// count from 1 in the order of the world's text; what comes into the world later gets the next
/// ones, and a number is never given twice. 0 is what no Solid holds.
class SceneLabels {
 public:
  struct Instance {
    std::uint16_t id;
    std::string name;                    ///< of the Solid
    std::uint16_t class_id;
    std::vector<Eigen::Vector3f> colors;  ///< recognitionColors, 0..1
  };

  explicit SceneLabels(const WorldModel& model) { update(model); }

  /// The world has changed.
  void update(const WorldModel& model);

  const LabelTable& table() const { return table_; }
  /// By id, from 1 on; those that have left the world too.
  const std::vector<Instance>& instances() const { return instances_; }
  /// Names by id - 1.
  const std::vector<std::string>& classes() const { return classes_; }
  /// Objects without a number of their own, since 16 bits have no more: their points have instance
  /// 0 and a class.
  std::size_t without_number() const { return without_number_.size(); }

 private:
  std::uint32_t label_of(const WorldModel& model, int solid);
  std::uint16_t class_of(const std::string& name);

  LabelTable table_;
  std::vector<Instance> instances_;
  std::vector<std::string> classes_;
  std::map<std::string, std::uint16_t> class_ids_;
  using Key = std::pair<int, std::string>;  ///< number of the Solid, and its name: numbers are reused
  std::map<Key, std::uint32_t> labels_;
  std::map<Key, bool> without_number_;
};

}  // namespace protobeam
