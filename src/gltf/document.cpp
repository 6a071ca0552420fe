#include "gltf/document.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <limits>
#include <nlohmann/json.hpp>
#include <set>
#include <span>
#include <stdexcept>
#include <utility>

#include "geometry/surface_mesh.h"
#include "gltf/buffer.h"
#include "gltf/materials.h"

namespace protobeam::gltf {

using nlohmann::json;

namespace {

/// Farther from its own origin than this, a shape is moved there (m).
constexpr double kFar = 1000;

template <class Vector>
json numbers_of(const Vector& v) {
  json out = json::array();
  for (int i = 0; i < v.size(); ++i) out.push_back(v[i]);
  return out;
}

/// glTF and Eigen both have x, y, z, w.
json rotation_of(const Quat& R) { return numbers_of(R.normalized().coeffs()); }

void set_pose(json& node, const Pose& X) {
  if (!X.p.cast<float>().allFinite() || !X.R.coeffs().allFinite()) return;
  if (!X.p.isZero(0)) node["translation"] = numbers_of(X.p);
  if (X.R.coeffs() != Quat::Identity().coeffs()) node["rotation"] = rotation_of(X.R);
}

void append(std::string& out, std::uint32_t number) {
  for (int shift = 0; shift < 32; shift += 8) out.push_back(static_cast<char>(number >> shift));
}

/// Axes of a camera of glTF in one that looks along x, with z up: it looks along -z, with y up.
Quat camera_axes() {
  Mat3 axes;
  axes.col(0) = -Vec3::UnitY();
  axes.col(1) = Vec3::UnitZ();
  axes.col(2) = -Vec3::UnitX();
  return Quat(axes);
}

json empty_document(const std::string& generator) {
  json out{{"asset", {{"version", "2.0"}, {"generator", generator}}},
           {"scene", 0},
           {"scenes", json::array({json{{"nodes", json::array({0})}}})}};
  for (const char* list : {"nodes", "meshes", "materials", "textures", "images", "samplers",
                           "cameras", "accessors", "bufferViews", "lights"}) {
    out[list] = json::array();
  }
  return out;
}

template <int Size>
std::vector<float> flat(const std::vector<Eigen::Matrix<float, Size, 1>>& vectors) {
  std::vector<float> out;
  out.reserve(vectors.size() * Size);
  for (const auto& v : vectors) out.insert(out.end(), v.data(), v.data() + Size);
  return out;
}

}  // namespace

struct Document::Parts {
  explicit Parts(const std::string& generator) : document(empty_document(generator)) {}
  json& nodes() { return document["nodes"]; }
  void add_channel(int node, const char* path, const char* interpolation,
                   std::span<const float> times, std::span<const float> values, Shape shape) {
    json& samplers = animation["samplers"];
    samplers.push_back({{"input", buffer.add(times, Shape::kScalar, Use::kNone)},
                        {"output", buffer.add(values, shape, Use::kNone)},
                        {"interpolation", interpolation}});
    animation["channels"].push_back(
        {{"sampler", samplers.size() - 1}, {"target", {{"node", node}, {"path", path}}}});
  }

  json document;
  json animation{{"name", "run"}, {"channels", json::array()}, {"samplers", json::array()}};
  Buffer buffer{document["bufferViews"], document["accessors"]};
  Materials materials{document, buffer};
};

Document::Document(const std::string& generator, const Vec3& up)
    : parts_(std::make_unique<Parts>(generator)) {
  json root{{"name", "world"}};
  set_pose(root, Pose::rotation(turn(up)));
  parts_->nodes().push_back(std::move(root));
}

Document::~Document() = default;

int Document::add_child(int parent, const std::string& name, const Pose& X) {
  json& nodes = parts_->nodes();
  const auto index = static_cast<int>(nodes.size());
  json node{{"name", name}};
  set_pose(node, X);
  nodes.push_back(std::move(node));
  nodes[static_cast<std::size_t>(parent)]["children"].push_back(index);
  return index;
}

int Document::add_node(const std::string& name, const Pose& X_WN) {
  return add_child(0, name, X_WN);
}

int Document::add_shape(int node, const std::string& name,
                        const std::shared_ptr<const Geometry>& geometry,
                        const std::shared_ptr<const Material>& material, const Pose& X_NS) {
  if (material->transparency >= 1) return -1;
  const Arrays& arrays = arrays_of(geometry);
  if (arrays.positions < 0) return -1;
  const int mesh = mesh_of(geometry, material, arrays);
  const int child = add_child(node, name, X_NS * Pose::translation(arrays.origin));
  parts_->nodes()[static_cast<std::size_t>(child)]["mesh"] = mesh;
  return child;
}

Vec3 Document::origin_of(const Geometry& geometry) {
  const Bounds box = bounds(geometry);
  const Vec3 middle = (box.min + box.max) / 2;
  return middle.norm() > kFar ? middle : Vec3::Zero();
}

const Document::Arrays& Document::arrays_of(const std::shared_ptr<const Geometry>& geometry) {
  const auto [place, is_new] = arrays_.try_emplace(geometry);
  Arrays& out = place->second;
  if (!is_new) return out;
  const SurfaceMesh mesh = surface_mesh(*geometry);
  if (mesh.triangles.empty()) return out;
  out.origin = origin_of(*geometry);
  std::vector<Eigen::Vector3f> positions;
  positions.reserve(mesh.positions.size());
  for (const Vec3& p : mesh.positions) positions.push_back((p - out.origin).cast<float>());
  std::vector<std::uint32_t> indices;
  indices.reserve(mesh.triangles.size() * 3);
  for (const auto& triangle : mesh.triangles)
    indices.insert(indices.end(), triangle.begin(), triangle.end());
  Buffer& buffer = parts_->buffer;
  out.positions = buffer.add(flat(positions), Shape::kVec3, Use::kVertices);
  out.normals = buffer.add(flat(mesh.normals), Shape::kVec3, Use::kVertices);
  out.indices = buffer.add_indices(indices);
  return out;
}

int Document::uvs_of(const std::shared_ptr<const Geometry>& geometry, const Material& material) {
  UvPlacement placement;
  Eigen::Matrix<float, 2, 3>::Map(placement.data()) = material.uv_transform;
  const auto [place, is_new] = uvs_.try_emplace({geometry, placement}, 0);
  if (!is_new) return place->second;
  std::vector<Eigen::Vector2f> uvs = surface_mesh(*geometry).uvs;
  for (Eigen::Vector2f& uv : uvs) {
    uv = material.uv_transform.leftCols<2>() * uv + material.uv_transform.col(2);
    uv.y() = 1 - uv.y();  // rows of glTF's pictures count from the top
  }
  return place->second = parts_->buffer.add(flat(uvs), Shape::kVec2, Use::kVertices);
}

int Document::mesh_of(const std::shared_ptr<const Geometry>& geometry,
                      const std::shared_ptr<const Material>& material, const Arrays& arrays) {
  const auto [place, is_new] = meshes_.try_emplace({geometry, material}, 0);
  if (!is_new) return place->second;
  json attributes{{"POSITION", arrays.positions}, {"NORMAL", arrays.normals}};
  if (Materials::has_textures(*material)) attributes["TEXCOORD_0"] = uvs_of(geometry, *material);
  json& meshes = parts_->document["meshes"];
  json primitive{{"attributes", std::move(attributes)},
                 {"indices", arrays.indices},
                 {"material", parts_->materials.index_of(material)}};
  meshes.push_back({{"primitives", json::array({std::move(primitive)})}});
  return place->second = static_cast<int>(meshes.size()) - 1;
}

void Document::add_light(int node, const Light& light, const Vec3& location_N) {
  json out{{"color", numbers_of(light.color.cwiseMax(0).cwiseMin(1))},
           {"intensity", light.intensity}};
  if (light.range > 0 && light.kind != Light::Kind::kDirectional) out["range"] = light.range;
  if (light.kind == Light::Kind::kSpot) {
    const double outer = std::clamp(light.outer_angle, 1e-3, kPi / 2);
    out["spot"] = {{"innerConeAngle", std::clamp(light.inner_angle, 0.0, outer - 1e-4)},
                   {"outerConeAngle", outer}};
  }
  constexpr const char* kTypes[] = {"directional", "point", "spot"};
  out["type"] = kTypes[static_cast<int>(light.kind)];
  json& lights = parts_->document["lights"];
  lights.push_back(std::move(out));
  const Quat R = Quat::FromTwoVectors(-Vec3::UnitZ(), light.direction);  // lamps shine along -z
  const int child = add_child(node, "light", {R, location_N});
  parts_->nodes()[static_cast<std::size_t>(child)]["extensions"] = {
      {"KHR_lights_punctual", {{"light", lights.size() - 1}}}};
}

void Document::add_camera(const Pose& X_WV, double vertical_fov, double near) {
  json& cameras = parts_->document["cameras"];
  cameras.push_back({{"type", "perspective"},
                     {"perspective", {{"yfov", vertical_fov}, {"znear", std::max(near, 1e-3)}}}});
  const int node = add_node("viewpoint", X_WV * Pose::rotation(camera_axes()));
  parts_->nodes()[static_cast<std::size_t>(node)]["camera"] = cameras.size() - 1;
}

void Document::animate(int node, const Track& track) {
  if (track.moves()) {
    std::vector<float> times;
    std::vector<Eigen::Vector3f> places;
    std::vector<Eigen::Vector4f> rotations;
    for (const Track::Key& key : track.keys()) {
      times.push_back(key.time);
      places.push_back(key.p);
      rotations.push_back(key.R.coeffs());
    }
    parts_->add_channel(node, "translation", "LINEAR", times, flat(places), Shape::kVec3);
    parts_->add_channel(node, "rotation", "LINEAR", times, flat(rotations), Shape::kVec4);
  }
  if (track.presences().empty()) return;
  // What is of no size is not there (section 5.25 of the specification).
  std::vector<float> times;
  std::vector<Eigen::Vector3f> sizes;
  for (const Track::Presence& presence : track.presences()) {
    times.push_back(presence.time);
    sizes.push_back(Eigen::Vector3f::Constant(presence.there ? 1 : 0));
  }
  parts_->add_channel(node, "scale", "STEP", times, flat(sizes), Shape::kVec3);
}

std::string Document::glb() const {
  json out = parts_->document;
  std::set<std::string> extensions = parts_->materials.extensions();
  if (!out["lights"].empty()) {
    out["extensions"]["KHR_lights_punctual"]["lights"] = out["lights"];
    extensions.insert("KHR_lights_punctual");
  }
  out.erase("lights");
  if (!extensions.empty()) out["extensionsUsed"] = extensions;
  if (!parts_->animation["channels"].empty()) out["animations"] = json::array({parts_->animation});
  std::string binary = parts_->buffer.bytes();
  if (!binary.empty()) out["buffers"] = json::array({json{{"byteLength", binary.size()}}});
  for (auto it = out.begin(); it != out.end();) {
    it = it->is_array() && it->empty() ? out.erase(it) : std::next(it);
  }
  // Names may be of any bytes.
  std::string text = out.dump(-1, ' ', false, json::error_handler_t::replace);
  text.resize((text.size() + 3) / 4 * 4, ' ');
  binary.resize((binary.size() + 3) / 4 * 4, '\0');
  const std::size_t size = 12 + 8 + text.size() + (binary.empty() ? 0 : 8 + binary.size());
  if (size > std::numeric_limits<std::uint32_t>::max())
    throw std::runtime_error("the scene has more than 4 GiB, the most that a .glb can have");
  std::string file = "glTF";
  file.reserve(size);
  append(file, 2);
  append(file, static_cast<std::uint32_t>(size));
  append(file, static_cast<std::uint32_t>(text.size()));
  file += "JSON" + text;
  if (binary.empty()) return file;
  append(file, static_cast<std::uint32_t>(binary.size()));
  file += std::string("BIN\0", 4) + binary;
  return file;
}

}  // namespace protobeam::gltf
