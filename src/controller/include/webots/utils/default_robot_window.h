/* Where releases before R2022b have webots/plugins/robot_window/default.h. */
#ifndef WEBOTS_UTILS_DEFAULT_ROBOT_WINDOW_H
#define WEBOTS_UTILS_DEFAULT_ROBOT_WINDOW_H

#include <webots/plugins/robot_window/default.h>

#endif /* WEBOTS_UTILS_DEFAULT_ROBOT_WINDOW_H */
