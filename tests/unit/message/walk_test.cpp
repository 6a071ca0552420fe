#include "message/walk.h"

#include <gmock/gmock.h>

#include "message/any_message.h"
#include "message/sensor_msgs.h"
#include "message/vendor_msgs.h"
#include "message/visualization_msgs.h"

namespace protobeam::message {
namespace {

using testing::ElementsAre;

std::string text_of(const LeafValue& value) {
  return std::visit(
      []<class T>(const T& held) -> std::string {
        if constexpr (std::is_same_v<T, std::string>) {
          return "'" + held + "'";
        } else if constexpr (std::is_same_v<T, Time> || std::is_same_v<T, Duration>) {
          return std::to_string(held.sec) + "s" + std::to_string(held.nanosec);
        } else if constexpr (std::is_floating_point_v<T>) {
          return std::to_string(held) + (sizeof(T) == 4 ? "f" : "");
        } else {
          return std::to_string(held) + (std::is_unsigned_v<T> ? "u" : "");
        }
      },
      value);
}

template <Message M>
std::vector<std::string> leaves(const M& message) {
  std::vector<std::string> all;
  walk(description_of<M>(), to_cdr(message), [&all](const Leaf& leaf) {
    all.push_back(std::string(leaf.path) + "=" + text_of(leaf.value) + (leaf.in_sequence ? " *" : ""));
    return true;
  });
  return all;
}

struct Kinds {
  static constexpr MessageName kName{"test_msgs", "Kinds"};
  bool truth = true;
  std::int8_t i8 = -8;
  std::uint8_t u8 = 200;
  std::int16_t i16 = -1600;
  std::uint16_t u16 = 60000;
  std::int32_t i32 = -2'000'000'000;
  std::uint32_t u32 = 4'000'000'000;
  std::int64_t i64 = INT64_MIN;
  std::uint64_t u64 = UINT64_MAX;
  float f32 = 0.5f;
  double f64 = -0.25;
  std::string text = "a,b";
  Time time{3, 4};
  Duration span{-1, 5};
  static void each(auto& m, auto&& f) {
    f("truth", m.truth);
    f("i8", m.i8);
    f("u8", m.u8);
    f("i16", m.i16);
    f("u16", m.u16);
    f("i32", m.i32);
    f("u32", m.u32);
    f("i64", m.i64);
    f("u64", m.u64);
    f("f32", m.f32);
    f("f64", m.f64);
    f("text", m.text);
    f("time", m.time);
    f("span", m.span);
  }
};

struct Hollow {
  static constexpr MessageName kName{"test_msgs", "Hollow"};
  static void each(auto&, auto&&) {}
};
struct Around {
  static constexpr MessageName kName{"test_msgs", "Around"};
  std::vector<Hollow> nothings{2};
  std::array<Point32, 2> corners{};
  std::vector<Polygon> shapes{2};
  std::uint8_t last = 7;
  static void each(auto& m, auto&& f) {
    f("nothings", m.nothings);
    f("corners", m.corners);
    f("shapes", m.shapes);
    f("last", m.last);
  }
};

TEST(Walk, KnowsEveryKindOfField) {
  EXPECT_THAT(leaves(Kinds{}),
              ElementsAre("truth=1u", "i8=-8", "u8=200u", "i16=-1600", "u16=60000u", "i32=-2000000000",
                          "u32=4000000000u", "i64=-9223372036854775808", "u64=18446744073709551615u",
                          "f32=0.500000f", "f64=-0.250000", "text='a,b'", "time=3s4", "span=-1s5"));
}

TEST(Walk, NamesWhatIsInMessagesAndSequences) {
  Around around;
  around.corners[1].y = 2;
  around.shapes[1].points = {{1, 2, 3}};
  EXPECT_THAT(leaves(around),
              ElementsAre("corners[0].x=0.000000f", "corners[0].y=0.000000f", "corners[0].z=0.000000f",
                          "corners[1].x=0.000000f", "corners[1].y=2.000000f", "corners[1].z=0.000000f",
                          "shapes[1].points[0].x=1.000000f *", "shapes[1].points[0].y=2.000000f *",
                          "shapes[1].points[0].z=3.000000f *", "last=7u"));
}

TEST(Walk, LeavesOutWhatRos2DoesNotHave) {
  Header header;
  header.seq = 5;
  header.frame_id = "map";
  EXPECT_THAT(leaves(header), ElementsAre("stamp=0s0", "frame_id='map'"));
}

TEST(Walk, EndsWhenTheVisitorHasEnough) {
  Image image;
  image.data.resize(1000);
  int seen = 0;
  walk(description_of<Image>(), to_cdr(image), [&seen](const Leaf&) { return ++seen < 10; });
  EXPECT_EQ(seen, 10);
}

TEST(Walk, RefusesWhatEndsTooEarlyAtAnyByte) {
  Marker marker;
  marker.points.resize(2);
  marker.text = "abc";
  marker.mesh_file.data = {1, 2, 3};
  const Bytes whole = to_cdr(marker);
  int leaf_count = 0;
  const auto count = [&leaf_count](const Leaf&) { return ++leaf_count > 0; };
  walk(description_of<Marker>(), whole, count);
  EXPECT_EQ(leaf_count, 39);
  for (std::size_t size = 0; size < whole.size(); ++size) {
    EXPECT_THROW(walk(description_of<Marker>(), std::span(whole).first(size), count), std::runtime_error)
        << size;
  }
}

TEST(Walk, EndsWithTheBytesWhateverTheySay) {
  // Any byte changed to 255, one by one: lengths that cannot be among them.
  Around around;
  around.shapes[0].points.resize(3);
  const Bytes whole = to_cdr(around);
  for (std::size_t i = 4; i < whole.size(); ++i) {
    Bytes changed = whole;
    changed[i] = 255;
    std::size_t seen = 0;
    try {
      walk(description_of<Around>(), changed, [&seen](const Leaf&) { return ++seen > 0; });
    } catch (const std::runtime_error&) {
    }
    EXPECT_LE(seen, whole.size()) << i;
  }
}

}  // namespace
}  // namespace protobeam::message
