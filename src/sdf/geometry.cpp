#include "sdf/geometry.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <initializer_list>

#include "base/libm.h"
#include "base/named_files.h"
#include "geometry/files.h"
#include "geometry/geometry.h"
#include "sdf/polyline.h"
#include "urdf/values.h"

namespace protobeam::sdf {
namespace {

using Kind = urdf::Shape::Kind;

class ShapeReader {
 public:
  ShapeReader(Context& context, const Element& owner, const Element& shape)
      : context_(context), owner_(owner), shape_(shape) {
    out_.element = &owner;
    out_.shape = &shape;
    out_.X_LS = context.pose(owner);
  }

  std::optional<urdf::Shape> run() {
    const std::string& tag = shape_.tag;
    if (tag == "box") return sized(Kind::kBox, "size", 1);
    if (tag == "ellipsoid") return sized(Kind::kEllipsoid, "radii", 1);
    if (tag == "sphere") return round(Kind::kSphere, false);
    if (tag == "cylinder") return round(Kind::kCylinder, true);
    if (tag == "capsule") return round(Kind::kCapsule, true);
    if (tag == "cone") return cone();
    if (tag == "plane") return plane();
    if (tag == "mesh") return mesh();
    if (tag == "heightmap") return heightmap();
    if (tag == "polyline") return polyline();
    if (tag != "empty") context_.ignored.add(fmt::format("<{}> of <geometry>", tag), shape_.place);
    return std::nullopt;
  }

 private:
  /// A shape of size 0 is not there, which is what some frames have.
  bool is_there(double least, const char* tag) {
    if (least > 0) return true;
    const Element* child = shape_.child(tag);
    if (least == 0) {
      context_.ignored.add(fmt::format("a <{}> of size 0", shape_.tag), shape_.place);
    } else {
      context_.diagnostics.error(
          child ? child->place : shape_.place,
          fmt::format("<{}> of <{}> must be greater than 0 m, got {}", tag, shape_.tag, least));
    }
    return false;
  }

  std::optional<urdf::Shape> sized(Kind kind, const char* tag, double otherwise) {
    out_.kind = kind;
    out_.size = vec3_in(context_, shape_, tag, Vec3::Constant(otherwise));
    if (!is_there(out_.size.minCoeff(), tag) || !is_near(out_.size.maxCoeff())) return std::nullopt;
    return out_;
  }

  std::optional<urdf::Shape> round(Kind kind, bool has_length) {
    out_.kind = kind;
    out_.radius = number_in(context_, shape_, "radius", 1);
    if (has_length) out_.length = number_in(context_, shape_, "length", 1);
    if (!is_there(out_.radius, "radius") || (has_length && !is_there(out_.length, "length")) ||
        !is_near(std::max(out_.radius, out_.length)))
      return std::nullopt;
    return out_;
  }

  /// Its tip is up, its origin the middle of its height. What collides has no Cone.
  std::optional<urdf::Shape> cone() {
    if (!round(Kind::kMade, true)) return std::nullopt;
    if (owner_.tag == "visual") {
      out_.made = NodeMaker("Cone", at(shape_))
                      .number("bottomRadius", out_.radius)
                      .number("height", out_.length)
                      .take();
      return out_;
    }
    constexpr int kSides = 32;
    std::vector<Vec3> points{{0, 0, out_.length / 2}};
    std::vector<double> faces;
    for (int i = 0; i < kSides; ++i) {
      const double angle = 2 * kPi * i / kSides;
      points.emplace_back(out_.radius * libm::cos(angle), out_.radius * libm::sin(angle),
                          -out_.length / 2);
      faces.insert(faces.end(), {0.0, 1.0 + i, 1.0 + (i + 1) % kSides, -1.0});
    }
    for (int i = kSides; i > 0; --i) faces.push_back(i);
    out_.made =
        NodeMaker("IndexedFaceSet", at(shape_))
            .node("coord", NodeMaker("Coordinate", at(shape_)).points("point", points).take())
            .numbers("coordIndex", faces)
            .take();
    return out_;
  }

  std::optional<urdf::Shape> polyline() {
    out_.kind = Kind::kMade;
    out_.made = polyline_node(context_, *owner_.child("geometry"));
    return out_.made ? std::optional(out_) : std::nullopt;
  }

  bool is_near(double most) {
    if (most <= kFarthest) return true;
    context_.diagnostics.error(shape_.place,
                               fmt::format("a <{}> must be smaller than 1e9 m", shape_.tag));
    return false;
  }

  std::optional<urdf::Shape> plane() {
    out_.kind = Kind::kPlane;
    const Vec3 normal = vec3_in(context_, shape_, "normal", Vec3::UnitZ());
    if (!(normal.norm() > 1e-9)) {
      context_.diagnostics.error(shape_.place, "the <normal> of a <plane> must not be 0");
      return std::nullopt;
    }
    out_.size = {1, 1, 0};
    if (const Element* size = shape_.child("size")) {
      const auto got = urdf::numbers_of(size->text, 2, "<size>", context_.diagnostics);
      if (!got) return std::nullopt;
      out_.size = {(*got)[0], (*got)[1], 0};
      if (!is_there(std::min((*got)[0], (*got)[1]), "size")) return std::nullopt;
    }
    out_.X_LS.R = out_.X_LS.R * Quat::FromTwoVectors(Vec3::UnitZ(), normal);
    return out_;
  }

  std::optional<urdf::Shape> mesh() {
    const Element* uri = shape_.child("uri");
    if (!uri || uri->text.value.empty()) {
      context_.diagnostics.error(shape_.place, "a <mesh> needs a <uri>");
      return std::nullopt;
    }
    out_.kind = Kind::kMesh;
    out_.file = uri->text;
    out_.scale = vec3_in(context_, shape_, "scale", Vec3::Ones());
    if (out_.scale.cwiseAbs().minCoeff() == 0) {
      context_.diagnostics.error(shape_.child("scale")->place, "the <scale> must not be 0");
      return std::nullopt;
    }
    const Element* part = shape_.child("submesh");
    if (part && !has_submesh(*part)) return std::nullopt;
    return out_;
  }

  /// Takes a part of a mesh, where it is in the file or about the origin. False with a warning for
  /// one that the mesh has not got, as of splines: Gazebo shows nothing, then.
  bool has_submesh(const Element& part) {
    Diagnostics said;  // where the node is made
    const auto file = context_.resources.find(out_.file, said);
    const Element* name = part.child("name");
    if (!name || name->text.value.empty() || !file || !why_not_allowed(*file).empty()) return true;
    try {
      load_mesh(*file);
    } catch (const std::runtime_error&) {
      return true;  // an error where the node is made
    }
    try {
      const Bounds box = bounds(*load_mesh(*file, true, -1, name->text.value));
      out_.part = name->text.value;
      if (flag_in(part, "center", false))
        out_.X_LS.p -= out_.X_LS.R * out_.scale.cwiseProduct((box.min + box.max) / 2);
      return true;
    } catch (const std::runtime_error& problem) {
      context_.diagnostics.warning(name->place, problem.what(), "the shape is left out");
      return false;
    }
  }

  /// A picture of heights: its rows go down the y axis, those of an ElevationImage up the x axis.
  std::optional<urdf::Shape> heightmap() {
    const Element* uri = shape_.child("uri");
    if (!uri || uri->text.value.empty()) {
      context_.diagnostics.error(shape_.place, "a <heightmap> needs a <uri>");
      return std::nullopt;
    }
    const auto file = context_.resources.find(uri->text, context_.diagnostics);
    if (!file) return std::nullopt;
    const Vec3 size = vec3_in(context_, shape_, "size", Vec3::Ones());
    if (!is_there(size.minCoeff(), "size")) return std::nullopt;
    int pixels = 0;
    try {
      const auto bytes = read_named_file(*file, context_.options.limits.file_bytes);
      pixels = pixels_across(bytes);
    } catch (const std::exception& error) {
      context_.diagnostics.error(uri->place, error.what());
      return std::nullopt;
    }
    if (pixels < 2) {
      context_.ignored.add("a <heightmap> that is no PNG", uri->place);
      return std::nullopt;
    }
    if (size.x() != size.y())
      context_.ignored.add("the y of <size> of a <heightmap>", shape_.child("size")->place,
                           "cells are squares here");
    out_.kind = Kind::kMade;
    out_.X_LS.p += out_.X_LS.R * vec3_in(context_, shape_, "pos", Vec3::Zero());
    out_.X_LS.R = out_.X_LS.R * axis_angle(Vec3::UnitZ(), -kPi / 2);
    out_.made = NodeMaker("ElevationImage", at(shape_))
                    .texts("url", {urdf::url_from(context_.folder, *file)}, uri->place)
                    .number("resolution", size.x() / (pixels - 1))
                    .number("minHeight", 0)
                    .number("maxHeight", size.z())
                    .take();
    return out_;
  }

  /// By the header of a PNG; 0 for others.
  static int pixels_across(const std::string& bytes) {
    if (bytes.size() < 24 || bytes.compare(1, 3, "PNG") != 0) return 0;
    int out = 0;
    for (std::size_t i = 16; i < 20; ++i) out = (out << 8) | static_cast<unsigned char>(bytes[i]);
    return out > 0 && out <= (1 << 15) ? out : 0;
  }

  Context& context_;
  const Element& owner_;
  const Element& shape_;
  urdf::Shape out_;
};

}  // namespace

std::optional<urdf::Shape> shape_of(Context& context, const Element& owner) {
  const Element* geometry = owner.child("geometry");
  if (!geometry || geometry->children.empty()) {
    context.diagnostics.error(
        geometry ? geometry->place : owner.place,
        fmt::format("a <{}> needs a <geometry> with a shape in it", owner.tag));
    return std::nullopt;
  }
  const Element& shape = geometry->children.front();
  for (const Element& other : geometry->children) {
    if (&other == &shape || (shape.tag == "polyline" && other.tag == "polyline")) continue;
    context.ignored.add("a second shape in a <geometry>", other.place,
                        fmt::format("write another <{}> for it", owner.tag));
    break;
  }
  if (const Element* retro = owner.child("laser_retro");
      retro && number_in(context, owner, "laser_retro", 0) != 0)
    context.ignored.add(fmt::format("a <laser_retro> of a <{}> that is not 0", owner.tag),
                        retro->place);
  return ShapeReader(context, owner, shape).run();
}

}  // namespace protobeam::sdf
