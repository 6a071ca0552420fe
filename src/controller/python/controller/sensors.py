"""Sensors whose sample is a few numbers. Units and frames are those of Webots' reference: m, rad, SI; NaN where
there is no sample."""

from ._attributes import Attribute, vector
from ._library import library
from .device import Sensor


class _WithLookupTable(Sensor):
    @property
    def lookup_table(self):
        """Input, output, standard deviation; three numbers a row, one row after another."""
        size = self._call("get_lookup_table_size")
        return self._call("get_lookup_table")[: 3 * size] if size > 0 else []

    def getLookupTable(self):
        return self.lookup_table


class Accelerometer(_WithLookupTable):
    _api = "wb_accelerometer_"
    value = Attribute("get_values", convert=vector(3))


class Altimeter(Sensor):
    _api = "wb_altimeter_"
    value = Attribute("get_value")


class Compass(_WithLookupTable):
    _api = "wb_compass_"
    value = Attribute("get_values", convert=vector(3))


class DistanceSensor(_WithLookupTable):
    _api = "wb_distance_sensor_"
    GENERIC, INFRA_RED, SONAR, LASER = range(4)

    aperture = Attribute("get_aperture")
    max_value = Attribute("get_max_value")
    min_value = Attribute("get_min_value")
    type = Attribute("get_type")
    value = Attribute("get_value")


class GPS(Sensor):
    _api = "wb_gps_"
    LOCAL, WGS84 = range(2)

    coordinate_system = Attribute("get_coordinate_system")
    speed = Attribute("get_speed")
    speed_vector = Attribute("get_speed_vector", convert=vector(3))
    value = Attribute("get_values", convert=vector(3))

    @staticmethod
    def convertToDegreesMinutesSeconds(decimalDegrees):
        return library.wb_gps_convert_to_degrees_minutes_seconds(decimalDegrees)


class Gyro(_WithLookupTable):
    _api = "wb_gyro_"
    value = Attribute("get_values", convert=vector(3))


class InertialUnit(Sensor):
    _api = "wb_inertial_unit_"
    noise = Attribute("get_noise")
    quaternion = Attribute("get_quaternion", convert=vector(4))  # x, y, z, w
    roll_pitch_yaw = Attribute("get_roll_pitch_yaw", convert=vector(3))


class LightSensor(_WithLookupTable):
    _api = "wb_light_sensor_"
    value = Attribute("get_value")


class TouchSensor(_WithLookupTable):
    _api = "wb_touch_sensor_"
    BUMPER, FORCE, FORCE3D = range(3)

    type = Attribute("get_type")
    value = Attribute("get_value")
    values = Attribute("get_values", convert=vector(3))
