#include "viewer/overlay/keys.h"

#include <osgGA/GUIEventAdapter>

namespace protobeam::viewer {
namespace {

using Symbol = osgGA::GUIEventAdapter;

constexpr char kRun[] = "Simulation";
constexpr char kCamera[] = "Camera and selection";
constexpr char kCloud[] = "Point clouds";
constexpr char kShow[] = "Show or hide";
constexpr char kWindow[] = "Window";
constexpr char kControllers[] = "Controllers' keyboards";
constexpr char kMouse[] = "Mouse";

constexpr Key kKeys[] = {
    {Symbol::KEY_Space, "Space", Action::kPause, 0, false, kRun, "pause, go on"},
    {'.', ".", Action::kStep, 0, true, kRun, "one step"},
    {'1', "1", Action::kSpeed, 1, false, kRun, "once, twice, five times real time"},
    {'2', "2", Action::kSpeed, 2, false, kRun, "once, twice, five times real time"},
    {'5', "5", Action::kSpeed, 5, false, kRun, "once, twice, five times real time"},
    {'0', "0", Action::kSpeed, 0, false, kRun, "as fast as it can"},
    {'r', "R", Action::kReload, 0, false, kRun, "load the world again"},

    {Symbol::KEY_Home, "Home", Action::kHome, 0, false, kCamera, "back to the start"},
    {'+', "+", Action::kZoom, 0.9, true, kCamera, "nearer"},
    {'=', "=", Action::kZoom, 0.9, true, kCamera, "nearer"},
    {'-', "-", Action::kZoom, 1 / 0.9, true, kCamera, "farther"},
    {'f', "F", Action::kFollow, 0, false, kCamera, "follow the selection, stop following"},
    {Symbol::KEY_Escape, "Esc", Action::kDeselect, 0, false, kCamera,
     "select nothing, hide mistakes"},

    {'l', "L", Action::kClouds, 0, false, kCloud, "clouds"},
    {'c', "C", Action::kColor, 0, false, kCloud, "next colouring"},
    {'[', "[", Action::kPointSize, -1, true, kCloud, "smaller, larger points"},
    {']', "]", Action::kPointSize, 1, true, kCloud, "smaller, larger points"},
    {';', ";", Action::kPastSweeps, -1, true, kCloud, "fewer, more past sweeps"},
    {'\'', "'", Action::kPastSweeps, 1, true, kCloud, "fewer, more past sweeps"},
    {'b', "B", Action::kBeams, 0, false, kCloud, "beams"},

    {'w', "W", Action::kWireframe, 0, false, kShow, "bounding objects"},
    {'x', "X", Action::kFrames, 0, false, kShow, "frames of bodies and devices"},
    {'j', "J", Action::kJoints, 0, false, kShow, "joint axes"},
    {'k', "K", Action::kContacts, 0, false, kShow, "contacts"},
    {'t', "T", Action::kTrails, 0, false, kShow, "trails of robots"},
    {'v', "V", Action::kFrusta, 0, false, kShow, "what cameras see"},

    {'p', "P", Action::kScreenshot, 0, false, kWindow, "save a picture"},
    {'h', "H", Action::kHelp, 0, false, kWindow, "this help"},

    {Symbol::KEY_Tab, "Tab", Action::kKeysToControllers, 0, false, kControllers,
     "get all keys, or no longer"},
};

const HelpRow kFurtherRows[] = {
    {kWindow, "Ctrl+Q", "close"},
    {kControllers, "Arrows, others", "always go there"},
    {kMouse, "Left drag", "rotate about the centre"},
    {kMouse, "Right drag", "move sideways"},
    {kMouse, "Shift+left drag", "move sideways"},
    {kMouse, "Wheel", "nearer, farther"},
    {kMouse, "Click", "select"},
    {kMouse, "Double click", "look at this point"},
};

}  // namespace

std::span<const Key> key_table() { return kKeys; }

const Key* find_key(int symbol) {
  if (symbol >= 'A' && symbol <= 'Z') symbol += 'a' - 'A';
  if (symbol == Symbol::KEY_KP_Add) symbol = '+';
  if (symbol == Symbol::KEY_KP_Subtract) symbol = '-';
  for (const Key& key : kKeys) {
    if (key.symbol == symbol) return &key;
  }
  return nullptr;
}

std::vector<HelpRow> help_rows() {
  std::vector<HelpRow> rows;
  for (const Key& key : kKeys) {
    if (!rows.empty() && rows.back().group == key.group && rows.back().help == key.help) {
      rows.back().keys += std::string("  ") + key.name;
    } else {
      rows.push_back({key.group, key.name, key.help});
    }
  }
  rows.insert(rows.end(), std::begin(kFurtherRows), std::end(kFurtherRows));
  return rows;
}

}  // namespace protobeam::viewer
