// Values as numbers, against those written by hand.
#include "mvsim/values.h"

#include "tests/unit/mvsim/mvsim_fixture.h"

namespace protobeam::mvsim {
namespace {

using testing::ElementsAre;

class ValuesTest : public testing::Test {
 protected:
  static Text text(const std::string& value) {
    const auto source = std::make_shared<SourceText>("v.xml", value);
    return {value, {source, 0, static_cast<std::uint32_t>(value.size())}, false, false};
  }
  std::vector<std::string> messages() const {
    std::vector<std::string> out;
    for (const auto& d : diagnostics_.all()) out.push_back(d.place.to_string() + ": " + d.message);
    return out;
  }

  Diagnostics diagnostics_;
  ValueReader reader_{"value", nullptr, diagnostics_};
};

TEST_F(ValuesTest, values_of_every_kind_are_read) {
  EXPECT_EQ(reader_.number(text("1e-2")), 0.01);
  EXPECT_EQ(reader_.integer(text("-12")), -12);
  EXPECT_EQ(reader_.integer(text("0x10")), 16);
  EXPECT_DOUBLE_EQ(reader_.degrees(text("90")).value(), kPi / 2);
  EXPECT_EQ(reader_.boolean(text("TRUE")), true);
  EXPECT_EQ(reader_.boolean(text("0")), false);
  const auto color = reader_.color(text("#10fFa080"));
  ASSERT_TRUE(color);
  EXPECT_EQ(color->red, 0x10);
  EXPECT_EQ(color->green, 0xff);
  EXPECT_EQ(color->blue, 0xa0);
  EXPECT_EQ(color->alpha, 0x80);
  EXPECT_EQ(reader_.color(text("#000000"))->alpha, 255);
  const auto pose = reader_.pose2d(text("1 -2\n180"));
  ASSERT_TRUE(pose);
  EXPECT_EQ(pose->x, 1);
  EXPECT_EQ(pose->y, -2);
  EXPECT_DOUBLE_EQ(pose->yaw, kPi);
  const auto pose3 = reader_.pose3d(text("1 2 3  90 -90 45"));
  ASSERT_TRUE(pose3);
  EXPECT_EQ(pose3->z, 3);
  EXPECT_DOUBLE_EQ(pose3->yaw, kPi / 2);
  EXPECT_DOUBLE_EQ(pose3->pitch, -kPi / 2);
  EXPECT_DOUBLE_EQ(pose3->roll, kPi / 4);
  EXPECT_EQ(reader_.point3d(text("1 2")), Vec3(1, 2, 0));
  EXPECT_EQ(reader_.point3d(text("1 2 3")), Vec3(1, 2, 3));
  EXPECT_THAT(reader_.numbers(text("-16 -14.5 0")).value(), ElementsAre(-16, -14.5, 0));
  EXPECT_THAT(reader_.matrix(text("[1 2;\n 3, 4;]")).value(),
              ElementsAre(ElementsAre(1, 2), ElementsAre(3, 4)));
  EXPECT_THAT(messages(), testing::IsEmpty());
}

TEST_F(ValuesTest, what_is_none_says_what_was_expected) {
  EXPECT_FALSE(reader_.number(text("nan")));
  EXPECT_FALSE(reader_.integer(text("3000000000")));
  EXPECT_FALSE(reader_.color(text("#12345")));
  EXPECT_FALSE(reader_.matrix(text("[1 2; 3]")));
  EXPECT_FALSE(reader_.matrix(text("[]")));
  EXPECT_FALSE(reader_.matrix(text("[1 2")));
  EXPECT_THAT(messages(),
              ElementsAre("v.xml:1:1: value wants a number, got 'nan'",
                          "v.xml:1:1: value wants a whole number of at most 2147483647, got "
                          "'3000000000'",
                          "v.xml:1:1: value wants a color such as #ff8000 or #ff800080, got "
                          "'#12345'",
                          "v.xml:1:1: value wants a matrix such as [1 2; 3 4], got '[1 2; 3]'",
                          "v.xml:1:1: value wants a matrix such as [1 2; 3 4], got '[]'",
                          "v.xml:1:1: value wants a matrix such as [1 2; 3 4], got '[1 2'"));
}

TEST_F(ValuesTest, what_follows_a_value_is_a_warning_at_its_place) {
  EXPECT_EQ(reader_.number(text("1.5 m")), 1.5);
  EXPECT_TRUE(reader_.pose2d(text("1 2 3 4")));
  EXPECT_TRUE(reader_.color(text("#ff0000 red")));
  EXPECT_FALSE(diagnostics_.has_errors());
  EXPECT_THAT(
      messages(),
      ElementsAre("v.xml:1:5: what follows the number of value is ignored, as in MVSim: 'm'",
                  "v.xml:1:7: what follows the numbers of value is ignored, as in MVSim: '4'",
                  "v.xml:1:9: what follows the color of value is ignored, as in MVSim: 'red'"));
}

TEST_F(ValuesTest, a_computed_fraction_is_cut_without_a_word) {
  Text rays = text("1808.449074074074");
  rays.computed = true;
  EXPECT_EQ(reader_.integer(rays), 1808);
  EXPECT_THAT(messages(), testing::IsEmpty());
}

TEST_F(ValuesTest, a_mistake_that_is_told_already_is_not_told_again) {
  Text broken;
  broken.broken = true;
  EXPECT_FALSE(reader_.number(broken));
  EXPECT_FALSE(reader_.boolean(broken));
  EXPECT_FALSE(reader_.color(broken));
  EXPECT_FALSE(reader_.pose3d(broken));
  EXPECT_FALSE(reader_.matrix(broken));
  EXPECT_THAT(messages(), testing::IsEmpty());
}

TEST_F(MvsimTest, the_points_of_a_shape_have_their_variables_put_in) {
  const auto loaded = load(R"(<variable name="w" value="2"/><block><init_pose>0 0 0</init_pose>
      <shape><pt>0 0</pt><pt>${w} 0</pt><pt>$f{w/2} 1</pt></shape></block>)");
  ASSERT_FALSE(diagnostics_.has_errors()) << diagnostics_.to_string();
  const Element* shape = loaded.root.child("block")->child("shape");
  const auto points = ValueReader("shape", nullptr, diagnostics_).shape(*shape);
  EXPECT_THAT(points.value(), ElementsAre(Vec2(0, 0), Vec2(2, 0), Vec2(1, 1)));
}

}  // namespace
}  // namespace protobeam::mvsim
