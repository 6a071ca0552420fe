#include <gmock/gmock.h>

#include "message/any_message.h"
#include "message/sensor_msgs.h"
#include "message/vendor_msgs.h"

namespace protobeam::message {
namespace {

using testing::ElementsAre;

struct Mixed {
  static constexpr MessageName kName{"test_msgs", "Mixed"};
  std::uint8_t small = 1;
  double number = 0;
  std::string text = "ab";
  std::uint16_t last = 0x0203;
  std::vector<double> none;
  std::vector<std::uint16_t> some{4, 5};
  static void each(auto& m, auto&& f) {
    f("small", m.small);
    f("number", m.number);
    f("text", m.text);
    f("last", m.last);
    f("none", m.none);
    f("some", m.some);
  }
};

struct Nothing {
  static constexpr MessageName kName{"test_msgs", "Nothing"};
  static void each(auto&, auto&&) {}
};

// By hand, after OMG DDS-XTYPES 1.3, 7.4.1.1: alignment counts from behind the header.
TEST(Cdr, AlignsNumbersToTheirSize) {
  Mixed mixed;
  mixed.number = 1.0;
  EXPECT_THAT(to_cdr(mixed), ElementsAre(0, 1, 0, 0,                     // little-endian
                                         1, 0, 0, 0, 0, 0, 0, 0,         // small, seven bytes of gap
                                         0, 0, 0, 0, 0, 0, 0xf0, 0x3f,   // 1.0
                                         3, 0, 0, 0, 'a', 'b', 0,        // with its zero
                                         0,                              // gap
                                         3, 2, 0, 0,                     // last, gap
                                         0, 0, 0, 0,                     // none, and no gap behind it
                                         2, 0, 0, 0, 4, 0, 5, 0));
}

TEST(Ros1, HasNoGaps) {
  Mixed mixed;
  mixed.number = 1.0;
  EXPECT_THAT(to_ros1(mixed), ElementsAre(1, 0, 0, 0, 0, 0, 0, 0xf0, 0x3f, 2, 0, 0, 0, 'a', 'b', 3, 2,
                                          0, 0, 0, 0, 2, 0, 0, 0, 4, 0, 5, 0));
}

TEST(Ros1, AndRos2DifferWhereTheirDefinitionsDo) {
  Header header;
  header.seq = 7;
  header.stamp = {1, 2};
  EXPECT_THAT(to_ros1(header), ElementsAre(7, 0, 0, 0, 1, 0, 0, 0, 2, 0, 0, 0, 0, 0, 0, 0));
  EXPECT_THAT(to_cdr(header), ElementsAre(0, 1, 0, 0, 1, 0, 0, 0, 2, 0, 0, 0, 1, 0, 0, 0, 0));
}

TEST(Ros1, PointsOfLivoxHaveNineteenBytes) {
  CustomMsg one, two;
  two.points.resize(10);
  EXPECT_EQ(to_ros1(two).size() - to_ros1(one).size(), 190u);
}

TEST(Cdr, EmptyMessagesHaveAByte) {
  EXPECT_THAT(to_cdr(Nothing{}), ElementsAre(0, 1, 0, 0, 0));
  EXPECT_NO_THROW(from_cdr<Nothing>(to_cdr(Nothing{})));
  EXPECT_TRUE(to_ros1(Nothing{}).empty());
}

TEST(Cdr, ReadsWhatItWrote) {
  Mixed mixed;
  mixed.number = -0.1;
  mixed.none = {1, 2, 3};
  const Mixed read = from_cdr<Mixed>(to_cdr(mixed));
  EXPECT_EQ(read.number, mixed.number);
  EXPECT_EQ(read.text, "ab");
  EXPECT_EQ(read.none, mixed.none);
  EXPECT_EQ(read.some, mixed.some);
}

TEST(Cdr, ReadsBigEndianNumbers) {
  const Bytes bytes{0, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0, 2};
  const Time time = from_cdr<Clock>(bytes).clock;
  EXPECT_EQ(time.sec, 1);
  EXPECT_EQ(time.nanosec, 2u);
}

TEST(Cdr, RefusesWhatEndsTooEarlyAtAnyByte) {
  Mixed mixed;
  mixed.none = {1, 2};
  const Bytes whole = to_cdr(mixed);
  for (std::size_t size = 0; size < whole.size(); ++size) {
    EXPECT_THROW(from_cdr<Mixed>(std::span(whole).first(size)), std::runtime_error) << size;
  }
}

TEST(Cdr, RefusesCountsThatCannotBe) {
  Bytes bytes = to_cdr(Polygon{});
  std::ranges::fill(bytes.begin() + 4, bytes.end(), 0xff);
  EXPECT_THROW(from_cdr<Polygon>(bytes), std::runtime_error);
}

TEST(AnyMessage, KnowsItsTypeAndIsEncodedOnce) {
  const AnyMessage any = [] {
    Image image;
    image.data = {1, 2, 3};
    return AnyMessage(std::move(image));
  }();
  EXPECT_EQ(any.type().ros2_name, "sensor_msgs/msg/Image");
  ASSERT_TRUE(any.as<Image>());
  EXPECT_FALSE(any.as<Imu>());
  EXPECT_EQ(&any.cdr(), &any.cdr());
  EXPECT_EQ(any.ros1(), to_ros1(*any.as<Image>()));
}

TEST(Time, HasNoRoundingOfItsOwn) {
  EXPECT_EQ(time_of(1'999'999'999), (Time{1, 999'999'999}));
  EXPECT_EQ(nanoseconds(0.1), 100'000'000);
  EXPECT_EQ(nanoseconds(time_of(123'456'789'012)), 123'456'789'012);
  EXPECT_THROW(time_of(-1), std::out_of_range);
}

}  // namespace
}  // namespace protobeam::message
