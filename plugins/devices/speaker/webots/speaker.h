/* A loudspeaker. It is not heard: `protobeam run --out DIR` writes down when it played and said
 * what. */
#ifndef WEBOTS_SPEAKER_H
#define WEBOTS_SPEAKER_H

#include <webots/types.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Plays a WAV file, looked for from the program's folder, once or in a loop; its left and right
   channel by two speakers, of which one may be 0, or both the same. Called again for a sound that
   is playing it changes volume (0 to 1), pitch (factor, above 0), balance (-1: left only, 1: right
   only), loop. */
void wb_speaker_play_sound(WbDeviceTag left, WbDeviceTag right, const char* sound, double volume,
                           double pitch, double balance, bool loop);
void wb_speaker_stop(WbDeviceTag tag, const char* sound); /* NULL: all */
/* Until its end in simulated time. NULL or "": any sound or text. */
bool wb_speaker_is_sound_playing(WbDeviceTag tag, const char* sound);

/* "pico", or "microsoft", which there is on Windows only. False when it cannot be set. */
bool wb_speaker_set_engine(WbDeviceTag tag, const char* engine);
/* "en-US", "en-UK", "de-DE", "es-ES", "fr-FR" or "it-IT". False for others. */
bool wb_speaker_set_language(WbDeviceTag tag, const char* language);
const char* wb_speaker_get_engine(WbDeviceTag tag);
const char* wb_speaker_get_language(WbDeviceTag tag);
/* Text may have tags of SSML. A new one ends the one before. */
void wb_speaker_speak(WbDeviceTag tag, const char* text, double volume);
/* For as long as it takes to say the text, at 15 characters a second of simulated time. */
bool wb_speaker_is_speaking(WbDeviceTag tag);

#ifdef __cplusplus
}
#endif

#endif /* WEBOTS_SPEAKER_H */
