#include "base/named_files.h"

#include <gtest/gtest.h>

#include "tests/support/temporary_folder.h"

namespace protobeam {
namespace {

TEST(NamedFiles, AreAllowedBelowFoldersUntilTheScopeEnds) {
  const TemporaryFolder project, elsewhere;
  const auto mesh = project.write("meshes/wheel.obj", "v 0 0 0");
  const auto other = elsewhere.write("secret", "");
  const AllowedFilesScope outer;
  allow_files_below(project.path());
  {
    const AllowedFilesScope scope;
    EXPECT_EQ(why_not_allowed(mesh), "");
    EXPECT_NE(why_not_allowed(other), "");
    allow_files_below(elsewhere.path());
    EXPECT_EQ(why_not_allowed(other), "");
  }
  EXPECT_EQ(why_not_allowed(mesh), "");
  EXPECT_NE(why_not_allowed(other), "");
}

}  // namespace
}  // namespace protobeam
