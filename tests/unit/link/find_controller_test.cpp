#include <gmock/gmock.h>

#include <fstream>

#include "link/interpreters.h"
#include "link/runtime_ini.h"
#include "tests/support/temporary_folder.h"
#include "tests/unit/link/test_robot.h"
#include "tests/unit/support/paths.h"

namespace protobeam::link {
namespace {

namespace fs = std::filesystem;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::StartsWith;

class FindController : public testing::Test {
 protected:
  void write(const std::string& file, const std::string& text, bool executable = false) {
    fs::create_directories((root / file).parent_path());
    std::ofstream(root / file) << text;
    if (executable) fs::permissions(root / file, fs::perms::owner_all);
  }
  LaunchSpec find(const std::string& name, std::vector<std::string> arguments = {}) {
    return find_controller(name, arguments, {root / "a", root / "b"}, {root / "build"});
  }
  std::string failure(const std::string& name) {
    try {
      find(name);
    } catch (const std::runtime_error& error) {
      return error.what();
    }
    return "found";
  }

  TemporaryFolder temporary;
  const fs::path root = temporary.path();
};

TEST_F(FindController, TakesTheProgramOfTheFirstFolderThatHasIt) {
  write("b/drive/drive", "#!/bin/sh\n", true);
  write("b/drive/drive.py", "");
  const auto launch = find("drive", {"-v", "two words"});
  EXPECT_THAT(launch.argv, ElementsAre(root / "b/drive/drive", "-v", "two words"));
  EXPECT_EQ(launch.working_directory, root / "b/drive");
  write("a/drive/drive", "#!/bin/sh\n", true);
  EXPECT_EQ(find("drive").argv[0], root / "a/drive/drive");
}

TEST_F(FindController, WorksInTheSourceFolderOfAProgramInABuildFolder) {
  write("a/drive/drive.c", "");
  write("build/drive/drive", "#!/bin/sh\n", true);
  const auto launch = find("drive");
  EXPECT_THAT(launch.argv, ElementsAre(root / "build/drive/drive"));
  EXPECT_EQ(launch.working_directory, root / "a/drive");
}

TEST_F(FindController, StartsPythonWithItsLibraryInThePath) {
  write("a/think/think.py", "");
  const auto launch = find("think", {"x"});
  EXPECT_THAT(launch.argv, ElementsAre("python3", "think.py", "x"));
  EXPECT_EQ(launch.working_directory, root / "a/think");
  EXPECT_THAT(launch.environment.at("PYTHONPATH"),
              StartsWith(build_dir() + "/lib/protobeam/python"));
  EXPECT_EQ(launch.environment.at("PYTHONIOENCODING"), "UTF-8");
}

TEST_F(FindController, StartsJavaByTheNameOfItsClass) {
  write("a/think/think.py", "");
  write("a/think/think.jar", "");
  write("a/think/runtime.ini",
        "[java]\nOPTIONS = -Xmx64m -ea\n[environment variables with paths]\nCLASSPATH = "
        "../lib/a.jar\n");
  if (!fs::exists(java_library())) {
    EXPECT_THAT(failure("think"),
                HasSubstr("apt-get install swig default-jdk-headless, and build again"));
    return;
  }
  const std::string library = build_dir() + "/lib/protobeam/java";
  const auto expected = [&](const std::string& classes) {
    return ElementsAre("java", "-Xmx64m", "-ea", "-classpath",
                       library + "/Controller.jar:" + (root / classes).string() + ":" +
                           (root / "a/lib/a.jar").string(),
                       "-Djava.library.path=" + library, "think", "x");
  };
  EXPECT_THAT(find("think", {"x"}).argv, expected("a/think/think.jar"));
  write("a/think/think.class", "");
  EXPECT_THAT(find("think", {"x"}).argv, expected("a/think"));
  write("a/think/think", "#!/bin/sh\n", true);
  EXPECT_THAT(find("think").argv, ElementsAre((root / "a/think/think").string()));
}

TEST_F(FindController, TakesAScriptBeforeAProgramOfABuildFolder) {
  write("a/drive/drive.py", "");
  write("build/drive/drive", "#!/bin/sh\n", true);
  EXPECT_THAT(find("drive").argv, ElementsAre("python3", "drive.py"));
}

TEST_F(FindController, ReadsRuntimeIni) {
  write("a/think/think.py", "");
  write("a/think/runtime.ini",
        "; how to start\n"
        "[environment variables with paths]\n"
        "WEBOTS_LIBRARY_PATH = lib:/opt/lib ; two\n"
        "[environment variables]\n"
        "GREETING = \"hello; you\"\n"
        "[environment variables for Windows]\n"
        "GREETING = no\n"
        "[python]\n"
        "COMMAND = /usr/bin/python3\n"
        "OPTIONS = -O -X utf8\n");
  const auto launch = find("think");
  EXPECT_THAT(launch.argv, ElementsAre("/usr/bin/python3", "-O", "-X", "utf8", "think.py"));
  EXPECT_EQ(launch.environment.at("GREETING"), "hello; you");
  EXPECT_THAT(launch.environment.at("LD_LIBRARY_PATH"),
              StartsWith((root / "a/think/lib").string() + ":/opt/lib"));
}

TEST_F(FindController, ReadsTheKeysOfPythonInSmallLettersToo) {
  write("a/think/think.py", "");
  write("a/think/runtime.ini", "[python]\ncommand = /usr/bin/python3\nOptions = -O\n");
  EXPECT_THAT(find("think").argv, ElementsAre("/usr/bin/python3", "-O", "think.py"));
}

TEST_F(FindController, TakesTheFirstLineOfAPythonScript) {
  const fs::path python =
      fs::exists("/usr/bin/python3") ? "/usr/bin/python3" : "/usr/local/bin/python3";
  write("a/think/think.py", "#!" + python.string() + " -O\r\n");
  EXPECT_THAT(find("think").argv, ElementsAre(python, "-O", "think.py"));
  write("a/think/think.py", "#!/usr/bin/env -S python3 -u\n");
  EXPECT_THAT(find("think").argv, ElementsAre("python3", "-u", "think.py"));
  // What is not there, and what is no Python, does not count.
  for (const char* line :
       {"#!/usr/bin/env python2.4\n", "#!/opt/python/bin/python\n", "#!/bin/sh\n", "#!", ""}) {
    write("a/think/think.py", line);
    EXPECT_THAT(find("think").argv, ElementsAre("python3", "think.py")) << line;
  }
  write("a/think/think.py", "#!/usr/bin/env -S python3 -u\n");
  write("a/think/runtime.ini", "[python]\nCOMMAND = " + python.string() + "\nOPTIONS = -B\n");
  EXPECT_THAT(find("think").argv, ElementsAre(python, "-B", "think.py"));
}

TEST_F(FindController, SaysThatPythonIsMissing) {
  write("a/think/think.py", "");
  write("a/think/runtime.ini", "[environment variables]\nPATH = /nowhere\n");
  EXPECT_EQ(failure("think"),
            (root / "a/think/think.py").string() +
                " needs Python, and there is no 'python3' in PATH; apt-get install "
                "python3, or name one by COMMAND in [python] of " +
                (root / "a/think/runtime.ini").string());
  write("a/think/runtime.ini", "[python]\nCOMMAND = python9\n");
  EXPECT_EQ(failure("think"),
            (root / "a/think/runtime.ini").string() +
                ": COMMAND of [python] is 'python9', which is no program; install it "
                "or name another");
}

TEST_F(FindController, NamesWhatItTried) {
  std::string tried;
  for (const char* place :
       {"/a/drive/drive", "/a/drive/drive.class", "/a/drive/drive.jar", "/a/drive/drive.py",
        "/build/drive/drive", "/b/drive/drive", "/b/drive/drive.class", "/b/drive/drive.jar",
        "/b/drive/drive.py", "/build/drive/drive"}) {
    tried += "\n  " + root.string() + place;
  }
  EXPECT_EQ(failure("drive"), "there is no controller 'drive'; tried" + tried);
}

TEST_F(FindController, SaysHowToBuildASourceFile) {
  write("a/drive/drive.c",
        "#include <webots/robot.h>\n#include <math.h>\n"
        "int main(int argc, char **argv) {\n"
        "  (void)argv; wb_robot_init(); return sqrt(argc) > 0 ? 0 : 1; }\n");
  const std::string message = failure("drive");
  EXPECT_THAT(message, StartsWith("controller 'drive' is not built; build it with: cc "));
  EXPECT_THAT(message, HasSubstr(" -lController"));
  // The command does what it says.
  const std::string command = message.substr(message.find("cc "));
#ifndef PROTOBEAM_SANITIZED
  ASSERT_EQ(std::system(command.c_str()), 0) << command;
  Lines lines;
  ControllerHost host(test_robot(), find("drive"), lines.sink());
  EXPECT_EQ(host.wait(std::chrono::seconds(20)), ControllerState::kFinished);
#endif
  // A shell takes it as it stands.
  write("b/it's (1)/it's (1).c", "");
  EXPECT_THAT(failure("it's (1)"), HasSubstr("b/it'\\''s (1)/it'\\''s (1).c' -I"));
  write("b/turn/turn.cpp", "");
  EXPECT_THAT(failure("turn"), HasSubstr("-lCppController -lController"));
}

TEST_F(FindController, SaysHowToBuildByTheMakefileOfItsProject) {
  // As projects have it whose sources are no one file of that name; the second line is blank for
  // make before 4.3 only.
  write("a/drive/Makefile",
        "space :=\nspace +=\nWEBOTS_HOME_PATH=$(subst $(space),\\ ,$(WEBOTS_HOME))\n"
        "CXX_SOURCES = main.cpp ../shared/legs.cpp\nC_SOURCES = arms.c\nINCLUDE = -I../shared\n"
        "BUILD_EXECUTABLE = true\n"
        "include $(WEBOTS_HOME_PATH)/resources/Makefile.include\n");
  write("a/shared/legs.h", "int legs();\n");
  write("a/shared/legs.cpp", "#include \"legs.h\"\nint legs() { return 2; }\n");
  write("a/drive/arms.c", "#include <webots/robot.h>\nint arms(void) { return 2; }\n");
  write("a/drive/main.cpp",
        "#include <legs.h>\n#include <webots/Robot.hpp>\nextern \"C\" int arms();\n"
        "int main() { return legs() == arms() && sizeof(webots::Robot) > 0 ? 0 : 1; }\n");
  const std::string message = failure("drive");
  EXPECT_THAT(message, StartsWith("controller 'drive' is not built; build it with: make -C " +
                                  (root / "a/drive").string() + " WEBOTS_HOME="));
#ifndef PROTOBEAM_SANITIZED
  const std::string command = message.substr(message.find("make "));
  ASSERT_EQ(std::system((command + " > /dev/null").c_str()), 0) << command;
  Lines lines;
  ControllerHost host(test_robot(), find("drive"), lines.sink());
  EXPECT_EQ(host.wait(std::chrono::seconds(20)), ControllerState::kFinished);
#endif
}

TEST_F(FindController, SaysThatAProgramIsNotExecutable) {
  write("a/drive/drive", "#!/bin/sh\n");
  EXPECT_EQ(failure("drive"),
            (root / "a/drive/drive").string() + " is not executable; chmod +x it");
}

TEST_F(FindController, SaysWhereAForeignProgramIsAtHome) {
  write("a/drive/drive", std::string("\xcf\xfa\xed\xfe", 4) + "code");
  EXPECT_EQ(failure("drive"), (root / "a/drive/drive").string() +
                                  " is a program for macOS; build it on this machine");
  write("a/drive/drive", "MZcode");
  EXPECT_THAT(failure("drive"), HasSubstr("is a program for Windows"));
  std::string arm(
      "\x7f"
      "ELF\2\1\1",
      7);
  arm.resize(18);
  arm += static_cast<char>(183);  // EM_AARCH64
  write("a/drive/drive", arm);
  EXPECT_THAT(failure("drive"), HasSubstr("is a program for another kind of processor"));
}

TEST_F(FindController, RefusesNamesThatArePaths) {
  for (const char* name : {"", "..", "../drive", "/bin/sh"}) {
    EXPECT_THAT(failure(name), HasSubstr("is no name of a controller")) << name;
  }
}

TEST_F(FindController, RunsAPythonProgramAsAProcess) {
  write("a/think/think.py", "import os, sys\nprint(os.environ['WHO'], sys.argv[1], os.getcwd())\n");
  write("a/think/runtime.ini", "[environment variables]\nWHO = me\n");
  Lines lines;
  ControllerHost host(test_robot(), find("think", {"x y"}), lines.sink());
  EXPECT_EQ(host.wait(std::chrono::seconds(20)), ControllerState::kFinished);
  EXPECT_THAT(lines.out(), ElementsAre("me x y " + (root / "a/think").string()));
}

std::optional<std::string> outer(const std::string& name) {
  return name == "HOME" ? std::optional<std::string>("/home/me") : std::nullopt;
}

TEST(RuntimeIni, ExpandsVariablesOfTheFileAndTheEnvironment) {
  const auto ini = parse_runtime_ini(
      "[environment variables]\nBASE = /base\nA = $(BASE)/$(HOME)/$(NONE)/$(open\n"
      "[environment variables with paths]\nP = $(HOME)/x:y:$(NONE):../z\n"
      "[environment variables for Linux]\r\n L = 1 = 2 \r\n",
      "/c/d/runtime.ini", outer);
  EXPECT_EQ(ini.environment.at("A"), "/base//home/me//$(open");
  EXPECT_EQ(ini.environment.at("P"), "/home/me/x:/c/d/y:/c/z");
  EXPECT_EQ(ini.environment.at("L"), "1 = 2");
  EXPECT_EQ(ini.python.command, "");
}

TEST(RuntimeIni, NamesLineAndMistake) {
  const auto failure = [](const char* text) -> std::string {
    try {
      parse_runtime_ini(text, "c/runtime.ini", outer);
    } catch (const std::runtime_error& error) {
      return error.what();
    }
    return "";
  };
  EXPECT_EQ(failure("; x\n\nA = 1\n"), "c/runtime.ini:3: 'A' stands before the first [section]");
  EXPECT_THAT(failure("[enviroment variables]\n"),
              StartsWith("c/runtime.ini:1: unknown section 'enviroment variables'; known are "));
  EXPECT_EQ(failure("[python]\nCOMAND = x\n"),
            "c/runtime.ini:2: unknown key 'COMAND' of [python]; known are COMMAND and OPTIONS");
  EXPECT_EQ(failure("[python]\nCOMMAND\n"), "c/runtime.ini:2: 'COMMAND' is no 'NAME = value'");
  EXPECT_EQ(failure("[python\n"), "c/runtime.ini:1: the section name '[python' has no ']'");
}

}  // namespace
}  // namespace protobeam::link
