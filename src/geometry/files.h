// Meshes and pictures from files. The only header through which Assimp and image libraries work.
#pragma once

#include <filesystem>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "geometry/geometry.h"
#include "geometry/material.h"

namespace protobeam {

/// A part of a file: one mesh with its material, in the file's own frame (see load_model).
struct ModelPart {
  std::string name, node;  ///< of its mesh, and of the node that has it
  std::shared_ptr<const Mesh> mesh;
  Material material;
};

/// Reads .dae .obj .stl .glb (Assimp). Node transforms are applied, polygons triangulated; the
/// axes stay as written in the file except that Collada units become metres and its up axis is
/// left alone (as Webots does). Throws std::runtime_error: unreadable, not a mesh, no triangles,
/// NaN coordinates, more than 50 million triangles, more than 256 MiB; the message names the file
/// and the reason. A texture or a file of materials that cannot be read is left out and named in
/// `warnings`. The parser runs in the worker process, so that a file which crashes it is only one
/// more reason.
std::vector<ModelPart> load_model(const std::filesystem::path& path, bool ccw = true,
                                  std::vector<std::string>* warnings = nullptr);

/// A part of a file by the name of its node or mesh.
bool is_called(const ModelPart& part, const std::string& name);

/// All parts as one mesh; `material_index` -1: all, otherwise only parts with that material; `name`
/// "": all, otherwise only those that are called so. Textures are not read. Throws as load_model
/// does, also when there is no such part.
std::shared_ptr<const Mesh> load_mesh(const std::filesystem::path& path, bool ccw = true,
                                      int material_index = -1, const std::string& name = {});

/// PNG, JPEG or PGM. Throws std::runtime_error naming the file and the reason.
std::shared_ptr<const Image> load_image(const std::filesystem::path& path);

/// The same from memory; `name` is how errors call it.
Image decode_image(std::string_view bytes, const std::string& name);

/// Throws std::runtime_error when the file cannot be written whole (nothing is left then).
void save_png(const Image& image, const std::filesystem::path& path);
/// `quality` is 1..100, of the JPEG format. Throws as save_png.
void save_jpeg(const Image& image, const std::filesystem::path& path, int quality);

}  // namespace protobeam
