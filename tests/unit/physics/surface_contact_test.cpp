// Shapes over uneven ground.
#include "physics/surface_contact.h"

#include <gtest/gtest.h>

#include <random>
#include <vector>

#include "physics/collision_shapes.h"
#include "physics/plane_contact.h"
#include "tests/unit/physics/scenes.h"

namespace protobeam::physics {
namespace {

/// Bullet's contacts with all triangles, however far from the shape.
class EveryTriangle final : public SurfaceContact {
 public:
  using SurfaceContact::SurfaceContact;
  void processCollision(const btCollisionObjectWrapper* a, const btCollisionObjectWrapper* b,
                        const btDispatcherInfo& info, btManifoldResult* result) override {
    btConvexConcaveCollisionAlgorithm::processCollision(a, b, info, result);
  }
};

template <typename Algorithm>
std::vector<double> contacts(btCollisionDispatcher& dispatcher, btCollisionObject& body,
                             btCollisionObject& ground) {
  const btCollisionObjectWrapper a(nullptr, body.getCollisionShape(), &body,
                                   body.getWorldTransform(), -1, -1);
  const btCollisionObjectWrapper b(nullptr, ground.getCollisionShape(), &ground,
                                   ground.getWorldTransform(), -1, -1);
  Algorithm algorithm(btCollisionAlgorithmConstructionInfo(&dispatcher, 1), &a, &b, false);
  btManifoldResult result(&a, &b);
  algorithm.processCollision(&a, &b, btDispatcherInfo(), &result);
  btManifoldArray manifolds;
  algorithm.getAllContactManifolds(manifolds);
  std::vector<double> found;
  for (int i = 0; i < manifolds.size(); ++i) {
    for (int k = 0; k < manifolds[i]->getNumContacts(); ++k) {
      const btManifoldPoint& p = manifolds[i]->getContactPoint(k);
      for (const btVector3& v :
           {p.getPositionWorldOnA(), p.getPositionWorldOnB(), p.m_normalWorldOnB}) {
        found.insert(found.end(), {v.x(), v.y(), v.z()});
      }
      found.push_back(p.getDistance());
    }
  }
  return found;
}

/// A dome that is rough: wherever two triangles meet, they stick out.
HeightField dome(std::mt19937& random) {
  HeightField field;
  field.columns = field.rows = 21;
  field.origin = {-10, -10};
  field.spacing = {1, 1};
  std::uniform_real_distribution<double> rough(0, 0.004);
  for (int row = 0; row < field.rows; ++row) {
    for (int column = 0; column < field.columns; ++column) {
      const double x = column - 10, y = row - 10;
      field.heights.push_back(-0.03 * (x * x + y * y + 0.5 * x * y) + rough(random));
    }
  }
  return field;
}

Mesh mesh_of(const HeightField& field) {
  Mesh mesh;
  for (int row = 0; row < field.rows; ++row) {
    for (int column = 0; column < field.columns; ++column)
      mesh.vertices.push_back(field.point(column, row));
  }
  const auto at = [&](int column, int row) {
    return static_cast<std::uint32_t>(row * field.columns + column);
  };
  for (int row = 0; row + 1 < field.rows; ++row) {
    for (int i = 0; i + 1 < field.columns; ++i) {
      mesh.triangles.push_back({at(i, row), at(i + 1, row), at(i + 1, row + 1)});
      mesh.triangles.push_back({at(i, row), at(i + 1, row + 1), at(i, row + 1)});
    }
  }
  return mesh;
}

TEST(SurfaceContact, LeavesOutTrianglesThatBulletFindsToBeTooFarOnly) {
  std::mt19937 random(7);
  std::uniform_real_distribution<double> unit(-1, 1);
  CollisionConfiguration configuration;
  btCollisionDispatcher dispatcher(&configuration);
  const HeightField field = dome(random);
  int touching = 0, apart = 0, others = 0;
  for (const Geometry& surface : {Geometry(field), Geometry(mesh_of(field))}) {
    const BulletShape below =
        collision_shape(std::make_shared<Geometry>(surface), Motion::kStatic, "ground");
    btCollisionObject ground;
    ground.setCollisionShape(below.shape.get());
    ground.setWorldTransform(to_bullet(Pose::translation(below.center)));
    for (const Geometry& geometry :
         {Geometry(Box{{0.9, 0.8, 0.5}}), Geometry(Box{{3, 0.2, 0.1}}), Geometry(Sphere{0.3}),
          Geometry(Cylinder{0.3, 0.4}), Geometry(Capsule{0.2, 0.7}), Geometry(Cone{0.3, 0.6})}) {
      const BulletShape above =
          collision_shape(std::make_shared<Geometry>(geometry), Motion::kDynamic, "body");
      btCollisionObject body;
      body.setCollisionShape(above.shape.get());
      for (int i = 0; i < 400; ++i) {
        const Vec2 p(6 * unit(random), 6 * unit(random));
        const double height = -0.03 * (p.x() * p.x() + p.y() * p.y() + 0.5 * p.x() * p.y());
        const Quat R = Quat(unit(random), unit(random), unit(random), unit(random)).normalized();
        body.setWorldTransform(
            to_bullet(Pose{R, {p.x(), p.y(), height + 0.3 + 0.5 * unit(random)}}));
        const auto all = contacts<EveryTriangle>(dispatcher, body, ground);
        const auto found = contacts<SurfaceContact>(dispatcher, body, ground);
        EXPECT_EQ(found.empty(), all.empty()) << geometry.index() << ' ' << i;
        others += found == all ? 0 : 1;
        ++(all.empty() ? apart : touching);
      }
    }
  }
  EXPECT_GT(touching, 1000);
  EXPECT_GT(apart, 1000);
  EXPECT_LT(others, 10);  // of a single triangle, as of a plane: the same but for rounding
}

}  // namespace
}  // namespace protobeam::physics
