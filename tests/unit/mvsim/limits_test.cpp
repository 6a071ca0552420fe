// Texts that cost too much end with an error, soon.
#include <sstream>

#include "tests/unit/mvsim/mvsim_fixture.h"

namespace protobeam::mvsim {
namespace {

using testing::Contains;
using testing::ElementsAre;
using testing::HasSubstr;

std::string repeated(const std::string& text, int times) {
  std::string out;
  for (int i = 0; i < times; ++i) out += text;
  return out;
}

TEST_F(MvsimTest, elements_of_loops_in_loops_are_counted) {
  load(R"(<for var="i" from="1" to="9999"><for var="j" from="1" to="9999"><block/></for></for>)");
  EXPECT_THAT(
      messages(),
      ElementsAre("1:79: error: the world has more than 500000 elements and rounds of loops"));
}

TEST_F(MvsimTest, elements_in_each_other_are_counted) {
  load(repeated("<a>", 200) + repeated("</a>", 200));
  EXPECT_THAT(messages(), ElementsAre("1:312: error: more than 100 elements in each other"));
  load(repeated("<a>", 100'000));
  EXPECT_THAT(messages(), ElementsAre(HasSubstr("error: ")));
  load(repeated("<include>", 100'000));
  EXPECT_THAT(messages(), Contains(HasSubstr("error: ")));
}

TEST_F(MvsimTest, files_in_files_are_counted) {
  for (int i = 0; i < 50; ++i) {
    std::ostringstream name, text;
    name << "f" << i << ".xml";
    text << "<include file=\"f" << i + 1 << ".xml\"/>";
    folder_.write(name.str(), text.str());
  }
  load("<include file=\"f0.xml\"/>");
  EXPECT_THAT(messages(),
              ElementsAre("f30.xml:1:16: error: more than 32 files include each other"));
}

TEST_F(MvsimTest, values_that_double_and_double_are_stopped) {
  std::string inside = "<variable name=\"a\" value=\"0123456789\"/>";
  inside += repeated("<variable name=\"a\" value=\"${a}${a}\"/>", 40);
  load(inside + "<gravity>${a}</gravity>");
  ASSERT_EQ(diagnostics_.error_count(), 1);
  EXPECT_THAT(messages()[0], HasSubstr("error: the value grows larger than 1024 KiB"));
}

TEST_F(MvsimTest, values_are_counted_together) {
  options_.limits.total_bytes = 1u << 20;
  load("<variable name=\"a\" value=\"" + std::string(100'000, 'x') + "\"/>" +
       repeated("<if condition=\"0${a}\"/>", 20));
  EXPECT_THAT(messages(), Contains(HasSubstr("error: the values of the world are larger than 1 MiB "
                                             "together")));
}

TEST_F(MvsimTest, substitutions_in_each_other_are_counted) {
  load("<gravity>" + repeated("${a|", 60) + "1" + repeated("}", 60) + "</gravity>");
  EXPECT_THAT(messages(), ElementsAre(HasSubstr("error: more than 50 ${} in each other")));
}

TEST_F(MvsimTest, large_files_and_many_files_are_refused) {
  options_.limits.file_bytes = 1u << 20;
  folder_.write("big.xml", std::string(1'100'000, ' ') + "<gui/>");
  load("<include file=\"big.xml\"/>");
  EXPECT_THAT(messages(), ElementsAre("1:29: error: cannot read big.xml: larger than 1 MiB"));
  options_.limits.files = 2;
  folder_.write("x.xml", "<gui/>");
  folder_.write("y.xml", "<lights/>");
  load("<include file=\"x.xml\"/><include file=\"y.xml\"/>");
  EXPECT_THAT(messages(), ElementsAre("1:52: error: more than 2 files"));
}

TEST_F(MvsimTest, bytes_that_are_no_text_are_refused) {
  load(std::string("<gui>\0</gui>", 12));
  EXPECT_THAT(messages(),
              ElementsAre("1:19: error: the file holds a zero byte: it is not UTF-8 text"));
}

}  // namespace
}  // namespace protobeam::mvsim
