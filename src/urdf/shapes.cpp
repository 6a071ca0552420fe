#include "urdf/shapes.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <limits>

#include "base/file_names.h"
#include "base/named_files.h"
#include "geometry/files.h"
#include "urdf/gazebo_looks.h"
#include "urdf/joints.h"
#include "urdf/labels.h"
#include "urdf/values.h"

namespace protobeam::urdf {
namespace fs = std::filesystem;
namespace {

std::optional<fs::path> mesh_file(Import& import, const Shape& shape) {
  const Text& address = shape.file;
  const auto file = import.resources.find(address, import.diagnostics);
  if (!file) return std::nullopt;
  constexpr std::array kReadable{".dae", ".obj", ".stl", ".glb"};
  if (std::find(kReadable.begin(), kReadable.end(), extension_of(*file)) == kReadable.end()) {
    import.diagnostics.missing(
        address.place, address.value,
        fmt::format("meshes of type '{}' are not read", file->extension().string()),
        "convert it to .dae, .obj, .stl or .glb");
    return std::nullopt;
  }
  return file;
}

/// What a <material> of <gazebo> says, by its script or by its colours.
wbt::NodePtr gazebo_appearance(Import& import, const Element& material, const std::string& name) {
  NodeMaker made("PBRAppearance", at(material));
  const auto colour = [&](const char* tag, double* alpha = nullptr) {
    return child_colour(material, tag, import.diagnostics, alpha);
  };
  double alpha = 1;
  const auto look = gazebo_look(gazebo_script(material));
  std::optional<Vec3> base = look ? look->colour : colour("diffuse", &alpha);
  if (look) alpha = 1 - look->transparency;
  if (!base) base = colour("ambient");
  const Vec3 shown = base.value_or(Vec3::Constant(0.7));
  made.vec3("baseColor", shown);
  if (alpha < 1) made.number("transparency", 1 - alpha);
  const Vec3 glow = look && look->glows ? shown : colour("emissive").value_or(Vec3::Zero());
  if (glow.maxCoeff() > 0) made.vec3("emissiveColor", glow);
  wbt::NodePtr node = made.number("roughness", 1).number("metalness", 0).take();
  node->def = name;
  return node;
}

/// Plain and not shiny: URDF says no more of a surface than its colour.
wbt::NodePtr appearance(Import& import, const Element* material, const Element& visual) {
  if (!material) {
    return NodeMaker("PBRAppearance", at(visual))
        .vec3("baseColor", Vec3::Constant(0.7))
        .number("roughness", 1)
        .number("metalness", 0)
        .take();
  }
  const auto [name, known] = import.materials.def_name(*material);
  if (known) {
    NodeMaker use("", at(visual));
    wbt::NodePtr node = use.take();
    node->use = name;
    return node;
  }
  if (import.materials.is_gazebos(*material)) return gazebo_appearance(import, *material, name);
  NodeMaker made("PBRAppearance", at(*material));
  const Element* color = material->child("color");
  const Text* rgba = color ? color->attribute("rgba") : nullptr;
  if (color && !rgba) import.diagnostics.error(color->place, "a <color> needs 'rgba'");
  if (rgba) {
    if (const auto v = numbers_of(*rgba, 4, "'rgba' of <color>", import.diagnostics)) {
      std::array<double, 4> parts{};
      bool inside = true;
      for (std::size_t i = 0; i < 4; ++i) {
        parts[i] = std::clamp((*v)[i], 0.0, 1.0);
        inside = inside && parts[i] == (*v)[i];
      }
      if (!inside) {
        import.diagnostics.warning(
            rgba->place,
            fmt::format("the numbers of 'rgba' are within 0 and 1, got '{}'", rgba->value),
            "they are cut off there");
      }
      made.vec3("baseColor", {parts[0], parts[1], parts[2]}, rgba->place);
      if (parts[3] != 1) made.number("transparency", 1 - parts[3], rgba->place);
    }
  }
  if (const Element* picture = material->child("texture")) {
    if (const Text* address = picture->attribute("filename"))
      made.node("baseColorMap",
                texture(import.resources, import.folder, *address, import.diagnostics));
  }
  wbt::NodePtr node = made.number("roughness", 1).number("metalness", 0).take();
  node->def = name;
  return node;
}

/// The shape itself; null for a mesh whose file is not there.
wbt::NodePtr geometry_node(Import& import, const Shape& shape) {
  const wbt::Origin origin = at(*shape.shape);
  switch (shape.kind) {
    case Shape::Kind::kBox:
      return NodeMaker("Box", origin).vec3("size", shape.size).take();
    case Shape::Kind::kSphere:
      return NodeMaker("Sphere", origin)
          .number("radius", shape.radius)
          .number("subdivision", 3)
          .take();
    case Shape::Kind::kCylinder:
      return NodeMaker("Cylinder", origin)
          .number("radius", shape.radius)
          .number("height", shape.length)
          .take();
    case Shape::Kind::kCapsule:
      return NodeMaker("Capsule", origin)
          .number("radius", shape.radius)
          .number("height", shape.length)
          .take();
    case Shape::Kind::kEllipsoid:  // a unit sphere, scaled where it is placed
      return NodeMaker("Sphere", origin).number("radius", 1).number("subdivision", 4).take();
    case Shape::Kind::kPlane:
      return NodeMaker("Plane", origin).vec2("size", {shape.size.x(), shape.size.y()}).take();
    case Shape::Kind::kMade:
      return shape.made;
    case Shape::Kind::kMesh:
      break;
  }
  const auto file = mesh_file(import, shape);
  if (!file) return nullptr;
  NodeMaker made("Mesh", origin);
  made.texts("url", {import.url(*file)}, shape.file.place);
  if (!shape.part.empty()) made.text("name", shape.part);
  return made.take();
}

/// In its place, and scaled.
wbt::NodePtr placed(wbt::NodePtr node, const Shape& shape) {
  const bool ellipsoid = shape.kind == Shape::Kind::kEllipsoid;
  if (!ellipsoid && (shape.kind != Shape::Kind::kMesh || shape.scale == Vec3::Ones())) {
    return posed(std::move(node), shape.X_LS, *shape.element);
  }
  const Text* scale = shape.shape->attribute("scale");
  return NodeMaker("Transform", at(*shape.element))
      .pose(shape.X_LS)
      .vec3("scale", ellipsoid ? shape.size : shape.scale,
            scale ? scale->place : shape.shape->place)
      .nodes("children", {std::move(node)})
      .take();
}

/// By their files and the parts of these.
using Meshes = std::map<std::pair<fs::path, std::string>, std::shared_ptr<const Mesh>>;

/// Half of the height of a shape other than a mesh, whose rotation is R.
double half_height(const Shape& shape, const Quat& R) {
  const Vec3 up = R.conjugate() * Vec3::UnitZ();  // the robot's z in the shape's axes
  switch (shape.kind) {
    case Shape::Kind::kEllipsoid:
      return shape.size.cwiseProduct(up).norm();
    case Shape::Kind::kBox:
      return 0.5 * shape.size.dot(up.cwiseAbs());
    case Shape::Kind::kCylinder:
      return 0.5 * shape.length * std::abs(up.z()) + shape.radius * Vec2(up.x(), up.y()).norm();
    case Shape::Kind::kCapsule:
      return 0.5 * shape.length * std::abs(up.z()) + shape.radius;
    default:
      return shape.radius;
  }
}

/// Null when it is not there or cannot be read.
std::shared_ptr<const Mesh> mesh_of(Import& import, const Shape& shape, Meshes& meshes) {
  Diagnostics said;  // where the node was made
  const auto file = import.resources.find(shape.file, said);
  if (!file || !why_not_allowed(*file).empty()) return nullptr;
  const auto [at, added] = meshes.try_emplace({*file, shape.part});
  try {
    if (added) at->second = load_mesh(*file, true, -1, shape.part);
  } catch (const std::exception&) {
    return nullptr;
  }
  return at->second;
}

/// False when nothing of it is known, or when it has no end.
bool add(Import& import, const Shape& shape, const Pose& X, Meshes& meshes, Extent& out) {
  if (shape.kind == Shape::Kind::kPlane || shape.kind == Shape::Kind::kMade) return false;
  if (shape.kind != Shape::Kind::kMesh) {
    const double half = half_height(shape, X.R);
    out.lowest = std::min(out.lowest, X.p.z() - half);
    out.highest = std::max(out.highest, X.p.z() + half);
  } else {
    const auto mesh = mesh_of(import, shape, meshes);
    if (!mesh) return false;
    for (const Vec3& p : mesh->vertices) {
      const double z = (X * shape.scale.cwiseProduct(p)).z();
      out.lowest = std::min(out.lowest, z);
      out.highest = std::max(out.highest, z);
    }
  }
  out.across = std::max(out.across, Vec2(X.p.x(), X.p.y()).norm());
  return true;
}

}  // namespace

wbt::NodePtr texture(Resources& resources, const fs::path& folder, const Text& address,
                     Diagnostics& diagnostics) {
  if (address.value.empty()) return nullptr;
  Diagnostics found;
  const auto file = resources.find(address, found);
  for (const Diagnostic& one : found.all()) {
    diagnostics.missing_picture(address.place, address.value, one.message, nullptr);
  }
  if (!file) return nullptr;
  return NodeMaker("ImageTexture", wbt::Origin(address.place, nullptr))
      .texts("url", {url_from(folder, *file)}, address.place)
      .take();
}

wbt::NodePtr posed(wbt::NodePtr node, const Pose& X, const Element& element) {
  if (!node || (X.p == Vec3::Zero() && X.R.vec() == Vec3::Zero())) return node;
  return NodeMaker("Pose", at(element)).pose(X).nodes("children", {std::move(node)}).take();
}

/// In a Solid of its own, with what cameras recognise it by and its temperature.
wbt::NodePtr in_own_solid(const Link& link, wbt::NodePtr node, const Shape& shape) {
  Shape own = shape;
  own.X_LS = Pose();
  const Text* name = shape.element->attribute("name");
  NodeMaker made("Solid", at(*shape.element));
  made.pose(shape.X_LS).text("name", link.name + "::" + (name ? name->value : "visual"));
  if (shape.label) add_label(made, *shape.label);
  if (shape.temperature) made.number("temperature", *shape.temperature);
  std::vector<wbt::NodePtr> children;
  children.push_back(placed(std::move(node), own));
  return made.nodes("children", std::move(children)).take();
}

std::vector<wbt::NodePtr> visual_nodes(Import& import, const Link& link) {
  std::vector<wbt::NodePtr> out;
  for (const Shape& shape : link.visuals) {
    const Element* material =
        shape.appearance ? nullptr : import.materials.of(link, *shape.element, import.diagnostics);
    wbt::NodePtr node;
    if (shape.kind == Shape::Kind::kMesh && !material && !shape.appearance) {
      const auto file = mesh_file(import, shape);
      if (!file) continue;
      const std::string extension = extension_of(*file);
      if (extension == ".dae" || extension == ".obj") {
        NodeMaker made("CadShape", at(*shape.shape));
        made.texts("url", {import.url(*file)}, shape.file.place);
        if (!shape.part.empty()) made.text("name", shape.part);
        node = made.take();
      }
    }
    if (!node) {
      wbt::NodePtr geometry = geometry_node(import, shape);
      if (!geometry) continue;
      node =
          NodeMaker("Shape", at(*shape.element))
              .node("appearance", shape.appearance ? shape.appearance
                                                   : appearance(import, material, *shape.element))
              .node("geometry", std::move(geometry))
              .take();
    }
    out.push_back(shape.label || shape.temperature ? in_own_solid(link, std::move(node), shape)
                                                   : placed(std::move(node), shape));
  }
  return out;
}

wbt::NodePtr bounding_object(Import& import, const Link& link, const std::string& name) {
  std::vector<const Shape*> shapes;
  for (const Shape& shape : link.collisions) {
    const Text* own = shape.element->attribute("name");
    if (name.empty() || (own && own->value == name)) shapes.push_back(&shape);
  }
  return bounding_object(import, link, shapes);
}

wbt::NodePtr bounding_object(Import& import, const Link& link,
                             const std::vector<const Shape*>& shapes) {
  std::vector<wbt::NodePtr> parts;
  for (const Shape* shape : shapes) {
    if (wbt::NodePtr node = geometry_node(import, *shape))
      parts.push_back(placed(std::move(node), *shape));
  }
  if (parts.empty()) return nullptr;
  if (parts.size() == 1) return parts.front();
  return NodeMaker("Group", at(*link.element)).nodes("children", std::move(parts)).take();
}

std::optional<MassProperties> solid_properties(const Shape& shape) {
  switch (shape.kind) {
    case Shape::Kind::kBox:
      return mass_properties(Box{shape.size}, 1);
    case Shape::Kind::kSphere:
      return mass_properties(Sphere{shape.radius}, 1);
    case Shape::Kind::kCylinder:
      return mass_properties(Cylinder{shape.radius, shape.length}, 1);
    case Shape::Kind::kCapsule:
      return mass_properties(Capsule{shape.radius, shape.length}, 1);
    case Shape::Kind::kEllipsoid: {
      MassProperties out;
      const Vec3 squares = shape.size.cwiseProduct(shape.size);
      out.mass = 4 * kPi / 3 * shape.size.prod();
      out.inertia = (out.mass / 5 * (Vec3::Constant(squares.sum()) - squares)).asDiagonal();
      return out;
    }
    default:
      return std::nullopt;
  }
}

MassProperties shape_mass(const Link& link, double mass) {
  MassProperties all;
  for (const Shape& shape : link.collisions) {
    const auto properties = solid_properties(shape);
    if (!properties) return {};
    all = combined(all, transformed(*properties, shape.X_LS));
  }
  if (!(all.mass > 0)) return {};
  all.inertia *= mass / all.mass;
  all.mass = mass;
  return all;
}

Extent extent_of(Import& import) {
  const Robot& robot = import.robot;
  std::vector<Pose> X_RL(robot.links.size());  // links in the root
  std::vector<int> order{robot.root};
  for (std::size_t n = 0; n < order.size(); ++n) {
    for (const int index : import.link(order[n]).joints) {
      const Joint& joint = import.joint(index);
      X_RL[static_cast<std::size_t>(joint.child)] =
          X_RL[static_cast<std::size_t>(order[n])] * start_pose(robot, joint);
      order.push_back(joint.child);
    }
  }
  Meshes meshes;
  for (const auto shapes : {&Link::collisions, &Link::visuals}) {
    constexpr double kFar = std::numeric_limits<double>::infinity();
    Extent out{kFar, -kFar, 0};
    bool known = false;
    for (const int index : order) {
      for (const Shape& shape : import.link(index).*shapes) {
        const Pose X = X_RL[static_cast<std::size_t>(index)] * shape.X_LS;
        known = add(import, shape, X, meshes, out) || known;
      }
    }
    if (known) return out;
  }
  return {};
}

}  // namespace protobeam::urdf
