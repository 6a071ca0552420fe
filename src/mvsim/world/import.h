// What all steps of the import of a world share.
#pragma once

#include <filesystem>
#include <initializer_list>
#include <map>
#include <span>
#include <string>
#include <vector>

#include "base/diagnostics.h"
#include "mvsim/load.h"
#include "mvsim/options.h"
#include "mvsim/world/reader.h"
#include "mvsim/world/surfaces.h"
#include "mvsim/world/terrain.h"
#include "wbt/node_maker.h"

namespace protobeam::mvsim {

using wbt::NodeMaker;
using wbt::Origin;
using wbt::rotation_of;

/// Warnings that are reported once with a count: what is in the world and not simulated.
class Unsimulated {
 public:
  explicit Unsimulated(Diagnostics& diagnostics) : diagnostics_(diagnostics) {}

  /// `what`: "<publish>", "sensor of class camera"; `instead`: what happens with it, or empty.
  void add(const std::string& what, const Origin& where, const std::string& instead = {});
  /// One for each of these children that is there and not switched off.
  void children(const Element& element, std::initializer_list<const char*> tags,
                const std::string& instead = {});
  /// <publish>, which is there for MVSim's own transport.
  void publish(const Element& element);
  void report() const;

 private:
  struct Entry {
    std::string what, instead;
    Origin first;
    int count = 1;
  };
  Diagnostics& diagnostics_;
  std::map<std::string, std::size_t> known_;
  std::vector<Entry> entries_;
};

struct Import {
  const LoadOptions& options;
  /// Files are named relative to it; empty: by their whole path.
  std::filesystem::path folder;
  Diagnostics& diagnostics;
  double time_step = 0;  ///< s, of the world; 0: there is none
  Unsimulated unsimulated{diagnostics};
  bool has_occupancy_grid = false;  ///< among the elements so far
  Terrain terrain{};
  Surfaces surfaces{};

  Reader children(const Element& element) {
    return {element, Reader::Form::kChildren, diagnostics};
  }
  Reader attributes(const Element& element) {
    return {element, Reader::Form::kAttributes, diagnostics};
  }
  std::string url(const std::filesystem::path& file) const;
};

/// Where an entity begins: init_pose or init_pose3d. An error when neither is there.
struct StartPose {
  Pose X;
  Place place;
  bool three_d = false;  ///< of <init_pose3d>
};
StartPose start_pose(Import& import, const Element& entity);
/// On the ground under its feet (in its own frame), unless <skip_elevation_adjust> says otherwise.
/// `reach` and `climb` as of Terrain::standing.
void put_on_ground(Import& import, const Element& entity, std::span<const Vec2> feet, double reach,
                   double climb, StartPose& start);
/// The last one of <pose_3d> and <pose>, or `fallback`.
Pose sensor_pose(Import& import, const Element& sensor, const Pose& fallback = {});

/// A tag that becomes a field.
struct Setting {
  const char* tag;
  const char* field;
};
/// Those that are written.
void numbers(const Reader& reader, std::initializer_list<Setting> settings, NodeMaker& made);

Pose pose_of(const Pose3d& pose);
Vec3 rgb(const Color& color);
/// A dull surface of that colour.
wbt::NodePtr appearance(const Color& color, const Origin& origin);
wbt::NodePtr shape(wbt::NodePtr geometry, const Color& color, const Origin& origin);
/// Lines or dots, which have that colour whatever light there is.
wbt::NodePtr drawing(wbt::NodePtr geometry, const Color& color, const Origin& origin);
/// `node` itself, or a Pose around it.
wbt::NodePtr posed(wbt::NodePtr node, const Pose& X, const Origin& origin);

}  // namespace protobeam::mvsim
