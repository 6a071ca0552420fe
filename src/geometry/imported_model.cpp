#include "geometry/imported_model.h"

#include <cstring>
#include <stdexcept>

namespace protobeam {
namespace {

/// Plain values and vectors of them go as their bytes, everything else member by member; one
/// description of the members (`members`) serves both directions.
template <class T>
concept Plain = !requires(T t) {
  t.data();
}
|| requires(T t) { T::RowsAtCompileTime; };

class Packer {
 public:
  std::string bytes;

  template <Plain T>
  void plain(const T& value) {
    bytes.append(reinterpret_cast<const char*>(&value), sizeof value);
  }
  template <class T>
  void array(const T& values) {
    plain(static_cast<std::uint64_t>(values.size()));
    bytes.append(reinterpret_cast<const char*>(values.data()),
                 values.size() * sizeof(typename T::value_type));
  }
  template <class T>
  void list(const std::vector<T>& values) {
    plain(static_cast<std::uint64_t>(values.size()));
    for (const T& value : values) members(*this, value);
  }
};

class Unpacker {
 public:
  std::string_view bytes;

  template <Plain T>
  void plain(T& value) {
    copy(&value, sizeof value);
  }
  template <class T>
  void array(T& values) {
    values.resize(count(sizeof(typename T::value_type)));
    copy(values.data(), values.size() * sizeof(typename T::value_type));
  }
  template <class T>
  void list(std::vector<T>& values) {
    values.resize(count(1));
    for (T& value : values) members(*this, value);
  }

 private:
  void copy(void* to, std::size_t size) {
    if (size > bytes.size()) throw std::runtime_error("its parser left an incomplete result");
    if (size > 0) std::memcpy(to, bytes.data(), size);
    bytes.remove_prefix(size);
  }
  std::size_t count(std::size_t element) {
    std::uint64_t n = 0;
    plain(n);
    if (n > bytes.size() / element) throw std::runtime_error("its parser left a wrong result");
    return n;
  }
};

template <class Archive, class Part>
requires requires(Part part) { part.mesh; }
void members(Archive& archive, Part& part) {
  archive.array(part.name);
  archive.plain(part.material);
  archive.array(part.mesh.vertices);
  archive.array(part.mesh.triangles);
  archive.array(part.mesh.uvs);
  archive.array(part.mesh.normals);
}

template <class Archive, class Surface>
requires requires(Surface surface) { surface.embedded; }
void members(Archive& archive, Surface& surface) {
  auto& m = surface.material;
  archive.plain(m.base_color);
  archive.plain(m.emissive);
  archive.plain(m.transparency);
  archive.plain(m.roughness);
  archive.plain(m.metalness);
  archive.plain(m.repeat_s);
  archive.plain(m.repeat_t);
  archive.array(surface.texture);
  archive.array(surface.embedded);
}

}  // namespace

std::string pack(const ImportedModel& model) {
  Packer packer;
  packer.list(model.parts);
  packer.list(model.surfaces);
  return std::move(packer.bytes);
}

ImportedModel unpack(std::string_view bytes) {
  Unpacker unpacker{bytes};
  ImportedModel model;
  unpacker.list(model.parts);
  unpacker.list(model.surfaces);
  return model;
}

}  // namespace protobeam
