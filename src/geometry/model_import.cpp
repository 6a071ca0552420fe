#include <assimp/MemoryIOWrapper.h>
#include <assimp/config.h>
#include <assimp/material.h>
#include <assimp/postprocess.h>
#include <assimp/scene.h>

#include <algorithm>
#include <assimp/IOSystem.hpp>
#include <assimp/Importer.hpp>
#include <cmath>
#include <cstring>
#include <filesystem>
#include <map>
#include <new>
#include <optional>
#include <stdexcept>
#include <unordered_map>

#include "base/file_names.h"
#include "base/libm.h"
#include "base/wire.h"
#include "geometry/collada_quirks.h"
#include "geometry/imported_model.h"
#include "geometry/model_check.h"

namespace protobeam {
namespace {

constexpr std::size_t kMaxTriangles = 50'000'000;

/// The model in memory, and the files (.mtl) that it names.
class MemoryFiles : public Assimp::IOSystem {
 public:
  MemoryFiles(const std::string& name, std::string_view bytes, const FileByName& other_file)
      : name_(name), bytes_(bytes), other_file_(other_file) {}

  bool Exists(const char* file) const override { return find(file).has_value(); }
  char getOsSeparator() const override { return '/'; }
  Assimp::IOStream* Open(const char* file, const char* mode) override {
    const auto found = find(file);
    if (mode[0] != 'r' || !found) return nullptr;
    return new Assimp::MemoryIOStream(reinterpret_cast<const std::uint8_t*>(found->data()),
                                      found->size());
  }
  void Close(Assimp::IOStream* stream) override { delete stream; }

 private:
  std::optional<std::string_view> find(const std::string& path) const {
    if (path == name_) return bytes_;
    const std::string file = std::filesystem::path(path).lexically_normal().string();
    const auto known = others_.try_emplace(file);
    if (known.second) known.first->second = other_file_(file);
    return known.first->second;
  }

  const std::string& name_;
  std::string_view bytes_;
  const FileByName& other_file_;
  mutable std::map<std::string, std::optional<std::string>> others_;
};

/// Merges corners that Assimp keeps apart (one vertex a face corner) when they are equal.
class Welder {
 public:
  explicit Welder(Mesh& mesh) : mesh_(mesh) {}
  std::uint32_t operator()(const Vec3& p) {
    const Vec3 key = p + Vec3::Zero();  // -0 and 0 are the same place
    const auto [at, added] = index_.try_emplace(key, mesh_.vertices.size());
    if (added) mesh_.vertices.push_back(key);
    return static_cast<std::uint32_t>(at->second);
  }

 private:
  struct Hash {
    std::size_t operator()(const Vec3& p) const {
      std::size_t h = 0;
      for (int i = 0; i < 3; ++i) {
        std::uint64_t bits = 0;
        std::memcpy(&bits, &p[i], sizeof bits);
        h = (h ^ bits) * 0x9e3779b97f4a7c15u;
        h ^= h >> 29;
      }
      return h;
    }
  };
  Mesh& mesh_;
  std::unordered_map<Vec3, std::size_t, Hash> index_;
};

Eigen::Matrix4d to_eigen(const aiMatrix4x4& m) {
  Eigen::Matrix4d result;
  for (unsigned i = 0; i < 4; ++i) {
    for (unsigned j = 0; j < 4; ++j) result(i, j) = m[i][j];
  }
  return result;
}

ImportedModel::Part read_part(const aiMesh& source, const Eigen::Matrix4d& X, bool ccw) {
  ImportedModel::Part part;
  part.name = source.mName.C_Str();
  part.material = source.mMaterialIndex;
  Mesh& mesh = part.mesh;
  const Mat3 linear = X.topLeftCorner<3, 3>();
  const bool flip = (linear.determinant() < 0) == ccw;  // a mirror, or clockwise: not both
  Mat3 cofactors;  // of `linear`: what turns normals right under any linear map
  for (int i = 0; i < 3; ++i) {
    cofactors.col(i) = linear.col((i + 1) % 3).cross(linear.col((i + 2) % 3));
  }
  if (linear.determinant() < 0) cofactors = -cofactors;
  const bool has_uvs = source.HasTextureCoords(0);
  const bool has_normals = source.HasNormals();

  Welder weld(mesh);
  mesh.triangles.reserve(source.mNumFaces);
  for (unsigned f = 0; f < source.mNumFaces; ++f) {
    const aiFace& face = source.mFaces[f];
    if (face.mNumIndices != 3) continue;  // points and lines
    std::array<std::uint32_t, 3> triangle{};
    std::array<Eigen::Vector2f, 3> uv;
    std::array<Eigen::Vector3f, 3> normals;
    for (unsigned i = 0; i < 3; ++i) {
      const unsigned corner = face.mIndices[flip && i > 0 ? 3 - i : i];
      if (corner >= source.mNumVertices)
        throw std::runtime_error("a face refers to a vertex that is not there");
      const aiVector3D& v = source.mVertices[corner];
      const Vec3 p = linear * Vec3(v.x, v.y, v.z) + X.topRightCorner<3, 1>();
      if (!p.allFinite()) throw std::runtime_error("a coordinate is not a finite number");
      triangle[i] = weld(p);
      if (has_uvs) {
        const aiVector3D& t = source.mTextureCoords[0][corner];
        uv[i] = {t.x, t.y};
        if (!uv[i].allFinite())
          throw std::runtime_error("a texture coordinate is not a finite number");
      }
      if (has_normals) {
        const aiVector3D& n = source.mNormals[corner];
        Vec3 normal = cofactors * Vec3(n.x, n.y, n.z);
        const double length = normal.norm();
        normals[i] = length > 0 && std::isfinite(length) ? (normal / length).cast<float>()
                                                         : Eigen::Vector3f::Zero().eval();
        if (!ccw) normals[i] = -normals[i];
      }
    }
    mesh.triangles.push_back(triangle);
    if (has_uvs) mesh.uvs.push_back(uv);
    if (has_normals) mesh.normals.push_back(normals);
  }
  // A normal of length 0 would shade black: better none, and flat shading.
  for (const auto& corners : mesh.normals) {
    for (const auto& normal : corners) {
      if (normal.isZero()) {
        mesh.normals.clear();
        return part;
      }
    }
  }
  return part;
}

float unit(float value) { return std::isfinite(value) ? std::clamp(value, 0.0f, 1.0f) : 0.0f; }
Eigen::Vector3f unit(const aiColor4D& c) { return {unit(c.r), unit(c.g), unit(c.b)}; }

ImportedModel::Surface read_surface(const aiScene& scene, const aiMaterial& source) {
  ImportedModel::Surface surface;
  Material& result = surface.material;
  aiColor4D colour;
  float number = 0;
  if (source.Get(AI_MATKEY_BASE_COLOR, colour) == AI_SUCCESS ||
      source.Get(AI_MATKEY_COLOR_DIFFUSE, colour) == AI_SUCCESS) {
    result.base_color = unit(colour);
  }
  if (source.Get(AI_MATKEY_COLOR_EMISSIVE, colour) == AI_SUCCESS) result.emissive = unit(colour);
  if (source.Get(AI_MATKEY_OPACITY, number) == AI_SUCCESS) result.transparency = 1 - unit(number);
  if (source.Get(AI_MATKEY_METALLIC_FACTOR, number) == AI_SUCCESS) result.metalness = unit(number);
  if (source.Get(AI_MATKEY_ROUGHNESS_FACTOR, number) == AI_SUCCESS) {
    result.roughness = unit(number);
  } else {
    // The Phong exponent s of older formats as a roughness: alpha^2 = 2 / (s + 2), alpha =
    // roughness^2 (B. Walter et al., "Microfacet models for refraction through rough surfaces",
    // EGSR 2007, eq. 33; B. Karis, "Specular BRDF reference", 2013).
    float exponent = 0;
    const bool shiny = source.Get(AI_MATKEY_SHININESS, exponent) == AI_SUCCESS && exponent > 0;
    result.roughness = shiny ? unit(libm::pow(2 / (exponent + 2), 0.25f)) : 1.0f;
  }
  for (const aiTextureType type : {aiTextureType_BASE_COLOR, aiTextureType_DIFFUSE}) {
    aiString name;
    aiTextureMapMode modes[3] = {aiTextureMapMode_Wrap, aiTextureMapMode_Wrap,
                                 aiTextureMapMode_Wrap};
    if (source.GetTexture(type, 0, &name, nullptr, nullptr, nullptr, nullptr, modes) !=
            AI_SUCCESS ||
        name.C_Str() == kNoImage) {
      continue;
    }
    result.repeat_s = modes[0] != aiTextureMapMode_Clamp;
    result.repeat_t = modes[1] != aiTextureMapMode_Clamp;
    surface.texture = name.C_Str();
    if (const aiTexture* embedded = scene.GetEmbeddedTexture(name.C_Str());
        embedded != nullptr && embedded->mHeight == 0) {  // otherwise raw pixels: no PNG, no JPEG
      surface.embedded.assign(reinterpret_cast<const char*>(embedded->pcData), embedded->mWidth);
    }
    break;
  }
  return surface;
}

template <class Visitor>
void visit(const aiScene& scene, const aiNode& node, const Eigen::Matrix4d& above,
           const Visitor& visitor) {
  const Eigen::Matrix4d X = above * to_eigen(node.mTransformation);
  for (unsigned i = 0; i < node.mNumMeshes; ++i) visitor(*scene.mMeshes[node.mMeshes[i]], X, node);
  for (unsigned i = 0; i < node.mNumChildren; ++i) visit(scene, *node.mChildren[i], X, visitor);
}

std::string one_line(std::string text) {
  std::replace(text.begin(), text.end(), '\n', ' ');
  return text.empty() ? "not a mesh" : text;
}

MessageBytes pack_failure(const char* why) {
  wire::Writer out;
  out.value(false);
  out.text(why);
  return out.take();
}

}  // namespace

ImportedModel import_model(const std::string& name, std::string_view bytes, bool ccw,
                           const FileByName& other_file) {
  const std::string extension = extension_of(name);
  const std::string why = reason_to_refuse(extension, bytes);
  if (!why.empty()) throw std::runtime_error(why);
  const std::size_t declared = extension == ".glb" ? declared_glb_triangles(bytes) : 0;
  std::string mended;
  if (extension == ".dae") {
    mended = bytes;
    mend_collada(mended);
    bytes = mended;
  }
  Assimp::Importer importer;
  importer.SetIOHandler(new MemoryFiles(name, bytes, other_file));  // the importer owns it
  importer.SetPropertyInteger(AI_CONFIG_IMPORT_COLLADA_IGNORE_UP_DIRECTION, 1);
  importer.SetPropertyBool(AI_CONFIG_IMPORT_COLLADA_USE_COLLADA_NAMES, true);
  importer.SetPropertyInteger(AI_CONFIG_PP_RVC_FLAGS,
                              aiComponent_COLORS | aiComponent_TANGENTS_AND_BITANGENTS |
                                  aiComponent_BONEWEIGHTS | aiComponent_ANIMATIONS |
                                  aiComponent_LIGHTS | aiComponent_CAMERAS);
  const aiScene* scene =
      importer.ReadFile(name, aiProcess_RemoveComponent | aiProcess_Triangulate |
                                  aiProcess_SortByPType | aiProcess_ValidateDataStructure);
  if (scene == nullptr || scene->mRootNode == nullptr) {
    if (importer.GetErrorString() == std::string("std::bad_alloc")) throw std::bad_alloc();
    throw std::runtime_error(one_line(importer.GetErrorString()));
  }
  std::size_t read = 0;
  for (unsigned i = 0; i < scene->mNumMeshes; ++i) read += scene->mMeshes[i]->mNumFaces;
  if (read < declared) throw std::runtime_error("a face refers to a vertex that is not there");

  ImportedModel result;
  std::size_t triangles = 0;
  visit(*scene, *scene->mRootNode, Eigen::Matrix4d::Identity(),
        [&](const aiMesh& mesh, const Eigen::Matrix4d& X, const aiNode& node) {
          triangles += mesh.mNumFaces;
          if (triangles > kMaxTriangles) throw std::runtime_error("more than 50 million triangles");
          ImportedModel::Part part = read_part(mesh, X, ccw);
          part.node = node.mName.C_Str();
          if (!part.mesh.triangles.empty()) result.parts.push_back(std::move(part));
        });
  if (result.parts.empty()) throw std::runtime_error("it has no triangles");
  for (unsigned i = 0; i < scene->mNumMaterials; ++i) {
    result.surfaces.push_back(read_surface(*scene, *scene->mMaterials[i]));
  }
  return result;
}

void prepare_import() {
  import_model("a.obj", "v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n", true,
               [](const std::string&) { return std::nullopt; });
}

MessageBytes import_packed(std::span<const std::byte> request,
                           const std::function<MessageBytes(std::span<const std::byte>)>& ask) {
  try {
    wire::Reader in(request);
    const std::string name = in.text();
    const bool ccw = in.flag();
    const std::string_view bytes = in.view();
    return pack_reply(
        import_model(name, bytes, ccw, [&](const std::string& other) -> std::optional<std::string> {
          wire::Writer question;
          question.text(other);
          const MessageBytes answer = ask(question.take());
          wire::Reader reader(answer);
          if (!reader.flag()) return std::nullopt;
          return reader.text();
        }));
  } catch (const std::bad_alloc&) {
    return pack_failure("more memory is needed than is allowed");
  } catch (const std::exception& error) {
    return pack_failure(error.what());
  }
}

}  // namespace protobeam
