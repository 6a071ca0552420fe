// Types that somebody may have meant.
#include "wbt_fixture.h"

namespace protobeam::wbt {
namespace {

using testing::HasSubstr;
using testing::Not;
using testing::SizeIs;

using NearNamesTest = WbtTest;

TEST_F(NearNamesTest, an_address_of_a_missing_file_proposes_only_the_same_name_written_otherwise) {
  for (const char* name : {"E-puck", "Slot8", "Net", "WoodenChair"}) {
    write("catalogue/" + std::string(name) + ".proto",
          "#VRML_SIM R2025a utf8\nPROTO " + std::string(name) + " [ ] { Solid { } }");
  }
  options_.proto_path = {folder_ / "catalogue"};
  const auto message = [&](const std::string& folder, const std::string& name) {
    load("EXTERNPROTO \"" + folder + name + ".proto\"\n" + name + " { }");
    const auto all = take_messages();
    EXPECT_THAT(all, SizeIs(1));
    return all.empty() ? "" : all[0];
  };
  for (const std::string folder :
       {"webots://projects/", "https://example.org/protos/", "../protos/"}) {
    SCOPED_TRACE(folder);
    EXPECT_THAT(message(folder, "EPuck"), HasSubstr("did you mean 'E-puck'?"));
    EXPECT_THAT(message(folder, "WodenChair"), HasSubstr("did you mean 'WoodenChair'?"));
    for (const char* other : {"Spot8", "Not", "Nets", "WoodenStair"}) {
      EXPECT_THAT(message(folder, other), Not(HasSubstr("did you mean")));
    }
  }
}

}  // namespace
}  // namespace protobeam::wbt
