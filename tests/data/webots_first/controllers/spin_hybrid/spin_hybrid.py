"""Spins the wheels of a hybrid car in the air and compares with the documentation of Webots' driver library, "Engine Models"."""
import math
import sys

from vehicle import Car

THROTTLE, GEAR, INERTIA = 0.2, 10, 50 * 0.32**2 / 2  # of a wheel, a solid cylinder, kg m^2

car = Car()
engine = {"parallel hybrid": Car.PARALLEL_HYBRID_ENGINE, "power-split hybrid": Car.POWER_SPLIT_HYBRID_ENGINE}[sys.argv[1]]
failures = car.getEngineType() != engine or car.getType() != Car.FOUR_BY_FOUR


def combustion(rpm):
    return 60 + 0.05 * rpm - 0.00001 * rpm**2


def engine_torque(rpm):
    electric = min(40, 3000 * 60 / (2 * math.pi * rpm))
    if rpm < 500:
        return electric
    return electric + (combustion(rpm) if engine == Car.PARALLEL_HYBRID_ENGINE else 0.75 * combustion(3000))


def spin():
    return sum(car.getWheelSpeed(wheel) for wheel in range(4)) / 4


def expect_gain(seconds):
    """Of the wheels: a quarter of the torque for each."""
    global failures
    before, start = spin(), car.getTime()
    while car.getTime() < start + seconds - 1e-6:
        car.step()
    gained = (spin() - before) / (car.getTime() - start)
    rpm = (before + spin()) / 2 * GEAR * 30 / math.pi
    expected = THROTTLE * GEAR * engine_torque(rpm) / 4 / INERTIA
    if abs(gained - expected) > 0.02 * expected:
        failures += 1
        print(f"at {rpm:.0f} rpm {gained:.4g} rad/s^2, not {expected:.4g}", flush=True)


car.setGear(1)
car.setThrottle(THROTTLE)
for _ in range(10):
    car.step()
expect_gain(0.2)
while spin() < 9:
    car.step()
expect_gain(0.1)
while spin() < 20:
    car.step()
expect_gain(0.1)
print(f"{sys.argv[1]}: {failures:d} failures", flush=True)
