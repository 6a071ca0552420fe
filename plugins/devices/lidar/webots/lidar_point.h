#ifndef WEBOTS_LIDAR_POINT_H
#define WEBOTS_LIDAR_POINT_H

/* Frame of the sensor: metres, x forward, z up. A beam without return has infinite coordinates. */
typedef struct {
  float x, y, z;
  int layer_id; /* 0 is the topmost */
  float time;   /* s, simulated */
} WbLidarPoint;

#endif /* WEBOTS_LIDAR_POINT_H */
