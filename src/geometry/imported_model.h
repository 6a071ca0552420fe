// A model file as its parser understood it; private to the reader of models.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "geometry/geometry.h"
#include "geometry/material.h"

namespace protobeam {

struct ImportedModel {
  struct Part {
    std::string name;
    Mesh mesh;
    std::uint32_t material = 0;
  };
  struct Surface {
    Material material;     ///< without its texture
    std::string texture;   ///< name of the picture; empty for none
    std::string embedded;  ///< its bytes, when they are in the model file itself
  };
  std::vector<Part> parts;
  std::vector<Surface> surfaces;
};

/// Reads the file in this process. Throws std::runtime_error with the reason alone.
ImportedModel import_model(const std::filesystem::path& path, bool ccw);

/// To bytes and back, between two processes of the same program.
std::string pack(const ImportedModel& model);
ImportedModel unpack(std::string_view bytes);

}  // namespace protobeam
