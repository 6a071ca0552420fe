/* Types of the C interface for controllers: source compatible with Webots (R2025a). */
#ifndef WEBOTS_TYPES_H
#define WEBOTS_TYPES_H

#include <math.h> /* INFINITY; programs rely on it to come from here */
#include <stdbool.h>

/* A device of the robot, from 1; 0 is none. */
typedef unsigned short WbDeviceTag;

/* What only the library looks into. */
typedef struct WbImageStructPrivate* WbImageRef;
typedef struct WbMotionStructPrivate* WbMotionRef;
typedef void* WbMutexRef;

/* What supervisors name: a node of the world, a field, a PROTO. */
typedef struct WbNodeStructPrivate* WbNodeRef;
typedef struct WbFieldStructPrivate* WbFieldRef;
typedef struct WbProtoStructPrivate* WbProtoRef;

#define WB_ANGULAR 0 /* WB_ROTATIONAL before R2018b */
typedef enum { WB_ROTATIONAL = 0, WB_LINEAR = 1 } WbJointType;

typedef enum {
  WB_MODE_SIMULATION = 0,
  WB_MODE_CROSS_COMPILATION = 1,
  WB_MODE_REMOTE_CONTROL = 2
} WbRobotMode;

typedef enum {
  WB_EVENT_QUIT = -1,
  WB_EVENT_NO_EVENT = 0,
  WB_EVENT_MOUSE_CLICK = 1,
  WB_EVENT_MOUSE_MOVE = 2,
  WB_EVENT_KEYBOARD = 4,
  WB_EVENT_JOYSTICK_BUTTON = 8,
  WB_EVENT_JOYSTICK_AXIS = 16,
  WB_EVENT_JOYSTICK_POV = 32
} WbUserInputEvent;

/* Marks functions whose use the compiler warns of. */
#ifndef WB_DEPRECATED
#ifdef __GNUC__
#define WB_DEPRECATED __attribute__((deprecated))
#else
#define WB_DEPRECATED
#endif
#endif

#endif /* WEBOTS_TYPES_H */
