#ifndef WEBOTS_RADAR_TARGET_H
#define WEBOTS_RADAR_TARGET_H

typedef struct {
  double distance;       /* m */
  double received_power; /* dBm */
  double speed;          /* m/s along the line of sight, > 0: it moves away */
  double azimuth;        /* rad, > 0: to the right */
} WbRadarTarget;

#endif /* WEBOTS_RADAR_TARGET_H */
