"""Drives a car whose wheels have no known radius: by its speed, which does nothing, and by its throttle."""
from vehicle import Driver

driver = Driver()
body = driver.getSelf()


def after(seconds):
    end = driver.getTime() + seconds
    while driver.step() != -1 and driver.getTime() < end - 1e-6:
        pass
    return body.getVelocity()[0]


driver.setCruisingSpeed(36)
print(f"by speed {abs(after(2)):.1f} m/s", flush=True)
driver.setThrottle(0.5)
driver.setGear(3)
print("by throttle it", "drives" if after(2) > 1 else "stands", flush=True)
print(f"speed {driver.getCurrentSpeed():.1f} km/h", flush=True)
