"""The devices of a joint: rad or m."""

from ._attributes import Attribute, method
from .device import Device, Sensor

_ROTATIONAL, _LINEAR = range(2)


class _OfJoint:
    ROTATIONAL, LINEAR = _ROTATIONAL, _LINEAR

    def _sibling(self, function, kind):
        tag = self._call(function)
        return kind(tag) if tag else None


class Brake(_OfJoint, Device):
    _api = "wb_brake_"
    dampingConstant = Attribute(set="set_damping_constant")
    type = Attribute("get_type")

    @property
    def motor(self):
        return self._sibling("get_motor", Motor)

    @property
    def position_sensor(self):
        return self._sibling("get_position_sensor", PositionSensor)

    def getMotor(self):
        return self.motor

    def getPositionSensor(self):
        return self.position_sensor


class Motor(_OfJoint, Device):
    _api = "wb_motor_"
    target_position = Attribute("get_target_position", "set_position")
    target_velocity = Attribute("get_velocity", "set_velocity")
    target_acceleration = Attribute("get_acceleration", "set_acceleration")
    available_force = Attribute("get_available_force", "set_available_force")
    available_torque = Attribute("get_available_torque", "set_available_torque")
    force = Attribute(set="set_force")
    torque = Attribute(set="set_torque")
    force_feedback = Attribute("get_force_feedback")
    torque_feedback = Attribute("get_torque_feedback")
    force_feedback_sampling_period = Attribute("get_force_feedback_sampling_period", "enable_force_feedback")
    torque_feedback_sampling_period = Attribute("get_torque_feedback_sampling_period", "enable_torque_feedback")
    max_force = Attribute("get_max_force")
    max_position = Attribute("get_max_position")
    max_torque = Attribute("get_max_torque")
    max_velocity = Attribute("get_max_velocity")
    min_position = Attribute("get_min_position")
    multiplier = Attribute("get_multiplier")
    type = Attribute("get_type")

    disableForceFeedback = method("disable_force_feedback")
    disableTorqueFeedback = method("disable_torque_feedback")

    def setControlPID(self, p, i, d):
        self._call("set_control_pid", p, i, d)

    @property
    def brake(self):
        return self._sibling("get_brake", Brake)

    @property
    def position_sensor(self):
        return self._sibling("get_position_sensor", PositionSensor)

    def getBrake(self):
        return self.brake

    def getPositionSensor(self):
        return self.position_sensor


class PositionSensor(_OfJoint, Sensor):
    _api = "wb_position_sensor_"
    type = Attribute("get_type")
    value = Attribute("get_value")

    @property
    def brake(self):
        return self._sibling("get_brake", Brake)

    @property
    def motor(self):
        return self._sibling("get_motor", Motor)

    def getBrake(self):
        return self.brake

    def getMotor(self):
        return self.motor
