/* A pen paints on textured Shapes. Painting is not simulated: a warning says so once. */
#ifndef WEBOTS_PEN_H
#define WEBOTS_PEN_H

#include <webots/types.h>

#ifdef __cplusplus
extern "C" {
#endif

void wb_pen_write(WbDeviceTag tag, bool write);
/* 0xRRGGBB; density from 0 (nothing) to 1 (opaque). */
void wb_pen_set_ink_color(WbDeviceTag tag, int color, double density);

#ifdef __cplusplus
}
#endif

#endif /* WEBOTS_PEN_H */
