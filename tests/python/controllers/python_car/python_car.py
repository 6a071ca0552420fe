"""Drives a car by Webots' package `vehicle`."""

from vehicle import Car, Driver

assert issubclass(Car, Driver)
car = Car()
assert Driver.isInitialisationPossible()
car.setCruisingSpeed(10)  # km/h
assert car.target_cruising_speed == 10 == car.getTargetCruisingSpeed()
car.steering_angle = 0.1
car.setIndicator(Driver.INDICATOR_RIGHT)
assert car.indicator == Driver.INDICATOR_RIGHT and car.getBrakeIntensity() == 0
for _ in range(400):
    car.step()
assert abs(car.current_speed - 10) < 1, car.current_speed
assert car.getWheelbase() > 1 and car.front_wheel_radius > 0.1
left, right = car.getWheelSpeed(Car.WHEEL_FRONT_LEFT), car.getWheelSpeed(Car.WHEEL_FRONT_RIGHT)
assert left > right and abs((left + right) / 2 * car.getFrontWheelRadius() * 3.6 - 11) < 1  # outer and inner wheel
assert car.getRightSteeringAngle() > 0 and car.getDevice("drive") is not None
print("all right")
