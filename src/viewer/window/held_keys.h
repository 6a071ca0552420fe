// The keys that controllers see pressed, as Webots numbers them.
#pragma once

#include <utility>
#include <vector>

namespace protobeam::viewer {

/// Of a key symbol of OSG, without modifiers; 0: Webots has no such key.
int webots_code(int symbol);
/// SHIFT, CONTROL and ALT of OSG's modifier mask, to be added to a code.
int webots_modifiers(unsigned mask);

class HeldKeys {
 public:
  /// `key` says which key of the keyboard it is, `symbol` what it means now ('!' of Shift and 1).
  void press(int key, int symbol);
  void release(int key);
  void release_all();
  /// In the order in which they were pressed.
  std::vector<int> codes(unsigned modifier_mask) const;

 private:
  std::vector<std::pair<int, int>> held_;  ///< key, code
};

}  // namespace protobeam::viewer
