#include "app/new_command.h"

#include <algorithm>
#include <fstream>
#include <iterator>
#include <optional>
#include <stdexcept>
#include <system_error>
#include <vector>

#include "link/interpreters.h"

namespace protobeam {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view kPlaceholder = "@NAME@";

struct Plan {
  fs::path skeleton;     ///< folder whose files are copied
  fs::path folder;       ///< where they go
  fs::path must_be_new;  ///< folder or file
  std::string next;      ///< what to do then; @NAME@ is replaced
};

bool is_name(const std::string& name) {
  const auto letter = [](char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); };
  const auto other = [](char c) { return (c >= '0' && c <= '9') || c == '_'; };
  return !name.empty() && letter(name.front()) &&
         std::all_of(name.begin(), name.end(), [&](char c) { return letter(c) || other(c); });
}

std::string replaced(std::string text, const std::string& name) {
  for (std::size_t at = text.find(kPlaceholder); at != std::string::npos;
       at = text.find(kPlaceholder, at + name.size())) {
    text.replace(at, kPlaceholder.size(), name);
  }
  return text;
}

/// The line that builds a folder outside the tree; inside, `./protobeam run` builds what is new.
std::string build_line(const fs::path& folder, bool inside_tree) {
  if (inside_tree) return "";
  const std::string place = folder.string(), build = (folder / "build").string();
  return "build  cmake -S " + place + " -B " + build + " && cmake --build " + build +
         "\n       (with -Dprotobeam_DIR=<its build folder> when Protobeam is not installed)\n";
}

std::string run_line(const fs::path& world, bool inside_tree) {
  return std::string("run    ") + (inside_tree ? "./" : "") + "protobeam run " + world.string() +
         "\n";
}

std::optional<Plan> plan_for(std::string_view kind, const std::string& name, const fs::path& target,
                             const fs::path& skeletons, bool inside_tree) {
  if (kind == "device") {
    const fs::path folder = inside_tree ? target / "plugins" / "devices" / name : target / name;
    const std::string plugins = (folder / "plugins").string();
    const std::string find = "find   its worlds find it in " + plugins +
                             "; for others export PROTOBEAM_PLUGIN_PATH=" + plugins + "\n";
    return Plan{skeletons / "device", folder, folder,
                "edit   " + (folder / (name + ".cpp")).string() + "\n" +
                    build_line(folder, inside_tree) + (inside_tree ? "" : find) +
                    run_line(folder / "worlds" / (name + ".wbt"), inside_tree)};
  }
  if (kind == "controller" || kind == "controller_c" || kind == "controller_cpp" ||
      kind == "controller_java" || kind == "controller_python") {
    const fs::path folder = target / "controllers" / name;
    const std::string use =
        "use    Robot { controller \"" + name + "\" } in a world of the project\n";
    const std::string build = kind == "controller_python" ? ""
                              : kind == "controller_java"
                                  ? "build  " + link::java_build_command(folder) + "\n"
                                  : build_line(folder, inside_tree);
    return Plan{skeletons / (kind == "controller" ? "controller_c" : kind), folder, folder,
                build + use};
  }
  if (kind == "world") {
    const fs::path folder = target / "worlds", world = folder / (name + ".wbt");
    return Plan{skeletons / "world", folder, world, run_line(world, inside_tree)};
  }
  if (kind == "project") {
    const fs::path folder = target / name;
    return Plan{
        skeletons / "project", folder, folder,
        build_line(folder, false) + run_line(folder / "worlds" / (name + ".wbt"), inside_tree)};
  }
  return std::nullopt;
}

std::string read_text(const fs::path& file) {
  std::ifstream in(file, std::ios::binary);
  std::string text{std::istreambuf_iterator<char>(in), {}};
  if (!in) throw std::runtime_error("cannot read '" + file.string() + "'");
  return text;
}

void write_text(const fs::path& file, const std::string& text) {
  fs::create_directories(file.parent_path());
  std::ofstream out(file, std::ios::binary);
  out << text;
  out.close();
  if (!out) throw std::runtime_error("cannot write '" + file.string() + "'");
}

/// Files of the skeleton, relative to it, in a fixed order.
std::vector<fs::path> files_below(const fs::path& skeleton) {
  std::vector<fs::path> files;
  for (const auto& entry : fs::recursive_directory_iterator(skeleton)) {
    if (entry.is_regular_file()) files.push_back(fs::relative(entry.path(), skeleton));
  }
  std::sort(files.begin(), files.end());
  return files;
}

}  // namespace

int new_command(std::string_view kind, const std::string& wanted_name, const fs::path& target_dir,
                const fs::path& skeleton_dir, bool inside_tree, std::string& message,
                const SchemaRegistry* schemas) {
  std::string name = wanted_name;
  if (kind == "device" && !name.empty() && name[0] >= 'a' && name[0] <= 'z') {
    name[0] = static_cast<char>(name[0] - 'a' + 'A');
  }
  const auto plan = plan_for(kind, name, target_dir, skeleton_dir, inside_tree);
  if (!plan) {
    message = "there is no skeleton of a '" + std::string(kind) +
              "': new device, controller (controller_c, controller_cpp, controller_java, "
              "controller_python), world "
              "or project";
    return 2;
  }
  if (!is_name(name)) {
    message = "'" + name + "' cannot be the name of a " + std::string(kind) +
              ": it is made of letters, digits and _ and begins with a letter";
    return 1;
  }
  if (kind == "device" && schemas && schemas->find(name)) {
    message = "there is a node type '" + name + "' already; choose another name";
    return 1;
  }
  if (fs::exists(fs::symlink_status(plan->must_be_new))) {
    message = plan->must_be_new.string() + " exists already; nothing was written";
    return 1;
  }
  try {
    message = "made\n";
    for (const fs::path& file : files_below(plan->skeleton)) {
      const fs::path to = plan->folder / replaced(file.string(), name);
      write_text(to, replaced(read_text(plan->skeleton / file), name));
      message += "  " + to.string() + "\n";
    }
  } catch (const std::exception& error) {
    message = error.what();
    return 1;
  }
  message += plan->next;
  return 0;
}

}  // namespace protobeam
