#include "viewer/scene/drawables.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <osg/BlendFunc>
#include <osg/CullFace>
#include <osg/Depth>
#include <osg/Geometry>
#include <osg/Texture2D>
#include <tuple>

#include "geometry/whole_image.h"
#include "render/color.h"
#include "viewer/offscreen/osg_util.h"

namespace protobeam::viewer {
namespace {

bool has_holes(const Image& image) {
  if (image.channels != 4 || !is_whole(image)) return false;
  for (std::size_t i = 3; i < image.pixels.size(); i += 4) {
    if (image.pixels[i] != 255) return true;
  }
  return false;
}

osg::ref_ptr<osg::StateAttribute> texture(const Image& image, bool repeat_s, bool repeat_t) {
  osg::ref_ptr<osg::Texture2D> result = new osg::Texture2D(osg_image(image, true));
  result->setResizeNonPowerOfTwoHint(false);
  result->setInternalFormat(image.channels == 4 ? GL_SRGB8_ALPHA8 : GL_SRGB8);
  result->setFilter(osg::Texture::MIN_FILTER, osg::Texture::LINEAR_MIPMAP_LINEAR);
  result->setFilter(osg::Texture::MAG_FILTER, osg::Texture::LINEAR);
  result->setMaxAnisotropy(8);
  const auto wrap = [](bool repeat) {
    return repeat ? osg::Texture::REPEAT : osg::Texture::CLAMP_TO_EDGE;
  };
  result->setWrap(osg::Texture::WRAP_S, wrap(repeat_s));
  result->setWrap(osg::Texture::WRAP_T, wrap(repeat_t));
  return result;
}

}  // namespace

osg::ref_ptr<osg::Image> osg_image(const Image& image, bool bottom_up) {
  if (!is_whole(image)) return nullptr;
  const bool has_alpha = image.channels == 4;
  const auto width = static_cast<std::size_t>(image.width);
  const auto height = static_cast<std::size_t>(image.height);
  const auto from = static_cast<std::size_t>(image.channels);
  const std::size_t to = has_alpha ? 4 : 3;
  osg::ref_ptr<osg::Image> result = new osg::Image;
  result->allocateImage(image.width, image.height, 1, has_alpha ? GL_RGBA : GL_RGB,
                        GL_UNSIGNED_BYTE);
  for (std::size_t row = 0; row < height; ++row) {
    const std::uint8_t* source = &image.pixels[(bottom_up ? height - 1 - row : row) * width * from];
    unsigned char* target = result->data() + row * width * to;
    for (std::size_t column = 0; column < width; ++column) {
      for (std::size_t channel = 0; channel < to; ++channel) {
        target[column * to + channel] = source[column * from + (from == 1 ? 0 : channel)];
      }
    }
  }
  return result;
}

bool lets_light_through(const Material& material) {
  return material.transparency > 0 || (material.texture && has_holes(*material.texture));
}

bool SurfaceStates::has_texture(const Material& material) {
  return material.texture && is_whole(*material.texture);
}

osg::StateSet* SurfaceStates::of(const Material& material, bool closed) {
  const bool is_textured = has_texture(material), through = lets_light_through(material);
  if (!is_textured && !through) return nullptr;
  const Image* picture = is_textured ? material.texture.get() : nullptr;
  auto& state = states_[{picture, material.repeat_s, material.repeat_t, through, closed}];
  if (state) return state;
  state = new osg::StateSet;
  if (is_textured) {
    auto& shared = textures_[{picture, material.repeat_s, material.repeat_t}];
    if (!shared) shared = texture(*picture, material.repeat_s, material.repeat_t);
    state->setTextureAttribute(kBaseColorUnit, shared);
    state->setAttribute(textured_);
  }
  if (through) {
    state->setAttributeAndModes(new osg::BlendFunc(GL_SRC_ALPHA, GL_ONE_MINUS_SRC_ALPHA));
    state->setAttributeAndModes(new osg::Depth(osg::Depth::LESS, 0, 1, false));
    state->setRenderingHint(osg::StateSet::TRANSPARENT_BIN);
    // The far side of a glass must not dim what is behind a second time.
    if (closed) state->setAttributeAndModes(new osg::CullFace(osg::CullFace::BACK));
  }
  return state;
}

namespace {

// Shapes of one Solid that are further apart than kCell are drawn, or not seen, apart; large shapes
// are not copied for each drawable that shows them, but split into chunks of kChunk.
constexpr double kCell = 64, kChunk = 32;  // m
constexpr std::size_t kLargeShape = 4096;  // vertices

osg::Vec3f osg_float(const Vec3& v) {
  return {static_cast<float>(v.x()), static_cast<float>(v.y()), static_cast<float>(v.z())};
}

osg::Vec3f osg_float(const Eigen::Vector3f& v) { return {v.x(), v.y(), v.z()}; }

osg::Vec2f texture_place(const Material& material, const Eigen::Vector2f& uv) {
  const Eigen::Vector2f placed =
      material.uv_transform.leftCols<2>() * uv + material.uv_transform.col(2);
  return {placed.x(), placed.y()};
}

/// The looks of vertices: one for all, or one each.
struct LookArrays {
  explicit LookArrays(osg::Array::Binding binding)
      : color(new osg::Vec4Array(binding)),
        emissive(new osg::Vec3Array(binding)),
        surface(new osg::Vec2Array(binding)) {}

  void add(const Material& m, std::size_t times) {
    const Eigen::Vector3f linear = render::linear_from_srgb(m.base_color);
    color->insert(color->end(), times,
                  osg::Vec4f(linear.x(), linear.y(), linear.z(), 1 - m.transparency));
    emissive->insert(emissive->end(), times, osg_float(m.emissive));
    surface->insert(surface->end(), times, osg::Vec2f(m.roughness, m.metalness));
  }
  void set_uniforms(osg::Geometry& geometry) const {
    geometry.setColorArray(color);
    geometry.setVertexAttribArray(kEmissiveAttribute, emissive);
    geometry.setVertexAttribArray(kSurfaceAttribute, surface);
  }

  osg::ref_ptr<osg::Vec4Array> color;
  osg::ref_ptr<osg::Vec3Array> emissive;
  osg::ref_ptr<osg::Vec2Array> surface;
};

osg::ref_ptr<osg::Geometry> new_geometry() {
  osg::ref_ptr<osg::Geometry> geometry = new osg::Geometry;
  geometry->setUseDisplayList(false);
  geometry->setUseVertexBufferObjects(true);
  return geometry;
}

/// Of a drawable that shows only some of its vertices.
class FixedBox : public osg::Drawable::ComputeBoundingBoxCallback {
 public:
  explicit FixedBox(const osg::BoundingBox& box) : box_(box) {}
  osg::BoundingBox computeBound(const osg::Drawable&) const override { return box_; }

 private:
  osg::BoundingBox box_;
};

bool is_closed(const Geometry& geometry) {
  struct {
    bool operator()(const Box&) const { return true; }
    bool operator()(const Sphere&) const { return true; }
    bool operator()(const Cylinder& c) const { return c.bottom && c.side && c.top; }
    bool operator()(const Capsule& c) const { return c.bottom && c.side && c.top; }
    bool operator()(const Cone& c) const { return c.bottom && c.side; }
    bool operator()(const Plane&) const { return false; }
    bool operator()(const Mesh& mesh) const { return mesh.convex; }
    bool operator()(const HeightField&) const { return false; }
  } closed;
  return std::visit(closed, geometry);
}

Vec3 middle(const SceneDescription::Shape& shape) {
  const Bounds box = bounds(*shape.geometry);
  return box.empty() ? shape.X_GS.p : shape.X_GS * ((box.min + box.max) / 2).eval();
}

}  // namespace

struct Drawables::Part {
  const SceneDescription::Shape* shape;
  bool casts;
};

SolidNode::SolidNode(int solid, const Vec3& origin_G)
    : osg::MatrixTransform(osg::Matrixd::translate(osg_vector(origin_G))), solid_(solid) {}

osg::StateSet* Drawables::state_of(const SceneDescription::Shape& shape) {
  return states_.of(*shape.material, is_closed(*shape.geometry));
}

const SurfaceMesh& Drawables::mesh(const std::shared_ptr<const Geometry>& geometry) {
  const auto known = meshes_.find(geometry.get());
  if (known != meshes_.end()) return known->second;
  return meshes_.emplace(geometry.get(), surface_mesh(*geometry)).first->second;
}

const Drawables::SharedArrays& Drawables::shared(const std::shared_ptr<const Geometry>& geometry) {
  const auto known = shared_.find(geometry.get());
  if (known != shared_.end()) return known->second;
  const SurfaceMesh& from = mesh(geometry);
  SharedArrays arrays;
  const Bounds box = bounds(*geometry);
  arrays.origin_S = (box.min + box.max) / 2;
  arrays.positions = new osg::Vec3Array(osg::Array::BIND_PER_VERTEX);
  arrays.normals = new osg::Vec3Array(osg::Array::BIND_PER_VERTEX);
  for (std::size_t i = 0; i < from.positions.size(); ++i) {
    arrays.positions->push_back(osg_float(Vec3(from.positions[i] - arrays.origin_S)));
    arrays.normals->push_back(osg_float(from.normals[i]));
  }
  std::map<std::array<long, 3>, Piece> pieces;
  for (const auto& t : from.triangles) {
    const osg::Vec3f &a = (*arrays.positions)[t[0]], &b = (*arrays.positions)[t[1]],
                     &c = (*arrays.positions)[t[2]];
    const osg::Vec3f middle = (a + b + c) / 3;
    const auto cell = [](float x) { return std::lround(std::clamp(x / kChunk, -1e6, 1e6)); };
    Piece& piece = pieces[{cell(middle.x()), cell(middle.y()), cell(middle.z())}];
    for (const std::uint32_t corner : t) piece.triangles->push_back(corner);
    for (const osg::Vec3f& corner : {a, b, c}) piece.box.expandBy(corner);
  }
  for (auto& [cell, piece] : pieces) arrays.pieces.push_back(std::move(piece));
  return shared_.emplace(geometry.get(), std::move(arrays)).first->second;
}

osg::ref_ptr<osg::Node> Drawables::alone(const Part& part, const Vec3& origin_G) {
  const Material& material = *part.shape->material;
  const SharedArrays& arrays = shared(part.shape->geometry);
  LookArrays looks(osg::Array::BIND_OVERALL);
  looks.add(material, 1);
  if (part.shape->emits) emitted_[part.shape] = looks.emissive;
  osg::ref_ptr<osg::Vec2Array> uvs;
  if (SurfaceStates::has_texture(material)) {
    uvs = new osg::Vec2Array(osg::Array::BIND_PER_VERTEX);
    for (const Eigen::Vector2f& uv : mesh(part.shape->geometry).uvs) {
      uvs->push_back(texture_place(material, uv));
    }
  }
  const Pose& X_GS = part.shape->X_GS;
  osg::ref_ptr<osg::MatrixTransform> place =
      new osg::MatrixTransform(osg_matrix({X_GS.R, X_GS * arrays.origin_S - origin_G}));
  for (const Piece& piece : arrays.pieces) {
    osg::ref_ptr<osg::Geometry> geometry = new_geometry();
    geometry->setVertexArray(arrays.positions);
    geometry->setNormalArray(arrays.normals);
    geometry->addPrimitiveSet(piece.triangles);
    looks.set_uniforms(*geometry);
    if (uvs) geometry->setTexCoordArray(0, uvs);
    geometry->setComputeBoundingBoxCallback(new FixedBox(piece.box));
    geometry->setStateSet(state_of(*part.shape));
    place->addChild(geometry);
  }
  return place;
}

osg::ref_ptr<osg::Node> Drawables::merged(const std::vector<Part>& parts, const Vec3& origin_G) {
  osg::ref_ptr<osg::Vec3Array> positions = new osg::Vec3Array(osg::Array::BIND_PER_VERTEX);
  osg::ref_ptr<osg::Vec3Array> normals = new osg::Vec3Array(osg::Array::BIND_PER_VERTEX);
  osg::ref_ptr<osg::Vec2Array> uvs = new osg::Vec2Array(osg::Array::BIND_PER_VERTEX);
  osg::ref_ptr<osg::DrawElementsUInt> triangles = new osg::DrawElementsUInt(GL_TRIANGLES);
  LookArrays looks(osg::Array::BIND_PER_VERTEX);
  for (const Part& part : parts) {
    const SceneDescription::Shape& shape = *part.shape;
    const SurfaceMesh& from = mesh(shape.geometry);
    const auto first = static_cast<std::uint32_t>(positions->size());
    const Mat3 R_GS = shape.X_GS.R.toRotationMatrix();
    const Eigen::Matrix3f R_float = R_GS.cast<float>();
    for (std::size_t i = 0; i < from.positions.size(); ++i) {
      positions->push_back(osg_float(Vec3(R_GS * from.positions[i] + (shape.X_GS.p - origin_G))));
      normals->push_back(osg_float(Eigen::Vector3f(R_float * from.normals[i])));
      uvs->push_back(texture_place(*shape.material, from.uvs[i]));
    }
    looks.add(*shape.material, from.positions.size());
    for (const auto& t : from.triangles) {
      for (const std::uint32_t corner : t) triangles->push_back(first + corner);
    }
  }
  const Material& material = *parts.front().shape->material;
  osg::ref_ptr<osg::Geometry> geometry = new_geometry();
  geometry->setVertexArray(positions);
  geometry->setNormalArray(normals);
  geometry->addPrimitiveSet(triangles);
  looks.set_uniforms(*geometry);
  if (SurfaceStates::has_texture(material)) geometry->setTexCoordArray(0, uvs);
  geometry->setStateSet(state_of(*parts.front().shape));
  return geometry;
}

osg::ref_ptr<osg::MatrixTransform> Drawables::group(const SceneDescription::Group& group,
                                                    const std::vector<bool>& casts) {
  // Ordered maps: the same world is always drawn in the same order.
  using Cell = std::tuple<int, long, long, long>;
  std::map<Cell, std::vector<Part>> cells;
  for (std::size_t i = 0; i < group.shapes.size(); ++i) {
    const SceneDescription::Shape& shape = group.shapes[i];
    if (!shape.geometry || !shape.material || shape.material->transparency >= 1) continue;
    const Vec3 p_G = middle(shape);
    const auto cell = [&](int axis) {
      return group.moves ? 0 : std::lround(std::clamp(p_G[axis] / kCell, -1e9, 1e9));
    };
    cells[{shape.solid, cell(0), cell(1), cell(2)}].push_back({&shape, casts[i]});
  }

  osg::ref_ptr<osg::MatrixTransform> result = new osg::MatrixTransform;
  result->setNodeMask(group.moves ? ~kStillCaster : ~kMovingCaster);
  for (const auto& [key, parts] : cells) {
    Vec3 origin_G = Vec3::Zero();
    for (const Part& part : parts) {
      origin_G += middle(*part.shape) / static_cast<double>(parts.size());
    }
    osg::ref_ptr<SolidNode> node = new SolidNode(std::get<0>(key), origin_G);
    std::vector<std::pair<std::pair<osg::StateSet*, bool>, std::vector<Part>>> alike;
    const auto add = [&](const osg::ref_ptr<osg::Node>& drawn, bool shadow) {
      if (!shadow) drawn->setNodeMask(~(kStillCaster | kMovingCaster));
      node->addChild(drawn);
    };
    for (const Part& part : parts) {
      const SurfaceMesh& surface = mesh(part.shape->geometry);
      if (surface.triangles.empty()) continue;
      if (surface.positions.size() >= kLargeShape || part.shape->emits) {
        add(alone(part, origin_G), part.casts);
      } else if (lets_light_through(*part.shape->material)) {
        add(merged({part}, origin_G), part.casts);  // sorted by distance, one by one
      } else {
        const std::pair kind(state_of(*part.shape), part.casts);
        auto same = std::find_if(alike.begin(), alike.end(),
                                 [&](const auto& known) { return known.first == kind; });
        if (same == alike.end()) same = alike.insert(alike.end(), {kind, {}});
        same->second.push_back(part);
      }
    }
    for (const auto& [kind, members] : alike) add(merged(members, origin_G), kind.second);
    result->addChild(node);
  }
  return result;
}

}  // namespace protobeam::viewer
