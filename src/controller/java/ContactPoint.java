package com.cyberbotics.webots.controller;

/** Where a Solid touches another one. */
public class ContactPoint {
  private final double[] point;
  private final int nodeId;

  ContactPoint(double[] numbers, int at) {
    point = java.util.Arrays.copyOfRange(numbers, at, at + 3);
    nodeId = (int)numbers[at + 3];
  }

  /** m, in the world. */
  public double[] getPoint() {
    return point.clone();
  }

  /** Of the Solid whose boundingObject it is. */
  public int getNodeId() {
    return nodeId;
  }

  public int getNode_id() {
    return nodeId;
  }
}
