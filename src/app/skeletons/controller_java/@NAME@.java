import com.cyberbotics.webots.controller.Device;
import com.cyberbotics.webots.controller.Lidar;
import com.cyberbotics.webots.controller.Motor;
import com.cyberbotics.webots.controller.Robot;

import java.util.ArrayList;
import java.util.List;

/** Drives every motor of its robot slowly and prints what its lidars see. */
public class @NAME@ {
  public static void main(String[] arguments) {
    final Robot robot = new Robot();
    final int samplingPeriod = 4 * (int)robot.getBasicTimeStep();

    final List<Lidar> lidars = new ArrayList<Lidar>();
    for (int i = 0; i < robot.getNumberOfDevices(); ++i) {
      final Device device = robot.getDeviceByIndex(i);
      if (device instanceof Lidar) {
        final Lidar lidar = (Lidar)device;
        lidar.enable(samplingPeriod);
        lidars.add(lidar);
      }
      if (device instanceof Motor && ((Motor)device).getType() == Motor.ROTATIONAL) {
        final Motor motor = (Motor)device;
        motor.setPosition(Double.POSITIVE_INFINITY);  // controlled by velocity from here on
        motor.setVelocity(1.0);
      }
    }

    robot.step(samplingPeriod);  // the first samples
    while (robot.step(samplingPeriod) != -1) {
      for (Lidar lidar : lidars) {
        float nearest = Float.POSITIVE_INFINITY;
        for (float range : lidar.getRangeImage()) nearest = Math.min(nearest, range);
        System.out.printf("%.3f s: %s: nearest return at %.3f m%n", robot.getTime(), lidar.getName(), nearest);
      }
    }
  }
}
