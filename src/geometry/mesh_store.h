// Shapes in files, for programs that read them there: FOLDER/meshes/HASH.stl (binary STL, metres).
//
// STL is the format that RViz, Foxglove and Assimp all read. A file has one content for ever, so
// any number of programs may use one folder.
#pragma once

#include <filesystem>
#include <map>
#include <memory>
#include <string>

#include "geometry/geometry.h"

namespace protobeam {

/// A header of 80 bytes, the number of triangles, and for each a normal, three corners and two
/// bytes (3D Systems, "StereoLithography Interface Specification", 1989). Numbers become float.
std::string stl_bytes(const Mesh& mesh);

class MeshStore {
 public:
  /// The folder need not be there.
  explicit MeshStore(std::filesystem::path folder) : folder_(std::move(folder)) {}
  /// In the folder of AssetCache::of_user().
  static MeshStore of_user();

  /// "file:///...stl", in which the shape is from now on; "" for terrain and for what has no
  /// triangles. Throws std::runtime_error ("cannot write ...").
  std::string address_of(const std::shared_ptr<const Geometry>& shape);

 private:
  std::filesystem::path folder_;
  /// Of shapes that somebody else has.
  std::map<std::weak_ptr<const Geometry>, std::string, std::owner_less<>> known_;
  std::size_t clean_at_ = 64;  ///< so that those that nobody has do not pile up
};

}  // namespace protobeam
