"""Robots of the type DifferentialWheels, which Webots had up to R2021a, and e-pucks in files before R2018a."""

from ._attributes import Attribute
from .robot import Robot


class DifferentialWheels(Robot):
    left_speed = Attribute("wb_differential_wheels_get_left_speed", getter="getLeftSpeed")
    right_speed = Attribute("wb_differential_wheels_get_right_speed", getter="getRightSpeed")
    max_speed = Attribute("wb_differential_wheels_get_max_speed", getter="getMaxSpeed")
    speed_unit = Attribute("wb_differential_wheels_get_speed_unit", getter="getSpeedUnit")
    left_encoder = Attribute("wb_differential_wheels_get_left_encoder", getter="getLeftEncoder")
    right_encoder = Attribute("wb_differential_wheels_get_right_encoder", getter="getRightEncoder")
    encoders_sampling_period = Attribute(
        "wb_differential_wheels_get_encoders_sampling_period",
        "wb_differential_wheels_enable_encoders",
        getter="getEncodersSamplingPeriod",
        setter="enableEncoders",
    )

    def disableEncoders(self):
        self._call("wb_differential_wheels_disable_encoders")

    def setSpeed(self, left, right):
        """In units of speed_unit."""
        self._call("wb_differential_wheels_set_speed", left, right)

    def setEncoders(self, left, right):
        self._call("wb_differential_wheels_set_encoders", left, right)
