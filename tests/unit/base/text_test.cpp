#include "base/text.h"

#include <gtest/gtest.h>

namespace protobeam {
namespace {

TEST(PrintableText, ShowsControlCharactersAsCodes) {
  EXPECT_EQ(printable("rover"), "rover");
  EXPECT_EQ(printable("\x1b[31mred"), "\\x1b[31mred");
  EXPECT_EQ(printable("a\nb\t\x7f"), "a\\x0ab\\x09\\x7f");
  EXPECT_EQ(printable("a\nb\t\r", true), "a\nb\t\\x0d");
}

TEST(PrintableText, KeepsLettersOfAllLanguages) {
  EXPECT_EQ(printable("Gr\xc3\xbc\xc3\x9f" "e"), "Gr\xc3\xbc\xc3\x9f" "e");
  EXPECT_EQ(printable("\xc2\x9b" "31m"), "\\x9b31m");  // CSI, as one character
}

TEST(ShellWord, IsReadBackByAShell) {
  EXPECT_EQ(shell_word("/opt/a-b_c.d"), "/opt/a-b_c.d");
  EXPECT_EQ(shell_word("two words"), "'two words'");
  EXPECT_EQ(shell_word("it's $HOME"), "'it'\\''s $HOME'");
  EXPECT_EQ(shell_word(""), "''");
  EXPECT_EQ(shell_word(std::string_view("\0", 1)), std::string("'\0'", 3));
}

}  // namespace
}  // namespace protobeam
