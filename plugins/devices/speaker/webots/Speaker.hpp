#ifndef WEBOTS_SPEAKER_HPP
#define WEBOTS_SPEAKER_HPP

#include <webots/speaker.h>

#include <string>
#include <webots/Device.hpp>

namespace webots {

class Speaker : public Device {
 public:
  using Device::Device;

  /// Null for one of the two: its channel is not played.
  static void playSound(Speaker* left, Speaker* right, const std::string& sound, double volume,
                        double pitch, double balance, bool loop) {
    wb_speaker_play_sound(left ? left->tag() : 0, right ? right->tag() : 0, sound.c_str(), volume,
                          pitch, balance, loop);
  }
  void stop(const std::string& sound) {  // "": all
    wb_speaker_stop(tag(), sound.empty() ? nullptr : sound.c_str());
  }
  bool isSoundPlaying(const std::string& sound) const {
    return wb_speaker_is_sound_playing(tag(), sound.c_str());
  }

  bool setEngine(const std::string& engine) { return wb_speaker_set_engine(tag(), engine.c_str()); }
  bool setLanguage(const std::string& language) {
    return wb_speaker_set_language(tag(), language.c_str());
  }
  std::string getEngine() { return wb_speaker_get_engine(tag()); }
  std::string getLanguage() { return wb_speaker_get_language(tag()); }
  void speak(const std::string& text, double volume) {
    wb_speaker_speak(tag(), text.c_str(), volume);
  }
  bool isSpeaking() const { return wb_speaker_is_speaking(tag()); }
};

}  // namespace webots

#endif  // WEBOTS_SPEAKER_HPP
