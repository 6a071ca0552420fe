#include "plugins/devices/lidar/near_of_beams.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace protobeam {
namespace {

/// Three beams along the axes, from the middle of a ball of 5 cm.
class NearOfThreeBeams : public testing::Test {
 protected:
  void look(float near) {
    sweep_.dx = {1, 0, 0};
    sweep_.dy = {0, 1, 0};
    sweep_.dz = {0, 0, 1};
    sweep_.cell = {0, 1, 2};
    SampleInput in;
    in.fixed_shapes = std::make_shared<const std::vector<FixedShape>>(
        1, FixedShape{std::make_shared<const Geometry>(Sphere{0.05}), {}, false});
    beams_.look(in);
    beams_.fill(sweep_, near);
  }

  SweepPattern sweep_;
  NearOfBeams beams_;
};

TEST_F(NearOfThreeBeams, AreWhereTheyHaveLeftTheHousing) {
  look(0.01f);
  EXPECT_THAT(beams_.limits(), testing::ElementsAre(testing::FloatNear(0.05f, 3e-4f),
                                                    testing::FloatNear(0.05f, 3e-4f),
                                                    testing::FloatNear(0.05f, 3e-4f)));
  EXPECT_TRUE(beams_.housing());
}

TEST_F(NearOfThreeBeams, AreNoneWhereTheDevicesOwnNearIsFarther) {
  look(0.1f);
  EXPECT_TRUE(beams_.limits().empty());
  EXPECT_FALSE(beams_.housing());
}

}  // namespace
}  // namespace protobeam
