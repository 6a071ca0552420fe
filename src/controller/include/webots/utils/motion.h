/* Motions from files: positions of motors over time.
 *
 *   #WEBOTS_MOTION,V1.0,LShoulder,RShoulder
 *   00:00:000,Pose1,0.1,0
 *   00:01:500,Pose2,*,0.5
 *
 * A line holds a time (minutes:seconds:milliseconds, of which the first ones may be left out; it
 * grows from line to line), a name, and for each motor of the first line a position (rad or m);
 * between two lines it is interpolated, and where one of them has a * the motor is left alone.
 */
#ifndef WEBOTS_UTILS_MOTION_H
#define WEBOTS_UTILS_MOTION_H

#include <webots/types.h>

#ifdef __cplusplus
extern "C" {
#endif

/* NULL after a message that names the line of what is wrong. Motors that the robot does not have
   are left out with a warning. */
WbMotionRef wbu_motion_new(const char* filename);
void wbu_motion_delete(WbMotionRef motion);

/* From where it is, or from the other end when it has reached one; wb_robot_step() plays it. */
void wbu_motion_play(WbMotionRef motion);
void wbu_motion_stop(WbMotionRef motion);
void wbu_motion_set_loop(WbMotionRef motion, bool loop);
void wbu_motion_set_reverse(WbMotionRef motion, bool reverse);

/* The end is reached, whose positions the motors have by the next step; never true in a loop. */
bool wbu_motion_is_over(WbMotionRef motion);
int wbu_motion_get_duration(WbMotionRef motion);        /* ms; -1 for NULL */
int wbu_motion_get_time(WbMotionRef motion);            /* ms; -1 for NULL */
void wbu_motion_set_time(WbMotionRef motion, int time); /* ms, limited to the motion */

#ifdef __cplusplus
}
#endif

#endif /* WEBOTS_UTILS_MOTION_H */
