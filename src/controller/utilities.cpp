// Functions that need neither robot nor simulator: strings, the system, names of node types.
#include <webots/nodes.h>
#include <webots/utils/string.h>
#include <webots/utils/system.h>

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <string>
#include <string_view>
#include <vector>

namespace {

/// WbNodeType in its order, without the prefix.
constexpr std::string_view kNodeTypes =
    "NO_NODE APPEARANCE BACKGROUND BILLBOARD BOX CAD_SHAPE CAPSULE COLOR CONE COORDINATE "
    "CYLINDER DIRECTIONAL_LIGHT ELEVATION_GRID FOG GROUP IMAGE_TEXTURE INDEXED_FACE_SET "
    "INDEXED_LINE_SET MATERIAL MESH MUSCLE NORMAL PBR_APPEARANCE PLANE POINT_LIGHT "
    "POINT_SET POSE SHAPE SPHERE SPOT_LIGHT TEXTURE_COORDINATE TEXTURE_TRANSFORM "
    "TRANSFORM VIEWPOINT ROBOT ACCELEROMETER ALTIMETER BRAKE CAMERA COMPASS CONNECTOR "
    "DISPLAY DISTANCE_SENSOR EMITTER GPS GYRO INERTIAL_UNIT LED LIDAR LIGHT_SENSOR "
    "LINEAR_MOTOR PEN POSITION_SENSOR PROPELLER RADAR RANGE_FINDER RECEIVER "
    "ROTATIONAL_MOTOR SKIN SPEAKER TOUCH_SENSOR VACUUM_GRIPPER BALL_JOINT "
    "BALL_JOINT_PARAMETERS CHARGER CONTACT_PROPERTIES DAMPING FLUID FOCUS HINGE_JOINT "
    "HINGE_JOINT_PARAMETERS HINGE_2_JOINT IMMERSION_PROPERTIES JOINT_PARAMETERS LENS "
    "LENS_FLARE PHYSICS RECOGNITION SLIDER_JOINT SLOT SOLID SOLID_REFERENCE TRACK "
    "TRACK_WHEEL WORLD_INFO ZOOM MICROPHONE RADIO";
/// Words that are written in capitals in a world, too.
constexpr std::string_view kCapitals = " GPS LED PBR ";

/// "HINGE_2_JOINT" as a world has it: "Hinge2Joint".
std::string name_of(std::string_view type) {
  std::string name;
  while (!type.empty()) {
    const std::size_t end = std::min(type.find('_'), type.size());
    const std::string word(type.substr(0, end));
    const bool capitals = kCapitals.find(" " + word + " ") != kCapitals.npos;
    for (std::size_t i = 0; i < word.size(); ++i) {
      const bool small = i > 0 && !capitals && word[i] >= 'A' && word[i] <= 'Z';
      name += small ? static_cast<char>(word[i] - 'A' + 'a') : word[i];
    }
    type.remove_prefix(std::min(end + 1, type.size()));
  }
  return name;
}

std::vector<std::string> node_names() {
  std::vector<std::string> names;
  for (std::string_view rest = kNodeTypes; !rest.empty();) {
    const std::size_t end = std::min(rest.find(' '), rest.size());
    names.push_back(name_of(rest.substr(0, end)));
    rest.remove_prefix(std::min(end + 1, rest.size()));
  }
  return names;
}

}  // namespace

extern "C" {

char* wbu_string_strsep(char** text, const char* delimiters) {
  if (!text || !*text || !delimiters) return nullptr;
  char* const start = *text;
  for (char* at = start; *at; ++at) {
    const bool escaped = at > start && at[-1] == '\\';
    if (escaped || !std::strchr(delimiters, *at)) continue;
    *at = '\0';
    *text = at + 1;
    return start;
  }
  *text = nullptr;
  return start;
}

char* wbu_string_replace(char* text, const char* before, const char* after) {
  if (!text || !before || !*before) return nullptr;
  const std::string_view replacement = after ? after : "";
  std::string out;
  std::string_view rest = text;
  for (std::size_t at = rest.find(before); at != rest.npos; at = rest.find(before)) {
    out.append(rest.substr(0, at)).append(replacement);
    rest.remove_prefix(at + std::strlen(before));
  }
  out.append(rest);
  return strdup(out.c_str());
}

const char* wbu_system_getenv(const char* variable) {
  return variable ? std::getenv(variable) : nullptr;
}
const char* wbu_system_short_path(const char* path) { return path; }
const char* wbu_system_tmpdir() {
  const char* folder = std::getenv("TMPDIR");
  return folder && *folder ? folder : "/tmp";
}
const char* wbu_system_webots_instance_path(bool refresh) {
  static const char* path = nullptr;
  if (!path || refresh) path = std::getenv("WEBOTS_INSTANCE_PATH");
  return path && *path ? path : nullptr;
}

const char* wb_node_get_name(WbNodeType type) {
  static const std::vector<std::string> names = node_names();
  const bool known = type > WB_NODE_NO_NODE && static_cast<std::size_t>(type) < names.size();
  return known ? names[static_cast<std::size_t>(type)].c_str() : nullptr;
}

}  // extern "C"
