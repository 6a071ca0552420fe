// What parsers made of model files in earlier runs. It depends on nothing but the bytes and the
// name of a file, and on the other files that its parser asks for.
#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "assets/derived_cache.h"
#include "geometry/imported_model.h"

namespace protobeam {

class ModelCache {
 public:
  /// Keeps nothing where there is no program to parse models.
  ModelCache();

  struct Model {
    const std::string& name;  ///< as the parser gets it
    std::string_view bytes;
    bool ccw;
  };
  /// Another file that the parser has asked for.
  struct Other {
    std::string name;
    std::optional<std::string> bytes;
  };
  /// The worker's reply, if all other files are as they were.
  std::optional<std::string> find(const Model& model, const FileByName& other_file) const;
  void store(const Model& model, std::span<const Other> others, std::span<const std::byte> reply);

 private:
  std::string key_of(const Model& model) const;

  std::string stamp_;  ///< of the programs and of Assimp
  DerivedCache cache_;
  std::size_t stored_ = 0;  ///< bytes
};

}  // namespace protobeam
