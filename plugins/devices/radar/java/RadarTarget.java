package com.cyberbotics.webots.controller;

/** What a Radar has found. */
public class RadarTarget {
  private final double distance, receivedPower, speed, azimuth;

  RadarTarget(double[] numbers, int at) {
    distance = numbers[at];
    receivedPower = numbers[at + 1];
    speed = numbers[at + 2];
    azimuth = numbers[at + 3];
  }

  /** m. */
  public double getDistance() {
    return distance;
  }

  /** dBm. */
  public double getReceivedPower() {
    return receivedPower;
  }

  public double getReceived_power() {
    return receivedPower;
  }

  /** m/s along the line of sight; more than 0: it moves away. */
  public double getSpeed() {
    return speed;
  }

  /** rad; more than 0: to the right. */
  public double getAzimuth() {
    return azimuth;
  }
}
