#include "gltf/page.h"

#include <gmock/gmock.h>

#include "tests/support/temporary_folder.h"

namespace protobeam::gltf {
namespace {

using testing::HasSubstr;
using testing::Not;

class Page : public testing::Test {
 protected:
  Page() {
    folder_.write("three.min.js", "var THREE = {};");
    folder_.write("examples/js/loaders/GLTFLoader.js", "THREE.GLTFLoader = 1;");
    folder_.write("examples/js/controls/OrbitControls.js", "THREE.OrbitControls = 1;");
  }
  std::string made(std::string_view glb, const PageSettings& settings = {}) const {
    return PageMaker(folder_.path().string()).page(glb, settings);
  }
  TemporaryFolder folder_;
};

TEST_F(Page, HoldsTheSceneAndWhatShowsIt) {
  // The test vectors of RFC 4648, section 10.
  EXPECT_THAT(made(""), HasSubstr("type=\"application/octet-stream\"></script>"));
  EXPECT_THAT(made("f"), HasSubstr(">Zg==</script>"));
  EXPECT_THAT(made("fo"), HasSubstr(">Zm8=</script>"));
  EXPECT_THAT(made("foo"), HasSubstr(">Zm9v</script>"));
  EXPECT_THAT(made("foobar"), HasSubstr(">Zm9vYmFy</script>"));
  EXPECT_THAT(made("\xff\xfe"), HasSubstr(">//4=</script>"));
  EXPECT_THAT(made(""), HasSubstr("THREE.GLTFLoader = 1;"));
  EXPECT_THAT(made(""), Not(HasSubstr("http://"))) << "nothing is loaded from elsewhere";
}

TEST_F(Page, TakesTextsOfWorldsAsTexts) {
  PageSettings settings;
  settings.title = "</title><script>alert(1)</script>";
  settings.follow = "</script><script>alert(2)</script>\xff";
  const std::string page = made("", settings);
  EXPECT_THAT(page, Not(HasSubstr("<script>alert")));
  EXPECT_THAT(page, HasSubstr("<title>&lt;/title&gt;&lt;script&gt;alert(1)"));
}

TEST_F(Page, SaysWhatIsMissing) {
  std::filesystem::remove(folder_ / "examples/js/loaders/GLTFLoader.js");
  try {
    PageMaker{folder_.path().string()};
    FAIL();
  } catch (const std::runtime_error& problem) {
    EXPECT_THAT(problem.what(), HasSubstr("GLTFLoader.js (apt-get install libjs-three)"));
  }
}

}  // namespace
}  // namespace protobeam::gltf
