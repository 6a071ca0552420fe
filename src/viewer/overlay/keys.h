// What the viewer's keys do: one table for the window that obeys them, for the help on the screen
// and for the documentation.
#pragma once

#include <span>
#include <string>
#include <vector>

namespace protobeam::viewer {

enum class Action {
  kPause,
  kStep,
  kSpeed,  ///< to Key::value; 0: as fast as it can
  kReload,
  kHome,
  kZoom,  ///< distance times Key::value
  kFollow,
  kDeselect,
  kClouds,
  kColor,
  kPointSize,   ///< by Key::value pixels
  kPastSweeps,  ///< by Key::value sweeps
  kBeams,
  kFrusta,
  kFrames,
  kWireframe,
  kJoints,
  kContacts,
  kTrails,
  kScreenshot,
  kKeysToControllers,
  kHelp,
};

struct Key {
  int symbol;  ///< as osgGA numbers keys: letters are lower-case ASCII
  const char* name;
  Action action;
  double value;
  bool repeats;  ///< acts again and again while it is held
  const char* group;
  const char* help;
};
std::span<const Key> key_table();
/// The entry of a pressed key, or null. Keys of the number pad count as those that they copy.
const Key* find_key(int symbol);

/// A line of the help: keys that do the same share one. The mouse comes last.
struct HelpRow {
  std::string group, keys, help;
};
std::vector<HelpRow> help_rows();

}  // namespace protobeam::viewer
