#ifndef WEBOTS_MOUSE_STATE_H
#define WEBOTS_MOUSE_STATE_H

#include <webots/types.h>

typedef struct {
  double u, v;    /* in the window, 0 to 1 from the upper left corner; NaN outside */
  double x, y, z; /* m, the place in the world below the pointer; NaN where there is none */
  bool left, middle, right; /* pressed */
} WbMouseState;

#endif /* WEBOTS_MOUSE_STATE_H */
