// Webots' functions of Speaker. How long a sound or a text lasts is known here: the files are the
// program's.
#include <webots/speaker.h>

#include <algorithm>
#include <array>
#include <cstdio>
#include <cstring>
#include <fstream>
#include <iterator>
#include <map>
#include <optional>
#include <string>
#include <string_view>

#include "controller/device_access.h"

namespace {

using protobeam::controller::Client;

constexpr double kCharactersPerSecond = 15;
constexpr const char* kLanguages[] = {"en-US", "en-UK", "de-DE", "es-ES", "fr-FR", "it-IT"};

struct SpeakerSound {
  double end = 0;  // s
  double pitch = 1;
  bool loop = false;

  bool playing(double now) const { return loop || now < end; }
};

struct SpeakerState {
  std::map<std::string, SpeakerSound> sounds;
  double speech_end = 0;  // s
  std::string engine = "pico", language = "en-US";
};

struct SpeakerAccess : protobeam::controller::Access {
  SpeakerAccess(const char* function, WbDeviceTag tag) : Access(function, tag, {"Speaker"}) {}
  SpeakerState& kept() const {
    return state<SpeakerState>([] { return SpeakerState(); });
  }
  double now() const { return Client::get().time(); }
};

std::uint32_t little_endian(const unsigned char* bytes, int count) {
  std::uint32_t value = 0;
  for (int i = count - 1; i >= 0; --i) value = value << 8 | bytes[i];
  return value;
}

/// s at its own pitch; none when it is no WAV file.
std::optional<double> duration_of(const char* name) {
  std::ifstream file(name, std::ios::binary);
  std::array<unsigned char, 12> head{};
  const auto read = [&](std::size_t count) {
    return static_cast<bool>(
        file.read(reinterpret_cast<char*>(head.data()), static_cast<std::streamsize>(count)));
  };
  if (!read(12) || std::memcmp(head.data(), "RIFF", 4) != 0 ||
      std::memcmp(head.data() + 8, "WAVE", 4) != 0) {
    return std::nullopt;
  }
  double bytes_per_second = 0;
  // Chunks of four letters, a size and so many bytes, padded to an even number.
  while (read(8)) {
    const std::uint32_t size = little_endian(head.data() + 4, 4);
    if (std::memcmp(head.data(), "data", 4) == 0) {
      return bytes_per_second > 0 ? std::optional(size / bytes_per_second) : std::nullopt;
    }
    std::uint32_t taken = 0;
    if (std::memcmp(head.data(), "fmt ", 4) == 0 && size >= 12) {
      if (!read(12)) return std::nullopt;
      taken = 12;
      bytes_per_second = little_endian(head.data() + 8, 4);
    }
    file.seekg(static_cast<std::streamoff>(size - taken) + (size & 1), std::ios::cur);
  }
  return std::nullopt;
}

/// As Webots: with a warning, the nearest number that there is.
double nearest(const char* function, const char* name, double value, double least, double most) {
  if (!(value < least || value > most)) return value;  // not a number: the command is refused
  const double used = std::clamp(value, least, most);
  std::fprintf(stderr, "Warning: %s() called with a %s of %g; it is set to %g\n", function, name,
               value, used);
  return used;
}

void play(const char* function, WbDeviceTag tag, const char* sound, double volume, double pitch,
          double balance, bool loop, int side) {
  if (tag == 0 || volume == 0) return;
  const SpeakerAccess speaker(function, tag);
  if (!speaker) return;
  SpeakerSound& known = speaker.kept().sounds[sound];
  const double now = speaker.now();
  double rest = (known.end - now) * known.pitch;  // s, at its own pitch
  if (!known.playing(now)) {
    const auto duration = duration_of(sound);
    if (!duration) {
      speaker.kept().sounds.erase(sound);
      return speaker.complain(
          std::string("cannot read '")
              .append(sound)
              .append("' as a WAV file; its path counts from the controller's folder"));
    }
    rest = *duration;
  } else if (known.loop && !loop) {
    rest = duration_of(sound).value_or(0);  // to the end of a last round
  }
  if (!speaker.command(
          "play", {volume, pitch, balance, loop ? 1.0 : 0.0, static_cast<double>(side)}, sound)) {
    return;
  }
  known = {now + rest / pitch, pitch, loop};
}

}  // namespace

extern "C" {

void wb_speaker_play_sound(WbDeviceTag left, WbDeviceTag right, const char* sound, double volume,
                           double pitch, double balance, bool loop) {
  if (!sound || !*sound) return protobeam::controller::complain(__func__, "called without a sound");
  if (left == 0 && right == 0) {
    return protobeam::controller::complain(__func__, "called without a speaker");
  }
  volume = nearest(__func__, "volume", volume, 0, 1);
  balance = nearest(__func__, "balance", balance, -1, 1);
  if (left == right) return play(__func__, left, sound, volume, pitch, balance, loop, 0);
  play(__func__, left, sound, volume * (1 - std::max(balance, 0.0)), pitch, 0, loop, -1);
  play(__func__, right, sound, volume * (1 + std::min(balance, 0.0)), pitch, 0, loop, 1);
}

void wb_speaker_stop(WbDeviceTag tag, const char* sound) {
  const SpeakerAccess speaker(__func__, tag);
  if (!speaker || !speaker.command("stop", {}, sound ? sound : "")) return;
  if (sound && *sound) {
    speaker.kept().sounds.erase(sound);
  } else {
    speaker.kept().sounds.clear();
    speaker.kept().speech_end = 0;
  }
}

bool wb_speaker_is_sound_playing(WbDeviceTag tag, const char* sound) {
  const SpeakerAccess speaker(__func__, tag);
  if (!speaker) return false;
  const SpeakerState& state = speaker.kept();
  const double now = speaker.now();
  if (!sound || !*sound) {
    return now < state.speech_end ||
           std::any_of(state.sounds.begin(), state.sounds.end(),
                       [&](const auto& known) { return known.second.playing(now); });
  }
  const auto known = state.sounds.find(sound);
  return known != state.sounds.end() && known->second.playing(now);
}

bool wb_speaker_set_engine(WbDeviceTag tag, const char* engine) {
  const SpeakerAccess speaker(__func__, tag);
  if (!speaker) return false;
  if (engine && engine == std::string_view("pico")) return true;
  speaker.complain("knows the engine \"pico\" only");
  return false;
}

bool wb_speaker_set_language(WbDeviceTag tag, const char* language) {
  const SpeakerAccess speaker(__func__, tag);
  if (!speaker) return false;
  const bool known = language && std::find(std::begin(kLanguages), std::end(kLanguages),
                                           std::string_view(language)) != std::end(kLanguages);
  if (known) {
    speaker.kept().language = language;
  } else {
    speaker.complain("knows the languages en-US, en-UK, de-DE, es-ES, fr-FR and it-IT");
  }
  return known;
}

const char* wb_speaker_get_engine(WbDeviceTag tag) {
  const SpeakerAccess speaker(__func__, tag);
  return speaker ? speaker.kept().engine.c_str() : "";
}
const char* wb_speaker_get_language(WbDeviceTag tag) {
  const SpeakerAccess speaker(__func__, tag);
  return speaker ? speaker.kept().language.c_str() : "";
}

void wb_speaker_speak(WbDeviceTag tag, const char* text, double volume) {
  const SpeakerAccess speaker(__func__, tag);
  if (!speaker) return;
  if (!text) return speaker.complain("called with NULL");
  SpeakerState& state = speaker.kept();
  volume = nearest(__func__, "volume", volume, 0, 1);
  if (!speaker.command("speak", {volume}, state.language + " " + text)) return;
  state.speech_end = speaker.now() + static_cast<double>(std::strlen(text)) / kCharactersPerSecond;
}

bool wb_speaker_is_speaking(WbDeviceTag tag) {
  const SpeakerAccess speaker(__func__, tag);
  return speaker && speaker.now() < speaker.kept().speech_end;
}

}  // extern "C"
