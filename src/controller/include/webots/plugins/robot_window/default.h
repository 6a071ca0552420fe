/* What the default robot window shows of a robot's devices. There are no robot windows: these do
   nothing and say so once. */
#ifndef WEBOTS_PLUGINS_ROBOT_WINDOW_DEFAULT_H
#define WEBOTS_PLUGINS_ROBOT_WINDOW_DEFAULT_H

#include <webots/plugins/robot_window/robot_wwi.h>

#ifdef __cplusplus
extern "C" {
#endif

void wbu_default_robot_window_configure(void);
void wbu_default_robot_window_update(void);
void wbu_default_robot_window_set_images_max_size(int max_width, int max_height);

#ifdef __cplusplus
}
#endif

#endif /* WEBOTS_PLUGINS_ROBOT_WINDOW_DEFAULT_H */
