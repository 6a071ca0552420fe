package com.cyberbotics.webots.controller;

/** Frame of the sensor: metres, x forward, z up. A beam without return has infinite coordinates. */
public class LidarPoint {
  private final float x, y, z, time;
  private final int layerId;

  private LidarPoint(double[] numbers, int at) {
    x = (float)numbers[at];
    y = (float)numbers[at + 1];
    z = (float)numbers[at + 2];
    layerId = (int)numbers[at + 3];
    time = (float)numbers[at + 4];
  }

  /** Null when there are none. */
  static LidarPoint[] all(double[] numbers) {
    if (numbers.length == 0) return null;
    final LidarPoint[] points = new LidarPoint[numbers.length / 5];
    for (int i = 0; i < points.length; ++i) points[i] = new LidarPoint(numbers, 5 * i);
    return points;
  }

  public float getX() {
    return x;
  }

  public float getY() {
    return y;
  }

  public float getZ() {
    return z;
  }

  /** 0 is the topmost; a double, as in Webots. */
  public double getLayerId() {
    return layerId;
  }

  public int getLayer_id() {
    return layerId;
  }

  /** s, simulated. */
  public float getTime() {
    return time;
  }
}
