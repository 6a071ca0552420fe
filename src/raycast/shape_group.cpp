#include "raycast/shape_group.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <stdexcept>
#include <string>
#include <utility>

#include "raycast/quadric.h"
#include "raycast/trace.h"

namespace protobeam {
namespace {

/// Each of boxes() is looked at for each packet of rays that passes near it.
constexpr std::size_t kMostQuadrics = 48, kMostOfTriangles = 6;

void check(const Geometry& geometry) {
  if (const auto* field = std::get_if<HeightField>(&geometry)) {
    const auto points =
        static_cast<std::size_t>(field->columns) * static_cast<std::size_t>(field->rows);
    if (field->columns < 2 || field->rows < 2 || field->heights.size() != points) {
      throw std::invalid_argument("a height field needs 2 x 2 heights or more, and one a point");
    }
  }
  const auto* mesh = std::get_if<Mesh>(&geometry);
  if (!mesh) return;
  for (const auto& corners : mesh->triangles) {
    const std::uint32_t last = *std::max_element(corners.begin(), corners.end());
    if (last >= mesh->vertices.size()) {
      throw std::invalid_argument("a triangle names vertex " + std::to_string(last) +
                                  " of a mesh with " + std::to_string(mesh->vertices.size()));
    }
  }
}

/// Of a quadric, from its center.
double farthest_point(const Geometry& geometry) {
  if (const auto* sphere = std::get_if<Sphere>(&geometry)) return sphere->radius;
  const auto corner = [](const auto& round) { return Vec2(round.radius, round.height / 2).norm(); };
  if (const auto* cylinder = std::get_if<Cylinder>(&geometry)) return corner(*cylinder);
  if (const auto* cone = std::get_if<Cone>(&geometry)) return corner(*cone);
  return std::numeric_limits<double>::infinity();
}

void extend(Bounds& all, const Geometry& geometry, const Pose& X_BS) {
  const Bounds b = bounds(geometry);
  if (b.empty()) return;
  const Vec3 center = X_BS * Vec3((b.min + b.max) / 2);
  const Vec3 half = X_BS.R.toRotationMatrix().cwiseAbs() * ((b.max - b.min) / 2);
  all.min = all.min.cwiseMin(center - half);
  all.max = all.max.cwiseMax(center + half);
}

void field_bounds(const RTCBoundsFunctionArguments* arguments) {
  const auto& part = *static_cast<const FieldPart*>(arguments->geometryUserPtr);
  const Bounds box = part.tiles.tile_bounds(arguments->primID);
  const Mat3 R_GQ = part.frame.R_QG.transpose();
  const Vec3 center = part.frame.p_GQ + R_GQ * Vec3((box.min + box.max) / 2);
  const Vec3 half = R_GQ.cwiseAbs() * Vec3((box.max - box.min) / 2);
  // The ray that Embree tests against the box is rounded to float; the tile's is not.
  const double margin = 1e-3 + 1e-6 * center.cwiseAbs().maxCoeff();
  const Vec3 low = center - half - Vec3::Constant(margin),
             high = center + half + Vec3::Constant(margin);
  *arguments->bounds_o = {
      static_cast<float>(low.x()),  static_cast<float>(low.y()),  static_cast<float>(low.z()),  0,
      static_cast<float>(high.x()), static_cast<float>(high.y()), static_cast<float>(high.z()), 0};
}

void quadric_bounds(const RTCBoundsFunctionArguments* arguments) {
  const auto& part = *static_cast<const QuadricPart*>(arguments->geometryUserPtr);
  const Vec3 low = part.center - part.half, high = part.center + part.half;
  *arguments->bounds_o = {
      static_cast<float>(low.x()),  static_cast<float>(low.y()),  static_cast<float>(low.z()),  0,
      static_cast<float>(high.x()), static_cast<float>(high.y()), static_cast<float>(high.z()), 0};
}

}  // namespace

ShapeGroup::ShapeGroup(std::shared_ptr<RTCDeviceTy> shared_device,
                       const std::vector<VisibleShape>& shapes, const RaySceneOptions& options)
    : device_(std::move(shared_device)) {
  const RTCDevice device = device_.get();
  Bounds all;
  for (const VisibleShape& shape : shapes) {
    keep_.push_back(shape.geometry);
    check(*shape.geometry);
    extend(all, *shape.geometry, shape.X_BS);
  }
  p_BG_ = all.empty() ? Vec3::Zero() : Vec3((all.min + all.max) / 2);
  if (!all.empty()) half_ = (all.max - all.min) / 2;
  if (!all.empty()) reach_ = all.min.cwiseAbs().cwiseMax(all.max.cwiseAbs()).norm();

  scene_.reset(rtcNewScene(device));
  rtcSetSceneFlags(scene_.get(), RTC_SCENE_FLAG_ROBUST);
  quadrics_.resize(shapes.size());
  meshes_.resize(shapes.size() + 1);
  for (std::uint32_t i = 0; i < shapes.size(); ++i) {
    const Geometry& geometry = *shapes[i].geometry;
    const Pose X_GS{shapes[i].X_BS.R, shapes[i].X_BS.p - p_BG_};
    first_plane_.push_back(0);
    if (is_quadric(geometry)) {
      Bounds box;
      extend(box, geometry, X_GS);
      // The ray that Embree tests against the box is rounded to float; the shape's is not.
      const Vec3 half = (box.max - box.min) / 2 * 1.00001 + Vec3::Constant(1e-3);
      quadrics_[i] = {make_quadric(geometry),
                      {X_GS.R.conjugate().toRotationMatrix(), X_GS.p},
                      half,
                      (box.min + box.max) / 2};
      add_quadric(device, i);
      add_balls(geometry, i);
    } else if (const auto* field = std::get_if<HeightField>(&geometry)) {
      meshes_[i] = {nullptr, field, X_GS.inverse()};
      if (field->heights.size() <= options.points_as_triangles) {
        add_mesh(device, i, triangulated(*field), X_GS);
        continue;
      }
      fields_.push_back({TiledField(*field), {X_GS.R.conjugate().toRotationMatrix(), X_GS.p}});
      add_field(device, i);
      field_triangles_ += field->triangle_count();
    } else if (const auto* mesh = std::get_if<Mesh>(&geometry)) {
      add_mesh(device, i, *mesh, X_GS);
      meshes_[i] = {mesh, nullptr, X_GS.inverse()};
    } else {
      add_mesh(device, i, triangulated(geometry), X_GS);
    }
  }
  first_plane_.push_back(0);  // of the margin, which no ray hits
  if (!all.empty()) add_margin(device, static_cast<std::uint32_t>(shapes.size()), all);
  rtcCommitScene(scene_.get());
  curved_.balls.fill_up();
}

void ShapeGroup::add_margin(RTCDevice device, std::uint32_t id, const Bounds& bounds_B) {
  const Vec3 half = (bounds_B.max - bounds_B.min) / 2;
  const Vec3 corner = half + Vec3::Constant(1e-3 + 1e-6 * half.maxCoeff());
  const RTCGeometry geometry = rtcNewGeometry(device, RTC_GEOMETRY_TYPE_TRIANGLE);
  auto* v = static_cast<float*>(rtcSetNewGeometryBuffer(geometry, RTC_BUFFER_TYPE_VERTEX, 0,
                                                        RTC_FORMAT_FLOAT3, 3 * sizeof(float), 2));
  auto* index = static_cast<std::uint32_t*>(rtcSetNewGeometryBuffer(
      geometry, RTC_BUFFER_TYPE_INDEX, 0, RTC_FORMAT_UINT3, 3 * sizeof(std::uint32_t), 2));
  for (int axis = 0; axis < 3; ++axis) {
    v[axis] = static_cast<float>(-corner[axis]);
    v[3 + axis] = static_cast<float>(corner[axis]);
    index[axis] = 0;
    index[3 + axis] = 1;
  }
  rtcCommitGeometry(geometry);
  rtcAttachGeometryByID(scene_.get(), geometry, id);
  rtcReleaseGeometry(geometry);
}

void ShapeGroup::add_mesh(RTCDevice device, std::uint32_t shape, const Mesh& mesh,
                          const Pose& X_GS) {
  if (mesh.triangles.empty()) return;
  std::vector<Vec3> vertices;
  vertices.reserve(mesh.vertices.size());
  for (const Vec3& p : mesh.vertices) vertices.push_back(X_GS * p);

  const RTCGeometry geometry = rtcNewGeometry(device, RTC_GEOMETRY_TYPE_TRIANGLE);
  auto* v = static_cast<float*>(rtcSetNewGeometryBuffer(
      geometry, RTC_BUFFER_TYPE_VERTEX, 0, RTC_FORMAT_FLOAT3, 3 * sizeof(float), vertices.size()));
  for (const Vec3& p : vertices) {
    for (int axis = 0; axis < 3; ++axis) *v++ = static_cast<float>(p[axis]);
  }
  auto* index = static_cast<std::uint32_t*>(
      rtcSetNewGeometryBuffer(geometry, RTC_BUFFER_TYPE_INDEX, 0, RTC_FORMAT_UINT3,
                              3 * sizeof(std::uint32_t), mesh.triangles.size()));
  first_plane_[shape] = static_cast<std::uint32_t>(planes_.size());
  for (const auto& corners : mesh.triangles) {
    index = std::copy(corners.begin(), corners.end(), index);
    const Vec3& a = vertices[corners[0]];
    const Vec3 n = (vertices[corners[1]] - a).cross(vertices[corners[2]] - a).normalized();
    planes_.push_back({n.x(), n.y(), n.z(), n.dot(a)});
  }
  rtcCommitGeometry(geometry);
  rtcAttachGeometryByID(scene_.get(), geometry, shape);
  rtcReleaseGeometry(geometry);
}

const TriangleClusters& ShapeGroup::clusters() const {
  std::call_once(clusters_made_, [this] {
    clusters_ = find_clusters();
    boxes_ = find_boxes();
  });
  return clusters_;
}

const std::vector<ShapeGroup::Box>& ShapeGroup::boxes() const {
  clusters();
  return boxes_;
}

std::vector<ShapeGroup::Box> ShapeGroup::find_boxes() const {
  if (has_fields()) return {{Vec3::Zero(), half_}};
  const auto box_of = [](const Bounds& b) -> Box {
    return {(b.min + b.max) / 2, (b.max - b.min) / 2};
  };
  std::vector<Box> boxes;
  Bounds quadrics;
  for (const QuadricPart& part : quadrics_) {
    if (!(part.half.x() > 0)) continue;
    boxes.push_back({part.center, part.half});
    quadrics.min = quadrics.min.cwiseMin(part.center - part.half);
    quadrics.max = quadrics.max.cwiseMax(part.center + part.half);
  }
  if (boxes.size() > kMostQuadrics) boxes = {box_of(quadrics)};
  // Neighbours follow each other, 16 by 16.
  constexpr std::size_t kGroup = TriangleCluster::kGroup, kGroups = TriangleCluster::kGroups;
  const std::size_t groups = clusters_.clusters.size() * kGroups;
  const std::size_t together = (groups + kMostOfTriangles - 1) / kMostOfTriangles;
  for (std::size_t first = 0; first < groups; first += together) {
    Bounds box;
    const auto add = [&box](float x, float y, float z) {
      box.min = box.min.cwiseMin(Vec3(x, y, z));
      box.max = box.max.cwiseMax(Vec3(x, y, z));
    };
    for (std::size_t group = first; group < std::min(first + together, groups); ++group) {
      const TriangleCluster& c = clusters_.clusters[group / kGroups];
      const std::size_t begin = group % kGroups * kGroup,
                        end = std::min(begin + kGroup, static_cast<std::size_t>(c.count));
      for (std::size_t t = begin; t < end; ++t) {
        add(c.ax[t], c.ay[t], c.az[t]);
        add(c.bx[t], c.by[t], c.bz[t]);
        add(c.cx[t], c.cy[t], c.cz[t]);
      }
    }
    if (!box.empty()) boxes.push_back(box_of(box));
  }
  return boxes;
}

TriangleClusters ShapeGroup::find_clusters() const {
  std::vector<ClusterInput> triangles;
  triangles.reserve(planes_.size() - 1);
  for (std::uint32_t shape = 0; shape + 1 < first_plane_.size(); ++shape) {
    if (first_plane_[shape] == 0) continue;
    // The corners as Embree has them, in float.
    const RTCGeometry geometry = rtcGetGeometry(scene_.get(), shape);
    const auto* v =
        static_cast<const float*>(rtcGetGeometryBufferData(geometry, RTC_BUFFER_TYPE_VERTEX, 0));
    const auto* index = static_cast<const std::uint32_t*>(
        rtcGetGeometryBufferData(geometry, RTC_BUFFER_TYPE_INDEX, 0));
    const std::uint32_t end = next_plane(shape);
    for (std::uint32_t plane = first_plane_[shape]; plane < end; ++plane, index += 3) {
      const TrianglePlane& p = planes_[plane];
      if (p.nx == 0 && p.ny == 0 && p.nz == 0) continue;  // without area
      ClusterInput& triangle = triangles.emplace_back();
      for (int corner = 0; corner < 3; ++corner) {
        std::copy_n(v + 3 * std::size_t{index[corner]}, 3, triangle.corner[corner]);
      }
      triangle.shape = shape;
      triangle.primitive = plane - first_plane_[shape];
    }
  }
  return make_clusters(std::move(triangles));
}

std::uint32_t ShapeGroup::next_plane(std::uint32_t shape) const {
  for (++shape; shape < first_plane_.size(); ++shape) {
    if (first_plane_[shape] != 0) return first_plane_[shape];
  }
  return static_cast<std::uint32_t>(planes_.size());
}

TrianglePlaces ShapeGroup::places(std::uint32_t shape, std::uint32_t triangle) const {
  const MeshPart& part = meshes_[shape];
  std::array<Vec3, 3> corner;
  if (part.field != nullptr && triangle < part.field->triangle_count()) {
    corner = part.field->corners(triangle);
  } else if (part.mesh != nullptr && triangle < part.mesh->triangles.size()) {
    const auto& numbers = part.mesh->triangles[triangle];
    for (std::size_t i = 0; i < 3; ++i) corner[i] = part.mesh->vertices[numbers[i]];
  } else {
    return {};
  }
  const Vec3 b = corner[1] - corner[0], c = corner[2] - corner[0], n = b.cross(c);
  const double square = n.squaredNorm();
  if (!(square > 0)) return {};
  const Mat3 R_GS = part.X_SG.R.conjugate().toRotationMatrix();
  const Vec3 along_u = c.cross(n) / square, along_v = n.cross(b) / square;
  const Vec3 origin = part.X_SG.p - corner[0];
  return {R_GS * along_u, R_GS * along_v, along_u.dot(origin), along_v.dot(origin)};
}

void ShapeGroup::add_quadric(RTCDevice device, std::uint32_t shape) {
  const RTCGeometry geometry = rtcNewGeometry(device, RTC_GEOMETRY_TYPE_USER);
  rtcSetGeometryUserPrimitiveCount(geometry, 1);
  rtcSetGeometryUserData(geometry, &quadrics_[shape]);
  rtcSetGeometryBoundsFunction(geometry, quadric_bounds, nullptr);
  rtcSetGeometryIntersectFunction(geometry, intersect_quadric_packet);
  rtcSetGeometryOccludedFunction(geometry, occlude_quadric_packet);
  rtcCommitGeometry(geometry);
  rtcAttachGeometryByID(scene_.get(), geometry, shape);
  rtcReleaseGeometry(geometry);
}

void ShapeGroup::add_ball(const Vec3& center, double radius, std::uint32_t shape) {
  curved_.balls.x.push_back(static_cast<float>(center.x()));
  curved_.balls.y.push_back(static_cast<float>(center.y()));
  curved_.balls.z.push_back(static_cast<float>(center.z()));
  curved_.balls.radius.push_back(static_cast<float>(radius * 1.0001 + 1e-4));
  curved_.shape.push_back(shape);
}

void ShapeGroup::add_balls(const Geometry& geometry, std::uint32_t shape) {
  // A pole next to a sensor would be all around it as one ball.
  constexpr double kMostBalls = 16;
  const Vec3 &center = quadrics_[shape].center, &half = quadrics_[shape].half;
  const double tight = farthest_point(geometry) * 1.00001;
  int longest = 0;
  half.maxCoeff(&longest);
  const double wide = half.sum() - half[longest];
  const int balls =
      static_cast<int>(std::clamp(half[longest] / std::max(wide, 1e-6), 1.0, kMostBalls));
  Vec3 part = half;
  part[longest] /= balls;
  for (int i = 0; i < balls; ++i) {
    Vec3 middle = center;
    middle[longest] += (2 * i + 1 - balls) * part[longest];
    add_ball(middle, balls == 1 ? std::min(part.norm(), tight) : part.norm(), shape);
  }
}

void ShapeGroup::add_field(RTCDevice device, std::uint32_t shape) {
  add_ball(Vec3::Zero(), radius(), CurvedBalls::kFields);
  FieldPart& part = fields_.back();
  const RTCGeometry geometry = rtcNewGeometry(device, RTC_GEOMETRY_TYPE_USER);
  rtcSetGeometryUserPrimitiveCount(geometry, part.tiles.tile_count());
  rtcSetGeometryUserData(geometry, &part);
  rtcSetGeometryBoundsFunction(geometry, field_bounds, nullptr);
  rtcSetGeometryIntersectFunction(geometry, intersect_field_packet);
  rtcSetGeometryOccludedFunction(geometry, occlude_field_packet);
  rtcCommitGeometry(geometry);
  rtcAttachGeometryByID(scene_.get(), geometry, shape);
  rtcReleaseGeometry(geometry);
}

}  // namespace protobeam
