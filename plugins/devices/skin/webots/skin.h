/* A skin is drawn around bones. It is not simulated: there are no bones, and a warning says so
 * once. */
#ifndef WEBOTS_SKIN_H
#define WEBOTS_SKIN_H

#include <webots/types.h>

#ifdef __cplusplus
extern "C" {
#endif

int wb_skin_get_bone_count(WbDeviceTag tag);
const char* wb_skin_get_bone_name(WbDeviceTag tag, int index); /* "" */

/* Axis and angle (rad), or m; in the frame of the bone above, or of the Skin when `absolute`. */
const double* wb_skin_get_bone_orientation(WbDeviceTag tag, int index, bool absolute); /* NULL */
const double* wb_skin_get_bone_position(WbDeviceTag tag, int index, bool absolute);    /* NULL */
void wb_skin_set_bone_orientation(WbDeviceTag tag, int index, const double orientation[4],
                                  bool absolute);
void wb_skin_set_bone_position(WbDeviceTag tag, int index, const double position[3], bool absolute);

#ifdef __cplusplus
}
#endif

#endif /* WEBOTS_SKIN_H */
