#include "viewer/window/held_keys.h"

#include <algorithm>
#include <osgGA/GUIEventAdapter>

namespace protobeam::viewer {
namespace {

using Symbol = osgGA::GUIEventAdapter;

// Named keys: WB_KEYBOARD_* of the reference of Webots' Keyboard. The others are what Qt's codes
// leave in 16 bits, which is what Webots hands to controllers (WbRobot::keyPressed).
constexpr std::pair<int, int> kSpecialKeys[] = {
    {Symbol::KEY_End, 312},         {Symbol::KEY_Home, 313},        {Symbol::KEY_Left, 314},
    {Symbol::KEY_Up, 315},          {Symbol::KEY_Right, 316},       {Symbol::KEY_Down, 317},
    {Symbol::KEY_Page_Up, 366},     {Symbol::KEY_Page_Down, 367},   {Symbol::KEY_KP_Home, 375},
    {Symbol::KEY_KP_Left, 376},     {Symbol::KEY_KP_Up, 377},       {Symbol::KEY_KP_Right, 378},
    {Symbol::KEY_KP_Down, 379},     {Symbol::KEY_KP_Page_Up, 380},  {Symbol::KEY_KP_Page_Down, 381},
    {Symbol::KEY_KP_End, 382},      {Symbol::KEY_BackSpace, 3},     {Symbol::KEY_Return, 4},
    {Symbol::KEY_KP_Enter, 5},      {Symbol::KEY_Delete, 7},        {Symbol::KEY_KP_Add, '+'},
    {Symbol::KEY_KP_Subtract, '-'}, {Symbol::KEY_KP_Multiply, '*'}, {Symbol::KEY_KP_Divide, '/'},
};

constexpr int kShift = 1 << 16, kControl = 1 << 17, kAlt = 1 << 18;

}  // namespace

int webots_code(int symbol) {
  for (const auto& [key, code] : kSpecialKeys) {
    if (key == symbol) return code;
  }
  if (symbol >= 'a' && symbol <= 'z') return symbol - 'a' + 'A';
  // Latin 1: the small letters of its upper half, but for the division sign and y with dots.
  if (symbol >= 0xe0 && symbol <= 0xfe && symbol != 0xf7) return symbol - 0x20;
  const bool printable = (symbol >= 0x20 && symbol < 0x7f) || (symbol >= 0xa0 && symbol <= 0xff);
  return printable ? symbol : 0;
}

int webots_modifiers(unsigned mask) {
  return (mask & Symbol::MODKEY_SHIFT ? kShift : 0) | (mask & Symbol::MODKEY_CTRL ? kControl : 0) |
         (mask & Symbol::MODKEY_ALT ? kAlt : 0);
}

void HeldKeys::press(int key, int symbol) {
  // With Ctrl a letter's symbol is a control character; the key itself still says which letter.
  int code = webots_code(symbol);
  if (code == 0) code = webots_code(key);
  const bool held = std::any_of(held_.begin(), held_.end(),
                                [&](const auto& other) { return other.first == key; });
  if (code != 0 && !held) held_.emplace_back(key, code);
}

void HeldKeys::release(int key) {
  std::erase_if(held_, [&](const auto& other) { return other.first == key; });
}

void HeldKeys::release_all() { held_.clear(); }

std::vector<int> HeldKeys::codes(unsigned modifier_mask) const {
  std::vector<int> codes;
  for (const auto& [key, code] : held_) {
    const int with_modifiers = code | webots_modifiers(modifier_mask);
    if (std::find(codes.begin(), codes.end(), with_modifiers) == codes.end()) {
      codes.push_back(with_modifiers);
    }
  }
  return codes;
}

}  // namespace protobeam::viewer
