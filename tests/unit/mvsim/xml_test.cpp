// Places of names and values in the text.
#include "mvsim/xml.h"

#include "tests/unit/mvsim/mvsim_fixture.h"

namespace protobeam::mvsim {
namespace {

class XmlTest : public testing::Test {
 protected:
  XmlFile parse(const std::string& text) {
    XmlFile file;
    file.source = std::make_shared<SourceText>("a.xml", text);
    EXPECT_TRUE(parse_xml(file, Limits(), diagnostics_, nullptr)) << diagnostics_.to_string();
    return file;
  }
  static std::string at(const Place& place) {
    return std::string(place.source->text().substr(place.offset, place.length));
  }
  Diagnostics diagnostics_;
};

TEST_F(XmlTest, names_and_values_know_their_places) {
  const auto file = parse("<a  first = ' x y '\n second=\"\">  text\n</a><b>2</b>");
  ASSERT_EQ(file.roots.size(), 2u);
  const xml::Element& a = file.roots[0];
  EXPECT_EQ(at(a.place), "a");
  ASSERT_EQ(a.attributes.size(), 2u);
  EXPECT_EQ(at(a.attributes[0].place), "first");
  EXPECT_EQ(at(a.attributes[0].text.place), "x y");
  EXPECT_EQ(a.attributes[0].text.value, "x y");
  EXPECT_EQ(at(a.attributes[1].place), "second");
  EXPECT_EQ(at(a.text.place), "text");
  EXPECT_EQ(file.roots[1].text.place.to_string(), "a.xml:3:8");
}

TEST_F(XmlTest, places_hold_behind_bom_crlf_and_other_alphabets) {
  const auto file = parse("\xef\xbb\xbf<a>\r\n <b n='\xc3\xa9\xc3\xa8'/>\r\n<c>5</c></a>");
  const auto& children = file.roots.at(0).children;
  ASSERT_EQ(children.size(), 2u);
  EXPECT_EQ(at(children[0].attributes[0].text.place), "\xc3\xa9\xc3\xa8");
  EXPECT_EQ(children[1].text.place.to_string(), "a.xml:3:4");
}

TEST_F(XmlTest, a_decoded_value_has_the_place_of_the_whole) {
  const auto file = parse("<a>1 &lt; ${b}</a>");
  EXPECT_EQ(file.roots[0].text.value, "1 < ${b}");
  EXPECT_FALSE(file.roots[0].text.verbatim);
  EXPECT_EQ(file.roots[0].text.place.to_string(), "a.xml:1:4");
}

TEST_F(XmlTest, a_text_around_a_comment_is_one_text) {
  EXPECT_EQ(parse("<a>1 <!-- one --> 2</a>").roots[0].text.value, "1 2");
}

}  // namespace
}  // namespace protobeam::mvsim
