/* Where releases before R2022b have webots/plugins/robot_window/robot_window.h. */
#ifndef WEBOTS_ROBOT_WINDOW_H
#define WEBOTS_ROBOT_WINDOW_H

#include <webots/plugins/robot_window/robot_window.h>

#endif /* WEBOTS_ROBOT_WINDOW_H */
