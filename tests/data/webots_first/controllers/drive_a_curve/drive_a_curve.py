"""Drives straight ahead at 18 km/h by the vehicle library, then a curve to the right, and brakes."""
import math

from vehicle import Driver

RADIUS, WHEELBASE = 12.0, 2.995  # m

driver = Driver()
car = driver.getSelf()
driver.setCruisingSpeed(18)
while driver.step() != -1 and driver.getTime() < 4:  # until it has its speed
    pass
driver.setSteeringAngle(math.atan(WHEELBASE / RADIUS))
start, began = car.getOrientation(), driver.getTime()
while driver.step() != -1 and driver.getTime() - began < 2:
    pass
now = car.getOrientation()
turned = math.atan2(now[3], now[0]) - math.atan2(start[3], start[0])
print(f"{driver.getCurrentSpeed():.0f} km/h, turned by {turned:.2f} rad", flush=True)
driver.setThrottle(0)
driver.setBrakeIntensity(1)
while driver.step() != -1 and driver.getTime() < 9:
    pass
height = car.getPosition()[2]
where = "on its springs" if 0.27 < height < 0.374 else f"at {height:.2f} m"
print(f"{abs(driver.getCurrentSpeed()):.1f} km/h, {where}", flush=True)
