#include "geometry/mesh_store.h"

#include <fmt/format.h>

#include <bit>
#include <cstring>

#include "assets/asset_cache.h"
#include "assets/sha256.h"
#include "base/whole_file.h"

namespace protobeam {
namespace fs = std::filesystem;
namespace {

static_assert(std::endian::native == std::endian::little);

void append(std::string& out, const Vec3& v) {
  for (int i = 0; i < 3; ++i) {
    const auto number = static_cast<float>(v[i]);
    out.append(reinterpret_cast<const char*>(&number), sizeof number);
  }
}

/// As RFC 3986 has it.
std::string file_address(const fs::path& file) {
  std::string out = "file://";
  const std::string path = fs::absolute(file).string();
  for (const char c : path) {
    const auto byte = static_cast<unsigned char>(c);
    const bool plain = byte < 128 && (std::isalnum(byte) || std::strchr("/-._~", c));
    out += plain ? std::string(1, c) : fmt::format("%{:02X}", byte);
  }
  return out;
}

}  // namespace

std::string stl_bytes(const Mesh& mesh) {
  // A header that begins with "solid" would make it a text for some readers.
  std::string out = "binary STL of Protobeam, metres";
  out.resize(80, ' ');
  const auto count = static_cast<std::uint32_t>(mesh.triangles.size());
  out.append(reinterpret_cast<const char*>(&count), sizeof count);
  out.reserve(out.size() + 50 * mesh.triangles.size());
  for (const auto& triangle : mesh.triangles) {
    const Vec3 &a = mesh.vertices[triangle[0]], &b = mesh.vertices[triangle[1]],
               &c = mesh.vertices[triangle[2]];
    append(out, (b - a).cross(c - a).stableNormalized());
    for (const Vec3* corner : {&a, &b, &c}) append(out, *corner);
    out.append(2, '\0');
  }
  return out;
}

MeshStore MeshStore::of_user() { return MeshStore(AssetCache::of_user().folder()); }

std::string MeshStore::address_of(const std::shared_ptr<const Geometry>& shape) {
  if (std::holds_alternative<HeightField>(*shape)) return "";
  if (const auto known = known_.find(shape); known != known_.end()) return known->second;
  const Mesh mesh = triangulated(*shape);
  if (mesh.triangles.empty()) return "";
  const std::string bytes = stl_bytes(mesh);
  const fs::path file = folder_ / "meshes" / (sha256_hex(bytes) + ".stl");
  std::error_code error;
  if (fs::file_size(file, error) != bytes.size() || error) {
    fs::create_directories(file.parent_path(), error);
    write_whole_file(file, bytes);
  }
  if (known_.size() >= clean_at_) {
    std::erase_if(known_, [](const auto& one) { return one.first.expired(); });
    clean_at_ = 2 * known_.size() + 64;
  }
  return known_[shape] = file_address(file);
}

}  // namespace protobeam
