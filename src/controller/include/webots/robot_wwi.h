/* Where releases before R2022b have webots/plugins/robot_window/robot_wwi.h. */
#ifndef WEBOTS_ROBOT_WWI_H
#define WEBOTS_ROBOT_WWI_H

#include <webots/plugins/robot_window/robot_wwi.h>

#endif /* WEBOTS_ROBOT_WWI_H */
