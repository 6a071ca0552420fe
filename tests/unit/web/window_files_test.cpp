#include "web/window_files.h"

#include <gmock/gmock.h>

#include "tests/support/temporary_folder.h"

namespace protobeam::web {
namespace {

using testing::HasSubstr;
using testing::Not;

class WindowFiles : public testing::Test {
 protected:
  WindowFiles() {
    const auto page = folder_.write("robot_windows/my panel/my panel.html",
                                    "<!DOCTYPE html>\n<HEAD a='b'><header></HEAD>");
    description_.windows.push_back({"the robot", page});
  }
  std::string bytes(std::string_view path) const {
    const auto file = window_file(description_, path);
    return file ? *file->bytes : "nothing";
  }
  TemporaryFolder folder_;
  SceneDescription description_;
};

TEST_F(WindowFiles, HaveAnAddressThatLeadsToThem) {
  EXPECT_EQ(window_address(description_.windows[0]),
            "/robot_windows/my%20panel/my%20panel.html?name=the%20robot");
  EXPECT_EQ(bytes("/robot_windows/my%20panel/my%20panel.html"),
            "<!DOCTYPE html>\n<HEAD a='b'><script src=\"/wwi/webots.js\"></script><header></HEAD>");
  EXPECT_EQ(robot_of_window("/window?name=the%20robot"), "the robot");
  EXPECT_EQ(robot_of_window("/live"), std::nullopt);
}

TEST_F(WindowFiles, ImportTheScriptOfWebotsFromHere) {
  folder_.write("robot_windows/my panel/a.js",
                "import RobotWindow from 'https://cyberbotics.com/wwi/R2023b/RobotWindow.js';");
  EXPECT_EQ(bytes("/robot_windows/my panel/a.js"),
            "import RobotWindow from '/wwi/RobotWindow.js';");
  EXPECT_THAT(bytes("/wwi/RobotWindow.js"), HasSubstr("export default class RobotWindow"));
  EXPECT_THAT(bytes("/wwi/webots.js"), Not(HasSubstr("export")));
  EXPECT_EQ(window_file(description_, "/robot_windows/my panel/a.js")->type,
            "text/javascript; charset=utf-8");
}

TEST_F(WindowFiles, HaveTheOldScriptAtTheBeginningOfTheirHead) {
  const std::string script = "<script src=\"/wwi/webots.js\"></script>";
  const auto check = [&](const std::string& before, const std::string& after) {
    folder_.write("robot_windows/my panel/a.html", before + after);
    EXPECT_EQ(bytes("/robot_windows/my panel/a.html"), before + script + after);
  };
  check("<html><head>", "<script>const page = '<html><head>';</script></head></html>");
  check("\xEF\xBB\xBF<!-- <head> -->\n<!DOCTYPE html>", "<title>a</title>");
  check("", "<header>no head</header>");
  check("<html lang=\"" + std::string(1'000'000, 'x') + "\">", "<body>a long one</body>");
  check("", "<head");
}

TEST_F(WindowFiles, AreReadWhateverFollowsTheAddressOfWebots) {
  const std::string theirs = "https://cyberbotics.com/wwi/";
  const std::string text = theirs + std::string(1'000'000, 'x') + " " + theirs + "'" + theirs;
  folder_.write("robot_windows/my panel/b.js", text + "R2025a/RobotWindow.js' and on");
  EXPECT_EQ(bytes("/robot_windows/my panel/b.js"),
            text.substr(0, text.size() - theirs.size()) + "/wwi/RobotWindow.js' and on");
}

TEST_F(WindowFiles, AreNoneFromOutside) {
  folder_.write("secret.txt", "secret");
  folder_.write("robot_windows_too/secret.txt", "secret");
  for (const char* path :
       {"/robot_windows/../secret.txt", "/robot_windows/%2e%2e/secret.txt",
        "/robot_windows/../robot_windows_too/secret.txt", "/robot_windows//etc/passwd",
        "/robot_windows/", "/robot_windows/my panel", "/secret.txt"}) {
    EXPECT_EQ(bytes(path), "nothing") << path;
  }
  EXPECT_EQ(window_file({}, "/wwi/RobotWindow.js"), nullptr) << "a world without windows";
}

TEST(PercentCodes, AreReadBack) {
  const std::string text = "a b/ü%\"&\n~";
  EXPECT_EQ(encoded(text), "a%20b%2F%C3%BC%25%22%26%0A~");
  EXPECT_EQ(decoded(encoded(text)), text);
  EXPECT_EQ(decoded("50%"), "50%");
  EXPECT_EQ(decoded("%zz%4"), "%zz%4");
}

}  // namespace
}  // namespace protobeam::web
