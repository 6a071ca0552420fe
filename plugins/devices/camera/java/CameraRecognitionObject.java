package com.cyberbotics.webots.controller;

import java.util.Arrays;

/** What a Camera with a Recognition has seen. */
public class CameraRecognitionObject {
  private final double[] numbers;
  private final String model;

  CameraRecognitionObject(double[] numbers, String model) {
    this.numbers = numbers;
    this.model = model;
  }

  public int getId() {
    return (int)numbers[0];
  }

  /** m, in the camera's frame. */
  public double[] getPosition() {
    return Arrays.copyOfRange(numbers, 1, 4);
  }

  /** Axis and angle (rad), in the camera's frame. */
  public double[] getOrientation() {
    return Arrays.copyOfRange(numbers, 4, 8);
  }

  /** m, across and up. */
  public double[] getSize() {
    return Arrays.copyOfRange(numbers, 8, 10);
  }

  public int[] getPositionOnImage() {
    return new int[] {(int)numbers[10], (int)numbers[11]};
  }

  public int[] getSizeOnImage() {
    return new int[] {(int)numbers[12], (int)numbers[13]};
  }

  public int getNumberOfColors() {
    return (numbers.length - 14) / 3;
  }

  /** Three each, 0 to 1. */
  public double[] getColors() {
    return Arrays.copyOfRange(numbers, 14, numbers.length);
  }

  public String getModel() {
    return model;
  }
}
