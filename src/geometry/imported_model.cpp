#include "geometry/imported_model.h"

#include <algorithm>
#include <stdexcept>

#include "base/wire.h"

namespace protobeam {
namespace {

/// Vectors of points, corners and colours go as their numbers. Members are named once, in
/// `members`, for both directions.
class Packer {
 public:
  wire::Writer out;

  template <class T>
  void value(const T& v) {
    out.value(v);
  }
  void text(const std::string& s) { out.text(s); }
  template <class Scalar, class T>
  void items(const std::vector<T>& rows) {
    out.count(rows.size());
    out.items(std::span(reinterpret_cast<const Scalar*>(rows.data()),
                        rows.size() * (sizeof(T) / sizeof(Scalar))));
  }
  void color(const Eigen::Vector3f& c) { out.items(std::span<const float>(c.data(), 3)); }
  template <class T>
  void list(const std::vector<T>& rows) {
    out.count(rows.size());
    for (const T& row : rows) members(*this, row);
  }
};

class Unpacker {
 public:
  wire::Reader in;

  template <class T>
  void value(T& v) {
    v = in.value<T>();
  }
  void value(bool& v) { v = in.flag(); }
  void text(std::string& s) { s = in.text(); }
  template <class Scalar, class T>
  void items(std::vector<T>& rows) {
    rows.resize(in.count(sizeof(T)));
    in.items(std::span(reinterpret_cast<Scalar*>(rows.data()),
                       rows.size() * (sizeof(T) / sizeof(Scalar))));
  }
  void color(Eigen::Vector3f& c) { in.items(std::span<float>(c.data(), 3)); }
  template <class T>
  void list(std::vector<T>& rows) {
    rows.resize(in.count(1));
    for (T& row : rows) members(*this, row);
  }
};

template <class Archive, class Part>
requires requires(Part part) { part.mesh; }
void members(Archive& archive, Part& part) {
  archive.text(part.name);
  archive.text(part.node);
  archive.value(part.material);
  archive.template items<double>(part.mesh.vertices);
  archive.template items<std::uint32_t>(part.mesh.triangles);
  archive.template items<float>(part.mesh.uvs);
  archive.template items<float>(part.mesh.normals);
}

template <class Archive, class Surface>
requires requires(Surface surface) { surface.embedded; }
void members(Archive& archive, Surface& surface) {
  auto& m = surface.material;
  archive.color(m.base_color);
  archive.color(m.emissive);
  archive.value(m.transparency);
  archive.value(m.roughness);
  archive.value(m.metalness);
  archive.value(m.repeat_s);
  archive.value(m.repeat_t);
  archive.text(surface.texture);
  archive.text(surface.embedded);
}

/// The parser's process may have been taken over by what it parsed.
void check(const Mesh& mesh) {
  const auto vertices = mesh.vertices.size(), triangles = mesh.triangles.size();
  std::uint32_t highest = 0;
  for (const auto& t : mesh.triangles) highest = std::max({highest, t[0], t[1], t[2]});
  const bool good = (triangles == 0 || highest < vertices) &&
                    (mesh.uvs.empty() || mesh.uvs.size() == triangles) &&
                    (mesh.normals.empty() || mesh.normals.size() == triangles);
  if (!good) throw wire::BrokenMessage("a mesh does not fit together");
}

std::size_t size_of(const ImportedModel& model) {
  std::size_t size = 4096;
  for (const auto& part : model.parts) {
    size += 256 + part.mesh.vertices.size() * sizeof(Vec3) +
            part.mesh.triangles.size() * sizeof(part.mesh.triangles[0]) +
            part.mesh.uvs.size() * sizeof(part.mesh.uvs[0]) +
            part.mesh.normals.size() * sizeof(part.mesh.normals[0]);
  }
  for (const auto& surface : model.surfaces) size += 1024 + surface.embedded.size();
  return size;
}

}  // namespace

MessageBytes pack_request(const std::string& name, std::string_view bytes, bool ccw) {
  wire::Writer out;
  out.reserve(name.size() + bytes.size() + 64);
  out.text(name);
  out.value(ccw);
  out.text(bytes);
  return out.take();
}

std::string unpack_question(std::span<const std::byte> question) {
  wire::Reader in(question);
  std::string name = in.text();
  in.expect_end();
  return name;
}

MessageBytes pack_answer(const std::optional<std::string>& bytes) {
  wire::Writer out;
  out.value(bytes.has_value());
  if (bytes) out.text(*bytes);
  return out.take();
}

ImportedModel unpack_reply(std::span<const std::byte> reply) {
  Unpacker unpacker{wire::Reader(reply)};
  std::string why;
  try {
    if (unpacker.in.flag()) {
      ImportedModel model;
      unpacker.list(model.parts);
      unpacker.list(model.surfaces);
      unpacker.in.expect_end();
      for (const auto& part : model.parts) check(part.mesh);
      return model;
    }
    why = unpacker.in.text();
  } catch (const wire::BrokenMessage& broken) {
    why = std::string("its parser left a broken result: ") + broken.what();
  }
  throw std::runtime_error(why);
}

MessageBytes pack_reply(const ImportedModel& model) {
  Packer packer;
  packer.out.reserve(size_of(model));
  packer.value(true);
  packer.list(model.parts);
  packer.list(model.surfaces);
  return packer.out.take();
}

}  // namespace protobeam
