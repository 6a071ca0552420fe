import com.cyberbotics.webots.controller.vehicle.Car;
import com.cyberbotics.webots.controller.vehicle.Driver;

/** Drives a car. */
public class java_car {
  public static void main(String[] arguments) {
    final Car car = new Car();
    car.setSteeringAngle(0);
    car.setCruisingSpeed(20);
    car.setIndicator(Driver.INDICATOR_LEFT);
    while (car.step() != -1) {
      if (car.getTime() < 8) continue;
      System.out.printf("speed %b wheelbase %.3f type %d indicator %b%n", Math.abs(car.getCurrentSpeed() - 20) < 0.5,
                        car.getWheelbase(), car.getType(), car.getIndicator() == Driver.INDICATOR_LEFT);
      return;
    }
  }
}
