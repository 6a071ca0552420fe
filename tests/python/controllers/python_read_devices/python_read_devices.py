"""Prints the same as tests/python/read_devices.c."""

import math

from controller import Robot


def say(what, *values):
    print(what, *("nan" if math.isnan(value) else f"{value:.17g}" for value in values))


def checksum(data):
    total = 0
    for byte in data:
        total = (total * 31 + byte) % 2**32
    return total


robot = Robot()
print("robot", robot.name, robot.model, robot.number_of_devices)
for index in range(robot.getNumberOfDevices()):
    device = robot.getDeviceByIndex(index)
    print(f"{device.name} '{device.model}' {device.node_type}")
sensors = """accelerometer altimeter camera compass distance_sensor gps gyro inertial_unit lidar light_sensor
position_sensor radar range_finder receiver touch_sensor""".split()
for name in sensors:
    robot.getDevice(name).enable(32)
accelerometer, altimeter, camera, compass, distance_sensor, gps, gyro = map(robot.getDevice, sensors[:7])
inertial_unit, lidar, light_sensor, position_sensor, radar, range_finder = map(robot.getDevice, sensors[7:13])
receiver, touch_sensor = map(robot.getDevice, sensors[13:])
brake, emitter, motor = map(robot.getDevice, ("brake", "emitter", "motor"))
lidar.enablePointCloud()
camera.recognitionEnable(32)
motor.setPosition(math.inf)
motor.setVelocity(2.5)
motor.enableTorqueFeedback(32)

say("fov", lidar.fov)
say("vertical fov", lidar.getVerticalFov())
say("frequency", lidar.frequency)
say("lidar range", lidar.getMaxRange())
say("layers", lidar.number_of_layers)
say("lookup table", *distance_sensor.getLookupTable())
say("aperture", distance_sensor.aperture)
say("max velocity", motor.max_velocity)
say("type", motor.getType())
say("brake of the motor", motor.brake == brake)
say("sensor of the brake", brake.getPositionSensor() == position_sensor)

while robot.step(32) != -1:
    say("time", robot.time)
    emitter.send([int(robot.getTime() * 1000), -7])
    say("accelerometer", *accelerometer.getValues())
    say("altimeter", altimeter.value)
    say("compass", *compass.value)
    say("distance", distance_sensor.getValue())
    say("gps", *gps.value)
    say("speed", *gps.getSpeedVector())
    say("gyro", *gyro.getValues())
    say("angles", *inertial_unit.roll_pitch_yaw)
    say("quaternion", *inertial_unit.getQuaternion())
    say("light", light_sensor.value)
    say("position", position_sensor.getValue())
    say("torque", motor.torque_feedback)
    say("touch", touch_sensor.value)
    for target in radar.getTargets():
        say("target", target.distance, target.receiver_power, target.speed, target.azimuth)
        assert target.received_power == target.receiver_power and radar.getTarget(0) == radar.getTargets()[0]
    for distance in lidar.getRangeImage()[::7]:
        say("range", distance)
    point = lidar.getPointCloud()[11]
    say("point", point.x, point.y, point.z, point.layer, point.time)
    say("layer", lidar.getLayerRangeImage(1)[3])
    depth = range_finder.getRangeImage()
    say("depth", depth[0], range_finder.rangeImageGetDepth(depth, 20, 9, 5))
    image = camera.getImage()
    print("image", checksum(image))
    say("pixel", camera.imageGetRed(image, 60, 30, 20), camera.imageGetBlue(image, 60, 1, 2))
    assert 0 <= camera.imageGetGray(image, 60, 30, 20) - camera.imageGetGrey(image, 60, 30, 20) < 1
    assert range_finder.rangeImageGetValue(depth, 0.1, 5, 20, 9, 5) == range_finder.rangeImageGetDepth(depth, 20, 9, 5)
    for found in camera.getRecognitionObjects():
        print("object", found.id, found.model)
        say("place", *found.getPosition())
        say("colors", *found.colors)
        assert (found.get_id(), found.get_model()) == (found.id, found.model.encode())
        assert found.get_colors() == found.colors and found.get_number_of_colors() == found.number_of_colors
        assert found.get_position() == found.position and found.get_orientation() == found.orientation
        assert found.get_size() == found.size and found.get_position_on_image() == found.position_on_image
        assert found.get_size_on_image() == found.size_on_image
        assert camera.getRecognitionObject(0).id == camera.getRecognitionObjects()[0].id
    while receiver.queue_length > 0:
        print("packet", *receiver.getInts(), "of", receiver.getDataSize(), "bytes")
        say("strength", receiver.signal_strength)
        say("direction", *receiver.getEmitterDirection())
        receiver.nextPacket()
