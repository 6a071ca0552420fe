"""Steering (rad) is positive to the right, speeds are in km/h, as in Webots. What is different: docs/controllers.md,
"Cars"."""

from controller import Supervisor
from controller._attributes import Attribute
from controller._library import library


def _mode(number):
    return None if number == -1 else number


def _driver(name, mode="both", convert=None, setter=None):
    """A property over wbu_driver_get_NAME and wbu_driver_set_NAME."""
    return Attribute(f"wbu_driver_get_{name}", None if mode == "get" else f"wbu_driver_set_{setter or name}", convert)


def _car(name, mode="get"):
    return Attribute(f"wbu_car_get_{name}", f"wbu_car_set_{name}" if mode == "both" else None)


class Driver(Supervisor):
    INDICATOR_OFF, INDICATOR_RIGHT, INDICATOR_LEFT = range(3)
    SPEED, TORQUE = range(2)
    DOWN, SLOW, NORMAL, FAST = range(4)

    antifog_lights = _driver("antifog_lights")
    brake_intensity = _driver("brake_intensity")
    control_mode = _driver("control_mode", "get", _mode)
    current_speed = _driver("current_speed", "get")
    dipped_beams = _driver("dipped_beams")
    gear = _driver("gear")
    gear_number = _driver("gear_number", "get")
    hazard_flashers = _driver("hazard_flashers")
    indicator = _driver("indicator")
    rpm = _driver("rpm", "get")
    steering_angle = _driver("steering_angle")
    target_cruising_speed = _driver("target_cruising_speed", setter="cruising_speed")
    throttle = _driver("throttle")
    wiper_mode = _driver("wiper_mode")

    # Older names.
    getBrake, setBrake = brake_intensity.fget, brake_intensity.fset
    getWipersMode, setWipersMode = wiper_mode.fget, wiper_mode.fset

    def __init__(self):
        super().__init__()
        library.wbu_driver_init()

    @staticmethod
    def isInitialisationPossible():
        return library.wbu_driver_initialization_is_possible()

    def step(self):
        """A basic time step of the world."""
        return self._advance("wbu_driver_step")


class Car(Driver):
    TRACTION, PROPULSION, FOUR_BY_FOUR = range(3)
    COMBUSTION_ENGINE, ELECTRIC_ENGINE, PARALLEL_HYBRID_ENGINE, POWER_SPLIT_HYBRID_ENGINE = range(4)
    WHEEL_FRONT_RIGHT, WHEEL_FRONT_LEFT, WHEEL_REAR_RIGHT, WHEEL_REAR_LEFT = range(4)

    backwards_lights = _car("backwards_lights")
    brake_lights = _car("brake_lights")
    engine_type = _car("engine_type")
    front_wheel_radius = _car("front_wheel_radius")
    indicator_period = _car("indicator_period", "both")
    left_steering_angle = _car("left_steering_angle", "both")
    rear_wheel_radius = _car("rear_wheel_radius")
    right_steering_angle = _car("right_steering_angle", "both")
    track_front = _car("track_front")
    track_rear = _car("track_rear")
    type = _car("type")
    wheelbase = _car("wheelbase")

    def __init__(self):
        super().__init__()
        library.wbu_car_init()

    def getWheelEncoder(self, wheel_index):
        """rad"""
        return library.wbu_car_get_wheel_encoder(wheel_index)

    def getWheelSpeed(self, wheel_index):
        """rad/s"""
        return library.wbu_car_get_wheel_speed(wheel_index)

    def enableIndicatorAutoDisabling(self, enable):
        library.wbu_car_enable_indicator_auto_disabling(enable)

    def enableLimitedSlipDifferential(self, enable):
        library.wbu_car_enable_limited_slip_differential(enable)
