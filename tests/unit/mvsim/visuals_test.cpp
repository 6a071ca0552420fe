// Shapes that follow from models.
#include <sstream>

#include "base/named_files.h"
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

/// A trunk of 0.25 m, 3 m high, and a crown of 4 m on it that reaches 5 m.
std::string tree() {
  std::ostringstream out;
  auto box = [&, first = 1](double half, double low, double high) mutable {
    for (const double z : {low, high}) {
      out << "v " << -half << " " << -half << " " << z << "\nv " << half << " " << -half << " " << z
          << "\nv " << half << " " << half << " " << z << "\nv " << -half << " " << half << " " << z
          << "\n";
    }
    for (const auto& face : {"0321", "4567", "0154", "1265", "2376", "3047"}) {
      out << "f";
      for (int i = 0; i < 4; ++i) out << " " << first + face[i] - '0';
      out << "\n";
    }
    first += 8;
  };
  box(0.125, 0, 3);
  box(2, 3, 5);
  return out.str();
}

// VisualObject.cpp, addCustomVisualization: only what lies between zmin and zmax is touched, and
// visual_scale takes the place of model_scale.
TEST_F(MvsimTest, a_block_of_a_model_is_touched_between_its_zmin_and_zmax) {
  folder_.write("tree.obj", tree());
  const LoadedFile loaded = load(
      "<block:class name='tree'><static>true</static><shape_from_visual/><zmin>0.5</zmin>"
      "<zmax>2.5</zmax><visual><model_uri>tree.obj</model_uri><model_scale>7</model_scale></visual>"
      "</block:class><block class='tree'><init_pose>0 0 0</init_pose>"
      "<visual_scale>0.5</visual_scale></block>"
      "<block name='b' class='tree'><init_pose>9 0 0</init_pose><visual_scale>1</visual_scale>"
      "</block><block name='c' class='tree'><init_pose>19 0 0</init_pose><zmin>90</zmin>"
      "<zmax>91</zmax></block>");
  const auto webots = to_webots(loaded, options_, folder_.path(), diagnostics_);
  EXPECT_THAT(messages(), testing::ElementsAre(HasSubstr("finds nothing of the model")));
  const std::string text = wbt::to_text(webots.document);
  EXPECT_THAT(text, HasSubstr("scale 0.5 0.5 0.5"));
  EXPECT_THAT(text, testing::Not(HasSubstr("scale 1 1 1")));
  // Of the tree of half the size the crown begins at 1.5 m; of the other one it is left out.
  EXPECT_THAT(text, HasSubstr("1 1 2.5"));
  EXPECT_THAT(text, HasSubstr("0.125 0.125 2.5"));
  EXPECT_THAT(text, HasSubstr("0.125 0.125 0.5"));
  EXPECT_THAT(text, testing::Not(HasSubstr("2 2 ")));
}

/// A Collada file of a tetrahedron that is 1 m long, 2 m wide and 3 m high along x, y and z.
std::string collada(const std::string& up_axis) {
  return "<COLLADA xmlns='http://www.collada.org/2005/11/COLLADASchema' version='1.4.1'><asset>"
         "<unit meter='1' name='meter'/>" +
         up_axis +
         "</asset><library_geometries><geometry id='g'><mesh><source id='p'>"
         "<float_array id='a' count='12'>0 0 0 1 0 0 0 2 0 0 0 3</float_array><technique_common>"
         "<accessor source='#a' count='4' stride='3'><param name='X' type='float'/>"
         "<param name='Y' type='float'/><param name='Z' type='float'/></accessor>"
         "</technique_common></source><vertices id='v'><input semantic='POSITION' source='#p'/>"
         "</vertices><triangles count='4'><input semantic='VERTEX' source='#v' offset='0'/>"
         "<p>0 2 1 0 1 3 0 3 2 1 2 3</p></triangles></mesh></geometry></library_geometries>"
         "<library_visual_scenes><visual_scene id='s'><node><instance_geometry url='#g'/></node>"
         "</visual_scene></library_visual_scenes><scene><instance_visual_scene url='#s'/></scene>"
         "</COLLADA>";
}

// MVSim's reader of models makes y of a Collada file its upper axis; worlds stand models up again
// with a <model_roll> of 90.
TEST_F(MvsimTest, models_have_their_upper_axis_along_y_before_they_are_placed) {
  struct Case {
    const char *up_axis, *roll;
    Vec3 low, high;
  };
  const Vec3 as_written(1, 2, 3), zero = Vec3::Zero();
  for (const Case& one :
       {Case{"<up_axis>Z_UP</up_axis>", "90", zero, as_written},
        Case{"<up_axis>Z_UP</up_axis>", "0", {0, 0, -2}, {1, 3, 0}},
        Case{"<up_axis>Y_UP</up_axis>", "0", zero, as_written}, Case{"", "0", zero, as_written},
        Case{"<up_axis>X_UP</up_axis>", "0", {-2, 0, 0}, {0, 1, 3}}}) {
    SCOPED_TRACE(std::string(one.up_axis) + " " + one.roll);
    folder_.write("model.dae", collada(one.up_axis));
    const LoadedFile loaded =
        load(std::string("<block><static>true</static><shape_from_visual/><visual>"
                         "<model_uri>model.dae</model_uri><model_roll>") +
             one.roll + "</model_roll></visual><init_pose>0 0 0</init_pose></block>");
    const auto webots = to_webots(loaded, options_, folder_.path(), diagnostics_);
    EXPECT_THAT(messages(), IsEmpty());
    const std::string text = wbt::to_text(webots.document);
    std::istringstream points(text.substr(text.rfind("point [") + 7));
    Vec3 p, low = Vec3::Constant(1e9), high = -low;
    while (points >> p.x() >> p.y() >> p.z()) {
      low = low.cwiseMin(p);
      high = high.cwiseMax(p);
    }
    EXPECT_LT((low - one.low).norm(), 1e-9) << low.transpose();
    EXPECT_LT((high - one.high).norm(), 1e-9) << high.transpose();
  }
}

// VehicleBase.cpp, internalGuiUpdate: the yaw of the model is that of the wheel and the offset, its
// pitch and roll stay.
TEST_F(MvsimTest, a_model_is_steered_with_its_wheel) {
  folder_.write("fork.obj", tree());
  const auto world = [&](const std::string& visual, const std::string& link) {
    const LoadedFile loaded = load(
        "<vehicle name='v'><init_pose>0 0 0</init_pose><dynamics class='ackermann'>"
        "<rl_wheel pos='0 .5' mass='4' diameter='.4'/><rr_wheel pos='0 -.5' mass='4' "
        "diameter='.4'/>"
        "<fl_wheel mass='4' diameter='.4' " +
        link +
        "/><fr_wheel mass='4' diameter='.4'/><f_wheels_x>2</f_wheels_x><f_wheels_d>1.2</f_wheels_d>"
        "</dynamics><visual>" +
        visual + "<model_uri>fork.obj</model_uri><model_offset_x>2</model_offset_x>" +
        "<model_offset_y>0.6</model_offset_y><model_offset_z>0.5</model_offset_z>" +
        "<model_yaw>17</model_yaw><model_roll>90</model_roll></visual></vehicle>");
    return wbt::to_text(to_webots(loaded, options_, folder_.path(), diagnostics_).document);
  };
  const std::string text =
      world("<name>fork</name>", "linked_yaw='fork' linked_yaw_offset_deg='-90'");
  EXPECT_THAT(messages(), IsEmpty());
  // The third wheel has it, and the chassis has neither that model nor a shape instead of it.
  const std::string wheels = text.substr(text.find("position 2 0.6 0.2"));
  const auto at = wheels.find("steeredChildren");
  ASSERT_LT(at, wheels.find("position 2 -0.6 0.2"));
  EXPECT_EQ(text.find("fork.obj"), text.rfind("fork.obj"));
  std::istringstream pose(wheels.substr(wheels.find("translation", at) + 11));
  std::string word;
  double x, y, z, angle;
  Vec3 p;
  ASSERT_TRUE(pose >> p.x() >> p.y() >> p.z() >> word >> x >> y >> z >> angle);
  EXPECT_LT((p - Vec3(0, 0, 0.3)).norm(), 1e-12) << p.transpose();
  const Mat3 R = axis_angle({x, y, z}, angle).toRotationMatrix();
  // Rolled by 90 degrees its y points up and its z to the right; then it is turned to the right.
  EXPECT_LT((R.col(0) - Vec3(0, -1, 0)).norm(), 1e-9) << R;
  EXPECT_LT((R.col(1) - Vec3(0, 0, 1)).norm(), 1e-9) << R;
  EXPECT_THAT(world("<name>fork</name>", "linked_yaw='frok'"),
              testing::Not(HasSubstr("steeredChildren")));
  EXPECT_THAT(messages(),
              testing::ElementsAre(HasSubstr("warning: no <visual> of the vehicle has the <name> "
                                             "'frok'; did you mean 'fork'?")));
}

TEST_F(MvsimTest, a_model_beside_its_wheel_says_what_it_turns_about) {
  folder_.write("fork.obj", tree());
  const LoadedFile loaded = load(
      "<vehicle name='v'><init_pose>0 0 0</init_pose><dynamics class='differential'>"
      "<l_wheel pos='0 .5' mass='4' diameter='.4' linked_yaw='group'/>"
      "<r_wheel pos='0 -.5' mass='4' diameter='.4'/></dynamics>"
      "<visual><model_uri>fork.obj</model_uri></visual></vehicle>");
  const auto webots = to_webots(loaded, options_, folder_.path(), diagnostics_);
  EXPECT_THAT(messages(), testing::ElementsAre(HasSubstr(
                              "warning: <visual> 'group' turns about the middle of <l_wheel>, "
                              "which is 0.5 m from it")));
}

// A folder with copies is no part of any project.
TEST_F(MvsimTest, a_model_in_a_cache_may_be_read) {
  const AllowedFilesScope scope;
  const TemporaryFolder cache, other;
  allow_files_below(folder_.path());
  options_.model_caches = {cache.path()};
  cache.write("tree.obj", tree());
  const LoadedFile loaded = load(
      "<block><visual><model_uri>https://example.org/tree.obj</model_uri></visual>"
      "<init_pose>0 0 0</init_pose></block>");
  const auto webots = to_webots(loaded, options_, folder_.path(), diagnostics_);
  EXPECT_THAT(messages(), IsEmpty());
  EXPECT_EQ(why_not_allowed(cache / "tree.obj"), "");
  EXPECT_NE(why_not_allowed(other.write("tree.obj", tree())), "");
}

// World_simul.cpp, internal_simul_pre_step_terrain_elevation: pitch and roll follow the ground, the
// yaw stays.
TEST_F(MvsimTest, a_vehicle_on_a_slope_heads_where_its_pose_says) {
  const LoadedFile loaded = load(
      "<element class='elevation_map'><resolution>20</resolution>"
      "<elevation_data_matrix>[-7 1; -1 7]</elevation_data_matrix></element>"
      "<vehicle name='v'><init_pose>0 0 30</init_pose><dynamics class='differential'>"
      "<l_wheel pos='0 .5' mass='4' diameter='.4'/><r_wheel pos='0 -.5' mass='4' diameter='.4'/>"
      "</dynamics></vehicle>");
  const auto webots = to_webots(loaded, options_, folder_.path(), diagnostics_);
  const std::string text = wbt::to_text(webots.document);
  const std::string robot = text.substr(text.find("Robot {"));
  std::istringstream numbers(robot.substr(robot.find("rotation ") + 9));
  double x, y, z, angle;
  ASSERT_TRUE(numbers >> x >> y >> z >> angle);
  const Mat3 R = axis_angle({x, y, z}, angle).toRotationMatrix();
  EXPECT_NEAR(std::atan2(R(1, 0), R(0, 0)), M_PI / 6, 1e-9);
  // The ground rises by 0.3 along x and by 0.4 along y.
  const Vec3 up = Vec3(-0.3, -0.4, 1).normalized();
  EXPECT_LT((R.col(2) - up).norm(), 1e-9) << R.col(2).transpose();
}

}  // namespace
}  // namespace protobeam::mvsim
