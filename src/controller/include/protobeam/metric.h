/* What a program says about its run, for `protobeam run --json` and `protobeam sweep`. */
#ifndef PROTOBEAM_METRIC_H
#define PROTOBEAM_METRIC_H

#ifdef __cplusplus
extern "C" {
#endif

/* A number by its name: pb_metric("distance", 10.7). Of several with one name the last one counts.
   Also after wb_robot_step() has returned -1, until wb_robot_cleanup(). A name has 1 to 100
   printable ASCII characters. */
void pb_metric(const char* name, double value);

#ifdef __cplusplus
}
#endif

#endif
