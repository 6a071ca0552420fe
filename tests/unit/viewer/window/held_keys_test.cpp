#include "viewer/window/held_keys.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <webots/keyboard.h>

#include <osgGA/GUIEventAdapter>

namespace protobeam::viewer {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;
using Symbol = osgGA::GUIEventAdapter;

TEST(WebotsCode, NamedKeysAreThoseOfTheControllersHeader) {
  EXPECT_EQ(webots_code(Symbol::KEY_Left), WB_KEYBOARD_LEFT);
  EXPECT_EQ(webots_code(Symbol::KEY_Up), WB_KEYBOARD_UP);
  EXPECT_EQ(webots_code(Symbol::KEY_Right), WB_KEYBOARD_RIGHT);
  EXPECT_EQ(webots_code(Symbol::KEY_Down), WB_KEYBOARD_DOWN);
  EXPECT_EQ(webots_code(Symbol::KEY_Home), WB_KEYBOARD_HOME);
  EXPECT_EQ(webots_code(Symbol::KEY_End), WB_KEYBOARD_END);
  EXPECT_EQ(webots_code(Symbol::KEY_Page_Up), WB_KEYBOARD_PAGEUP);
  EXPECT_EQ(webots_code(Symbol::KEY_Page_Down), WB_KEYBOARD_PAGEDOWN);
  EXPECT_EQ(webots_code(Symbol::KEY_KP_Home), WB_KEYBOARD_NUMPAD_HOME);
  EXPECT_EQ(webots_code(Symbol::KEY_KP_Left), WB_KEYBOARD_NUMPAD_LEFT);
  EXPECT_EQ(webots_code(Symbol::KEY_KP_Up), WB_KEYBOARD_NUMPAD_UP);
  EXPECT_EQ(webots_code(Symbol::KEY_KP_Right), WB_KEYBOARD_NUMPAD_RIGHT);
  EXPECT_EQ(webots_code(Symbol::KEY_KP_Down), WB_KEYBOARD_NUMPAD_DOWN);
  EXPECT_EQ(webots_code(Symbol::KEY_KP_Page_Up), WB_KEYBOARD_NUMPAD_PAGEUP);
  EXPECT_EQ(webots_code(Symbol::KEY_KP_Page_Down), WB_KEYBOARD_NUMPAD_PAGEDOWN);
  EXPECT_EQ(webots_code(Symbol::KEY_KP_End), WB_KEYBOARD_NUMPAD_END);
}

TEST(WebotsCode, LettersAreUpperCaseAsciiAndSignsThemselves) {
  EXPECT_EQ(webots_code('a'), 'A');
  EXPECT_EQ(webots_code('Z'), 'Z');
  EXPECT_EQ(webots_code('7'), '7');
  EXPECT_EQ(webots_code('!'), '!');
  EXPECT_EQ(webots_code(' '), ' ');
  EXPECT_EQ(webots_code(0xe4), 0xc4);  // a and A with dots in Latin 1
}

TEST(WebotsCode, ModifiersAndControlCharactersAreNoKeys) {
  for (const int symbol : {int{Symbol::KEY_Shift_L}, int{Symbol::KEY_Alt_R}, int{Symbol::KEY_F1},
                           int{Symbol::KEY_Caps_Lock}, 1, 0x1f, 0x7f, 0}) {
    EXPECT_EQ(webots_code(symbol), 0) << symbol;
  }
}

TEST(HeldKeys, SeveralAreHeldInTheOrderOfTheirPresses) {
  HeldKeys keys;
  keys.press(Symbol::KEY_Up, Symbol::KEY_Up);
  keys.press('a', 'a');
  keys.press(Symbol::KEY_Up, Symbol::KEY_Up);  // repeated by X
  EXPECT_THAT(keys.codes(0), ElementsAre(WB_KEYBOARD_UP, 'A'));
  keys.release(Symbol::KEY_Up);
  EXPECT_THAT(keys.codes(0), ElementsAre('A'));
  keys.release_all();
  EXPECT_THAT(keys.codes(0), IsEmpty());
}

TEST(HeldKeys, ModifiersAreAddedToEveryKey) {
  HeldKeys keys;
  keys.press('w', 'w');
  keys.press(Symbol::KEY_Left, Symbol::KEY_Left);
  EXPECT_THAT(keys.codes(Symbol::MODKEY_LEFT_SHIFT),
              ElementsAre('W' + WB_KEYBOARD_SHIFT, WB_KEYBOARD_LEFT + WB_KEYBOARD_SHIFT));
  EXPECT_THAT(keys.codes(Symbol::MODKEY_RIGHT_CTRL | Symbol::MODKEY_LEFT_ALT),
              ElementsAre('W' + WB_KEYBOARD_CONTROL + WB_KEYBOARD_ALT,
                          WB_KEYBOARD_LEFT + WB_KEYBOARD_CONTROL + WB_KEYBOARD_ALT));
  EXPECT_THAT(keys.codes(Symbol::MODKEY_NUM_LOCK | Symbol::MODKEY_CAPS_LOCK),
              ElementsAre('W', WB_KEYBOARD_LEFT));
}

TEST(HeldKeys, CtrlAndALetterIsThatLetter) {
  HeldKeys keys;
  constexpr int kControlW = 'w' - 'a' + 1;
  keys.press('w', kControlW);
  EXPECT_THAT(keys.codes(Symbol::MODKEY_LEFT_CTRL), ElementsAre('W' + WB_KEYBOARD_CONTROL));
}

TEST(HeldKeys, AKeyIsLetGoEvenWhenShiftWasBefore) {
  HeldKeys keys;
  keys.press('3', '#');
  EXPECT_THAT(keys.codes(Symbol::MODKEY_LEFT_SHIFT), ElementsAre('#' + WB_KEYBOARD_SHIFT));
  keys.release('3');
  EXPECT_THAT(keys.codes(0), IsEmpty());
}

}  // namespace
}  // namespace protobeam::viewer
