#include <algorithm>
#include <cctype>
#include <stdexcept>

#include "base/whole_file.h"
#include "geometry/files.h"
#include "geometry/image_codec.h"
#include "geometry/imported_model.h"
#include "geometry/isolated.h"

namespace protobeam {
namespace {

namespace fs = std::filesystem;

[[noreturn]] void fail(const fs::path& path, const std::string& why) {
  throw std::runtime_error("cannot read mesh " + path.string() + ": " + why);
}

/// Generous for any sound file: text of 8 bytes a triangle becomes some 400 bytes of mesh.
Allowance allowance(std::uintmax_t file_size) {
  constexpr std::size_t kMiB = std::size_t{1} << 20;
  return {20 + static_cast<unsigned>(file_size / kMiB), 256 * kMiB + 100 * file_size};
}

ImportedModel read_model(const fs::path& path, bool ccw) {
  std::string ending = path.extension().string();
  std::transform(ending.begin(), ending.end(), ending.begin(),
                 [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  if (ending != ".dae" && ending != ".obj" && ending != ".stl" && ending != ".glb") {
    fail(path, "its ending is none of .dae .obj .stl .glb");
  }
  std::error_code error;
  const std::uintmax_t size = fs::file_size(path, error);
  if (error) fail(path, error.message());
  if (size > kMaxFileSize) fail(path, "larger than 256 MiB");
  try {
    return unpack(run_isolated(allowance(size), [&] { return pack(import_model(path, ccw)); }));
  } catch (const std::runtime_error& reason) {
    fail(path, reason.what());
  }
}

std::shared_ptr<const Image> read_texture(const fs::path& model,
                                          const ImportedModel::Surface& surface) {
  if (!surface.embedded.empty()) {
    return std::make_shared<const Image>(
        decode_image(surface.embedded, model.string() + " (texture " + surface.texture + ")"));
  }
  std::string file = surface.texture;
  std::replace(file.begin(), file.end(), '\\', '/');  // exporters on Windows
  return load_image(model.parent_path() / file);
}

template <class T>
void append(std::vector<T>& to, const std::vector<T>& from) {
  to.insert(to.end(), from.begin(), from.end());
}

}  // namespace

std::vector<ModelPart> load_model(const fs::path& path, bool ccw,
                                  std::vector<std::string>* warnings) {
  ImportedModel model = read_model(path, ccw);
  for (ImportedModel::Surface& surface : model.surfaces) {
    if (surface.texture.empty()) continue;
    try {
      surface.material.texture = read_texture(path, surface);
    } catch (const std::runtime_error& error) {
      if (warnings == nullptr) continue;
      warnings->push_back(path.string() + " goes without its texture: " + error.what());
    }
  }
  std::vector<ModelPart> result;
  for (ImportedModel::Part& part : model.parts) {
    ModelPart& out = result.emplace_back();
    out.name = std::move(part.name);
    out.mesh = std::make_shared<const Mesh>(std::move(part.mesh));
    if (part.material < model.surfaces.size())
      out.material = model.surfaces[part.material].material;
  }
  return result;
}

std::shared_ptr<const Mesh> load_mesh(const fs::path& path, bool ccw, int material_index) {
  ImportedModel model = read_model(path, ccw);
  auto& parts = model.parts;
  if (material_index >= 0) {
    std::erase_if(parts, [&](const ImportedModel::Part& part) {
      return part.material != static_cast<unsigned>(material_index);
    });
    if (parts.empty()) {
      fail(path, "nothing in it has material number " + std::to_string(material_index) +
                     " (it has " + std::to_string(model.surfaces.size()) + ", from 0)");
    }
  }
  // Texture coordinates and normals are for all triangles or for none.
  const bool uvs = std::all_of(parts.begin(), parts.end(),
                               [](const auto& part) { return !part.mesh.uvs.empty(); });
  const bool normals = std::all_of(parts.begin(), parts.end(),
                                   [](const auto& part) { return !part.mesh.normals.empty(); });
  auto result = std::make_shared<Mesh>();
  for (const ImportedModel::Part& part : parts) {
    const auto offset = static_cast<std::uint32_t>(result->vertices.size());
    append(result->vertices, part.mesh.vertices);
    for (const auto& t : part.mesh.triangles) {
      result->triangles.push_back({t[0] + offset, t[1] + offset, t[2] + offset});
    }
    if (uvs) append(result->uvs, part.mesh.uvs);
    if (normals) append(result->normals, part.mesh.normals);
  }
  return result;
}

}  // namespace protobeam
