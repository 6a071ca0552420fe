// Animations of the running world that supervisors ask for.
#pragma once

#include <filesystem>
#include <string>

namespace protobeam {

class AnimationMaker {
 public:
  virtual ~AnimationMaker() = default;
  /// "", or why there will be none. From the world as it is.
  virtual std::string start(const std::filesystem::path& file) = 0;
  /// "", or why there is none.
  virtual std::string stop() = 0;
};

}  // namespace protobeam
