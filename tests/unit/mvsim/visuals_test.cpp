// Shapes that follow from models.
#include <sstream>

#include "mvsim/world/to_webots.h"
#include "tests/unit/mvsim/mvsim_fixture.h"

namespace protobeam::mvsim {
namespace {

using testing::HasSubstr;
using testing::IsEmpty;

/// A strip of `count` squares along x, 4 m wide and 2 m high at its ends, 7.25 m long.
std::string strip(int count) {
  std::ostringstream out;
  for (int i = 0; i <= count; ++i) {
    const double x = 7.25 * i / count, z = i == 0 || i == count ? 2 : 1;
    out << "v " << x << " -2 " << z << "\nv " << x << " 2 " << z << "\n";
  }
  for (int i = 0; i < count; ++i) {
    out << "f " << 2 * i + 1 << " " << 2 * i + 3 << " " << 2 * i + 4 << " " << 2 * i + 2 << "\n";
  }
  return out.str();
}

// So many vertices that their memory goes back to the system as soon as it is free.
TEST_F(MvsimTest, a_large_model_gives_a_block_its_shape) {
  folder_.write("strip.obj", strip(20'000));
  const LoadedFile loaded = load(
      "<block><shape_from_visual/><visual><model_uri>strip.obj</model_uri></visual>"
      "<init_pose>0 0 0</init_pose></block>");
  const auto webots = to_webots(loaded, options_, folder_.path(), diagnostics_);
  EXPECT_THAT(messages(), IsEmpty());
  EXPECT_THAT(wbt::to_text(webots.document), HasSubstr("7.25 -2 2"));
}

}  // namespace
}  // namespace protobeam::mvsim
