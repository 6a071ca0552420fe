#ifndef WEBOTS_ROBOT_H
#define WEBOTS_ROBOT_H

#include <webots/device.h>
#include <webots/nodes.h>
#include <webots/plugins/robot_window/robot_wwi.h>
#include <webots/types.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Connects to the simulator. Returns 1, or ends the program when no simulator has started it. */
int wb_robot_init(void);
int wb_robot_init_msvc(void); /* the same */
void wb_robot_cleanup(void);

/* Sends all commands and waits for `duration` ms of simulated time; 0 only sends. Returns 0, the
   delay in ms of a robot without synchronization, or -1 when the program is to end. */
int wb_robot_step(int duration);
/* The two halves of wb_robot_step: between them the simulator and the program run at once. */
int wb_robot_step_begin(int duration);
int wb_robot_step_end(void);

double wb_robot_get_time(void);            /* s, simulated */
double wb_robot_get_basic_time_step(void); /* ms */
bool wb_robot_get_synchronization(void);
bool wb_robot_get_supervisor(void);
const char* wb_robot_get_name(void);
const char* wb_robot_get_model(void);
const char* wb_robot_get_custom_data(void);
void wb_robot_set_custom_data(const char* data);
const char* wb_robot_get_project_path(void);
const char* wb_robot_get_world_path(void);
/* The robot as URDF, joints by the names of their motors; `prefix` stands before each name. Valid
 * until the next call. "" when the simulation has ended. */
const char* wb_robot_get_urdf(const char* prefix);

/* The first device of that name; 0 and a warning when there is none. */
WbDeviceTag wb_robot_get_device(const char* name);
int wb_robot_get_number_of_devices(void);
WbDeviceTag wb_robot_get_device_by_index(int index);

/* Always WB_MODE_SIMULATION. */
WbRobotMode wb_robot_get_mode(void);
void wb_robot_set_mode(WbRobotMode mode, const char* argument);

/* Robots have no battery: the value is -1. */
void wb_robot_battery_sensor_enable(int sampling_period);
void wb_robot_battery_sensor_disable(void);
int wb_robot_battery_sensor_get_sampling_period(void);
double wb_robot_battery_sensor_get_value(void);

/* Threads of the controller. */
void wb_robot_task_new(void (*task)(void*), void* parameter);
WbMutexRef wb_robot_mutex_new(void);
void wb_robot_mutex_lock(WbMutexRef mutex);
void wb_robot_mutex_unlock(WbMutexRef mutex);
void wb_robot_mutex_delete(WbMutexRef mutex);

/* Waits `timeout` ms of wall time, not at all below 0, and returns WB_EVENT_NO_EVENT: keys are read in
   steps of the simulation (webots/keyboard.h), and there is neither mouse nor joystick. WB_EVENT_QUIT
   when the program is to end. */
WbUserInputEvent wb_robot_wait_for_user_input_event(WbUserInputEvent type, int timeout);

/* Not supported: says so. */
void wb_robot_pin_to_static_environment(bool pin);

/* Older names. */
const char* wb_robot_get_controller_name(void);
const char* wb_robot_get_data(void);
void wb_robot_set_data(const char* data);

#ifdef __cplusplus
}
#endif

#endif /* WEBOTS_ROBOT_H */
