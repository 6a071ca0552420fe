#include "sim/shapes.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <iterator>
#include <utility>

#include "base/memory_budget.h"
#include "base/named_files.h"
#include "geometry/files.h"
#include "geometry/shared_geometry.h"
#include "render/color.h"
#include "sim/build/old_axes.h"
#include "sim/face_set.h"

namespace protobeam {
namespace fs = std::filesystem;
using wbt::Node;
using wbt::NodePtr;
using wbt::NodeView;

namespace {

HeightField elevation_grid(const NodeView& view) {
  HeightField field;
  field.columns = view.integer("xDimension");
  field.rows = view.integer("yDimension");
  field.spacing = {view.number("xSpacing"), view.number("ySpacing")};
  field.heights = view.numbers("height");
  field.heights.resize(
      static_cast<std::size_t>(field.columns) * static_cast<std::size_t>(field.rows), 0.0);
  if (view.get().old_axes != wbt::OldAxes::kNone) {  // see shape_axes()
    const auto width = static_cast<std::ptrdiff_t>(field.columns);
    for (int a = 0, b = field.rows - 1; a < b; ++a, --b) {
      std::swap_ranges(field.heights.begin() + a * width, field.heights.begin() + (a + 1) * width,
                       field.heights.begin() + b * width);
    }
  }
  // The picture covers the grid.
  field.uv(0, 0) = 1 / (field.spacing.x() * (field.columns - 1));
  field.uv(1, 1) = 1 / (field.spacing.y() * (field.rows - 1));
  return field;
}

Eigen::Vector3f colour(const NodeView& view, std::string_view field) {
  return view.vec3(field).cast<float>();
}

Eigen::Vector3f linear(const Eigen::Vector3f& colour) { return render::linear_from_srgb(colour); }

/// Of a Material node, as Webots' shader phong.frag has it.
void take_phong(const NodeView& view, Material& to) {
  to.shading = Shading::kPhong;
  to.base_color = colour(view, "diffuseColor");
  to.emissive = linear(colour(view, "emissiveColor"));
  to.specular = linear(colour(view, "specularColor"));
  const auto shininess = static_cast<float>(view.number("shininess"));
  to.exponent = 128 * shininess;
  to.roughness = 1 - shininess;
  to.transparency = static_cast<float>(view.number("transparency"));
  to.infrared_red = to.base_color.x();
  // The product is what is written in sRGB.
  const auto share = static_cast<float>(view.number("ambientIntensity"));
  to.ambient = linear(share * to.base_color);
}

/// The picture of an Appearance stands for all colours of its Material but that of its own light.
void show_picture_alone(const NodeView& appearance, const SchemaRegistry& schemas, Material& to) {
  to.infrared_red = 1;
  to.base_color.setOnes();
  to.specular.setZero();
  if (const NodePtr material = appearance.node("material")) {
    const auto share = static_cast<float>(NodeView(*material, schemas).number("ambientIntensity"));
    to.ambient = linear(Eigen::Vector3f::Constant(share));
  }
}

/// Of the pictures of a model, each once.
double bytes_of_pictures(const std::vector<BuiltShape>& parts) {
  std::set<std::shared_ptr<const Image>> pictures;
  for (const BuiltShape& part : parts) {
    pictures.insert(part.material->texture);
    if (const MaterialMaps* maps = part.material->maps.get())
      pictures.insert(
          {maps->roughness, maps->metalness, maps->normal, maps->occlusion, maps->emissive});
  }
  double bytes = 0;
  for (const auto& one : pictures) bytes += one ? static_cast<double>(one->pixels.size()) : 0;
  return bytes;
}

}  // namespace

fs::path ShapeFactory::resolve(const Node& node, std::string_view field) const {
  const NodeView view(node, schemas_);
  const auto urls = view.strings(field);
  if (urls.empty() || urls.front().empty()) return {};
  return file_beside(urls.front(), view.place(field));
}

fs::path ShapeFactory::seen_file(const Node& node, std::string_view field) {
  const NodeView view(node, schemas_);
  const auto urls = view.strings(field);
  if (!urls.empty() && urls.front().empty() &&
      missing_.insert(fmt::format("{} {}", fmt::ptr(&node), field)).second) {
    diagnostics_->warning(
        view.place(field),
        fmt::format("field '{}' of {} begins with an empty text: it names no file", field,
                    node.type),
        {}, node.expanded_from);
  }
  return resolve(node, field);
}

void ShapeFactory::forget(const Node& node) {
  if (const auto taken = taken_.extract(&node)) give_memory_back(taken.mapped());
  geometries_.erase(&node);
  materials_.erase(&node);
  const auto first = scaled_.lower_bound({&node, {-INFINITY, -INFINITY, -INFINITY}});
  auto last = first;
  while (last != scaled_.end() && last->first.first == &node) ++last;
  scaled_.erase(first, last);
}

void ShapeFactory::forget_nodes() {
  for (const auto& [node, bytes] : taken_) give_memory_back(bytes);
  taken_.clear();
  geometries_.clear();
  scaled_.clear();
  materials_.clear();
}

void ShapeFactory::forget_unused_files() {
  const auto forget = [](auto& files, const auto& is_used) {
    for (auto at = files.begin(); at != files.end();) {
      const bool unused = !is_used(at->second.contents);
      const bool goes = std::exchange(at->second.was_unused, unused) && unused;
      if (goes) give_memory_back(at->second.bytes);
      at = goes ? files.erase(at) : std::next(at);
    }
  };
  // More than the one in the table.
  const auto shared = [](const auto& one) { return one.use_count() > 1; };
  forget(mesh_files_, shared);
  forget(image_files_, shared);
  forget(models_, [&](const std::vector<BuiltShape>& parts) {
    return std::ranges::any_of(parts, [&](const BuiltShape& part) {
      return shared(part.geometry) || shared(part.material);
    });
  });
}

void ShapeFactory::forget_failures() {
  missing_.clear();
  std::erase_if(image_files_, [](const auto& one) { return !one.second.contents; });
  std::erase_if(models_, [](const auto& one) { return one.second.contents.empty(); });
}

/// True, and it is said once, when there is no such mesh.
bool ShapeFactory::missing(const Node& node, const fs::path& file) {
  std::string hint;
  const std::string why = why_not_there(file, &hint);
  if (why.empty()) return false;
  if (missing_.insert(file.string()).second) {
    diagnostics_->missing(NodeView(node, schemas_).place("url"), file.string(), why,
                         hint + (hint.empty() ? "" : ", or ") + "--lenient goes on without it",
                         node.expanded_from);
  }
  return true;
}

std::shared_ptr<const Geometry> ShapeFactory::geometry(const Node& node) {
  const auto [slot, added] = geometries_.try_emplace(&node);
  if (added) slot->second = make_geometry(node);
  return slot->second;
}

std::shared_ptr<const Geometry> ShapeFactory::geometry(const Node& node, const Vec3& scale) {
  if (scale == Vec3::Ones()) return geometry(node);
  auto& slot = scaled_[{&node, {scale.x(), scale.y(), scale.z()}}];
  if (!slot) {
    const auto original = geometry(node);
    if (original) slot = shared_geometry(scaled(*original, scale));
  }
  return slot;
}

/// False with an error at the field when the world would take too much memory.
bool ShapeFactory::affordable(const Node& node, std::string_view field, double bytes) {
  try {
    take_memory(bytes, "this " + node.type);
    taken_[&node] += bytes;
    return true;
  } catch (const std::runtime_error& problem) {
    diagnostics_->error(NodeView(node, schemas_).place(field), problem.what(), {},
                       node.expanded_from);
    return false;
  }
}

std::shared_ptr<const Geometry> ShapeFactory::make_geometry(const Node& node) {
  const NodeView view(node, schemas_);
  const std::string_view type = node.type;
  const auto made = [](Geometry g) { return shared_geometry(std::move(g)); };
  if (type == "Box") return made(Box{view.vec3("size")});
  if (type == "Sphere") return made(Sphere{view.number("radius")});
  if (type == "Cylinder") {
    return made(Cylinder{view.number("radius"), view.number("height"), view.boolean("bottom"),
                         view.boolean("side"), view.boolean("top")});
  }
  if (type == "Capsule") {
    return made(Capsule{view.number("radius"), view.number("height"), view.boolean("bottom"),
                        view.boolean("side"), view.boolean("top")});
  }
  if (type == "Cone") {
    return made(Cone{view.number("bottomRadius"), view.number("height"), view.boolean("bottom"),
                     view.boolean("side")});
  }
  if (type == "Plane") return made(Plane{view.vec2("size")});
  if (type == "ElevationGrid") {
    const double columns = view.integer("xDimension"), rows = view.integer("yDimension");
    if (columns < 2 || rows < 2) return nullptr;
    if (!affordable(node, "xDimension", kBytesPerHeight * columns * rows)) return nullptr;
    return made(elevation_grid(view));
  }
  if (type == "ElevationImage") return elevation_image(node);
  if (type == "OccupancyGrid") return occupancy_grid(node);
  if (type == "IndexedFaceSet") {
    Mesh mesh = face_set(view, schemas_);
    return mesh.triangles.empty() ? nullptr : made(std::move(mesh));
  }
  if (type == "Mesh") {
    const fs::path file = seen_file(node, "url");
    if (file.empty()) return nullptr;
    const bool ccw = view.boolean("ccw");
    const int material = view.integer("materialIndex");
    const std::string name = view.string("name");
    auto& read =
        mesh_files_[file.string() + (ccw ? "+" : "-") + std::to_string(material) + " " + name];
    auto& slot = read.contents;
    if (missing(node, file)) return nullptr;
    if (!slot) {
      try {
        slot = made(*load_mesh(file, ccw, material, name));
        const auto triangles = static_cast<double>(std::get<Mesh>(*slot).triangles.size());
        if (!affordable(node, "url", kBytesPerTriangle * triangles)) slot = nullptr;
        if (const auto taken = taken_.extract(&node)) read.bytes = taken.mapped();
      } catch (const std::exception& problem) {
        diagnostics_->left_out(view.place("url"), problem.what(), "--lenient goes on without it",
                               node.expanded_from);
      }
    }
    return slot;
  }
  return nullptr;  // line and point sets: nothing that a ray or a body could hit
}

std::shared_ptr<const Image> ShapeFactory::image(const Node& node, std::string_view url) {
  const NodeView view(node, schemas_);
  const fs::path file = seen_file(node, url);
  if (file.empty()) return nullptr;
  const auto known = image_files_.find(file.string());
  if (known != image_files_.end()) return known->second.contents;
  auto& read = image_files_[file.string()];
  auto& slot = read.contents;
  std::string hint;
  if (const std::string why = why_not_there(file, &hint); !why.empty()) {
    diagnostics_->missing_picture(view.place(url), file.string(),
                                  why + (hint.empty() ? "" : "; ") + hint, node.expanded_from);
    return slot;
  }
  try {
    slot = load_image(file);
    read.bytes = static_cast<double>(slot->pixels.size());
  } catch (const AddressError& problem) {
    diagnostics_->error(view.place(url), problem.what(), {}, node.expanded_from);
  } catch (const std::exception& problem) {
    diagnostics_->warning(view.place(url), problem.what(), {}, node.expanded_from);
  }
  return slot;
}

std::shared_ptr<const MaterialMaps> ShapeFactory::maps(const NodeView& view) {
  const auto picture = [&](const char* field) -> std::shared_ptr<const Image> {
    const NodePtr node = view.node(field);
    return node ? image(*node, "url") : nullptr;
  };
  MaterialMaps maps{picture("roughnessMap"), picture("metalnessMap"), picture("normalMap"),
                    picture("occlusionMap"), picture("emissiveColorMap")};
  if (!maps.roughness && !maps.metalness && !maps.normal && !maps.occlusion && !maps.emissive) {
    return nullptr;
  }
  maps.normal_factor = static_cast<float>(view.number("normalMapFactor"));
  maps.occlusion_strength = static_cast<float>(view.number("occlusionMapStrength"));
  maps.emissive_intensity = static_cast<float>(view.number("emissiveIntensity"));
  return std::make_shared<const MaterialMaps>(maps);
}

std::shared_ptr<const Material> ShapeFactory::material(const Node* node) {
  auto& slot = materials_[node];
  if (slot) return slot;
  auto material = std::make_shared<Material>();
  material->roughness = 1;
  if (node) {
    const NodeView view(*node, schemas_);
    NodePtr texture;
    if (node->type == "PBRAppearance") {
      material->base_color = colour(view, "baseColor");
      material->transparency = static_cast<float>(view.number("transparency"));
      material->roughness = static_cast<float>(view.number("roughness"));
      material->metalness = static_cast<float>(view.number("metalness"));
      material->emissive_intensity = static_cast<float>(view.number("emissiveIntensity"));
      material->emissive = linear(colour(view, "emissiveColor")) * material->emissive_intensity;
      material->infrared_red = material->base_color.x();
      material->infrared_roughness = material->roughness;
      material->sky_light = static_cast<float>(view.number("IBLStrength"));
      texture = view.node("baseColorMap");
      material->maps = maps(view);
    } else {
      material->shading = Shading::kUnlit;
      texture = view.node("texture");
      if (const NodePtr classic = view.node("material")) take_phong(NodeView(*classic, schemas_), *material);
    }
    material->lidar_reflectance = static_cast<float>(view.number("lidarReflectance"));
    material->lidar_retroreflectance = static_cast<float>(view.number("lidarRetroreflectance"));
    if (texture) {
      const NodeView image_view(*texture, schemas_);
      material->texture = image(*texture, "url");
      if (material->texture && node->type != "PBRAppearance") {
        show_picture_alone(view, schemas_, *material);
      }
      material->repeat_s = image_view.boolean("repeatS");
      material->repeat_t = image_view.boolean("repeatT");
      material->smooth_texture = image_view.integer("filtering") > 0;
    }
    if (const NodePtr transform = view.node("textureTransform")) {
      // VRML97 section 6.52: translate, rotate about the centre, scale about the centre.
      const NodeView t(*transform, schemas_);
      const Eigen::Vector2f centre = t.vec2("center").cast<float>();
      Eigen::Affine2f m = Eigen::Affine2f::Identity();
      m.translate(Eigen::Vector2f(-centre));
      m.scale(Eigen::Vector2f(t.vec2("scale").cast<float>()));
      m.rotate(static_cast<float>(t.number("rotation")));
      m.translate(centre);
      m.translate(Eigen::Vector2f(t.vec2("translation").cast<float>()));
      material->uv_transform = m.matrix().topRows<2>();
    }
  } else {
    material->shading = Shading::kUnlit;
    material->base_color = {0.8f, 0.8f, 0.8f};
  }
  return slot = material;
}

std::vector<BuiltShape> ShapeFactory::shape(const Node& node, const Vec3& scale) {
  const NodeView view(node, schemas_);
  if (node.type == "CadShape") {
    const fs::path file = seen_file(node, "url");
    if (file.empty()) return {};
    if (missing(node, file)) return {};
    const std::string name = view.string("name");
    const std::string key = file.string() + (view.boolean("ccw") ? "+ " : "- ") + name;
    const auto known = models_.find(key);
    if (known == models_.end()) {
      auto& read = models_[key];
      auto& parts = read.contents;
      try {
        for (const ModelPart& part : load_model(file, view.boolean("ccw"))) {
          if (!name.empty() && !is_called(part, name)) continue;
          Material material = part.material;
          material.infrared_red = material.base_color.x();
          material.infrared_roughness = material.roughness;
          parts.push_back({shared_geometry(*part.mesh),
                           std::make_shared<const Material>(std::move(material)), Pose{}});
        }
        read.bytes = bytes_of_pictures(parts);
        if (parts.empty())
          throw std::runtime_error(
              fmt::format("nothing in {} is called '{}'", file.string(), name));
      } catch (const std::exception& problem) {
        diagnostics_->left_out(view.place("url"), problem.what(), "--lenient goes on without it",
                               node.expanded_from);
      }
    }
    std::vector<BuiltShape> shapes = models_[key].contents;
    if (scale != Vec3::Ones()) {
      for (auto& s : shapes) s.geometry = shared_geometry(scaled(*s.geometry, scale));
    }
    return shapes;
  }
  const NodePtr geometry_node = view.node("geometry");
  if (!geometry_node) return {};
  const ShapeAxes axes = shape_axes(NodeView(*geometry_node, schemas_), scale);
  const auto g = geometry(*geometry_node, axes.scale);
  if (!g) return {};
  const NodePtr appearance = view.node("appearance");
  auto m = material(appearance.get());
  if (m->transparency >= 1) return {};  // invisible to lidars too
  return {{g, std::move(m), axes.X_NG}};
}

}  // namespace protobeam
