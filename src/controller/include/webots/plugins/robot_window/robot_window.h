/* A robot window that is a library; there are none. */
#ifndef WEBOTS_PLUGINS_ROBOT_WINDOW_ROBOT_WINDOW_H
#define WEBOTS_PLUGINS_ROBOT_WINDOW_ROBOT_WINDOW_H

#ifdef __cplusplus
extern "C" {
#endif

/* Returns NULL and says once that there is no robot window. */
void* wb_robot_window_custom_function(void* argument);

#ifdef __cplusplus
}
#endif

#endif /* WEBOTS_PLUGINS_ROBOT_WINDOW_ROBOT_WINDOW_H */
