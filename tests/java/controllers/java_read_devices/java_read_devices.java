import com.cyberbotics.webots.controller.*;

import java.math.BigDecimal;
import java.math.MathContext;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/** Prints the same as tests/python/read_devices.c. */
public class java_read_devices {
  /** As printf("%.17g") does. */
  static String text(double value) {
    if (Double.isNaN(value)) return "nan";
    if (Double.isInfinite(value)) return value < 0 ? "-inf" : "inf";
    if (value == 0) return 1 / value < 0 ? "-0" : "0";
    final BigDecimal decimal = new BigDecimal(value).round(new MathContext(17)).stripTrailingZeros();
    final int exponent = decimal.precision() - decimal.scale() - 1;
    if (exponent >= -4 && exponent < 17) return decimal.toPlainString();
    final StringBuilder digits = new StringBuilder(decimal.unscaledValue().abs().toString());
    if (digits.length() > 1) digits.insert(1, '.');
    return (value < 0 ? "-" : "") + digits + String.format("e%+03d", exponent);
  }

  static void say(String what, double... values) {
    final StringBuilder line = new StringBuilder(what);
    for (double value : values) line.append(' ').append(text(value));
    System.out.println(line);
  }

  static void check(boolean condition) {
    if (!condition) throw new AssertionError();
  }

  public static void main(String[] arguments) {
    final Robot robot = new Robot();
    System.out.println("robot " + robot.getName() + " " + robot.getModel() + " " + robot.getNumberOfDevices());
    for (int i = 0; i < robot.getNumberOfDevices(); ++i) {
      final Device device = robot.getDeviceByIndex(i);
      System.out.println(device.getName() + " '" + device.getModel() + "' " + device.getNodeType());
      check(device == robot.getDevice(device.getName()));
    }
    final Accelerometer accelerometer = robot.getAccelerometer("accelerometer");
    final Altimeter altimeter = robot.getAltimeter("altimeter");
    final Camera camera = robot.getCamera("camera");
    final Compass compass = robot.getCompass("compass");
    final DistanceSensor distanceSensor = robot.getDistanceSensor("distance_sensor");
    final GPS gps = robot.getGPS("gps");
    final Gyro gyro = robot.getGyro("gyro");
    final InertialUnit inertialUnit = robot.getInertialUnit("inertial_unit");
    final Lidar lidar = (Lidar)robot.getDevice("lidar");
    final LightSensor lightSensor = robot.getLightSensor("light_sensor");
    final PositionSensor positionSensor = robot.getPositionSensor("position_sensor");
    final Radar radar = robot.getRadar("radar");
    final RangeFinder rangeFinder = robot.getRangeFinder("range_finder");
    final Receiver receiver = robot.getReceiver("receiver");
    final TouchSensor touchSensor = robot.getTouchSensor("touch_sensor");
    final Brake brake = robot.getBrake("brake");
    final Emitter emitter = robot.getEmitter("emitter");
    final Motor motor = robot.getMotor("motor");
    accelerometer.enable(32);
    altimeter.enable(32);
    camera.enable(32);
    compass.enable(32);
    distanceSensor.enable(32);
    gps.enable(32);
    gyro.enable(32);
    inertialUnit.enable(32);
    lidar.enable(32);
    lightSensor.enable(32);
    positionSensor.enable(32);
    radar.enable(32);
    rangeFinder.enable(32);
    receiver.enable(32);
    touchSensor.enable(32);
    check(camera.getImage() == null && lidar.getRangeImage() == null && lidar.getPointCloud() == null);
    check(Double.isNaN(gps.getValues()[2]));
    lidar.enablePointCloud();
    camera.recognitionEnable(32);
    motor.setPosition(Double.POSITIVE_INFINITY);
    motor.setVelocity(2.5);
    motor.enableTorqueFeedback(32);

    say("fov", lidar.getFov());
    say("vertical fov", lidar.getVerticalFov());
    say("frequency", lidar.getFrequency());
    say("lidar range", lidar.getMaxRange());
    say("layers", lidar.getNumberOfLayers());
    say("lookup table", distanceSensor.getLookupTable());
    say("aperture", distanceSensor.getAperture());
    say("max velocity", motor.getMaxVelocity());
    say("type", motor.getType());
    say("brake of the motor", motor.getBrake() == brake ? 1 : 0);
    say("sensor of the brake", brake.getPositionSensor() == positionSensor ? 1 : 0);
    check(robot.getGPS("gyro") == null && robot.getDevice("none") == null);

    while (robot.step(32) != -1) {
      say("time", robot.getTime());
      final ByteBuffer packet = ByteBuffer.allocate(8).order(ByteOrder.LITTLE_ENDIAN);
      emitter.send(packet.putInt((int)(robot.getTime() * 1000)).putInt(-7).array());
      say("accelerometer", accelerometer.getValues());
      say("altimeter", altimeter.getValue());
      say("compass", compass.getValues());
      say("distance", distanceSensor.getValue());
      say("gps", gps.getValues());
      say("speed", gps.getSpeedVector());
      say("gyro", gyro.getValues());
      say("angles", inertialUnit.getRollPitchYaw());
      say("quaternion", inertialUnit.getQuaternion());
      say("light", lightSensor.getValue());
      say("position", positionSensor.getValue());
      say("torque", motor.getTorqueFeedback());
      say("touch", touchSensor.getValue());
      for (RadarTarget target : radar.getTargets()) {
        say("target", target.getDistance(), target.getReceivedPower(), target.getSpeed(), target.getAzimuth());
      }
      final float[] ranges = lidar.getRangeImage();
      check(ranges.length == 270);
      for (int i = 0; i < ranges.length; i += 7) say("range", ranges[i]);
      final LidarPoint point = lidar.getPointCloud()[11];
      say("point", point.getX(), point.getY(), point.getZ(), point.getLayerId(), point.getTime());
      check(lidar.getLayerPointCloud(2)[5].getY() == lidar.getPointCloud()[2 * 90 + 5].getY());
      say("layer", lidar.getLayerRangeImage(1)[3]);
      final float[] depth = rangeFinder.getRangeImage();
      say("depth", depth[0], RangeFinder.rangeImageGetDepth(depth, 20, 9, 5));
      final int[] image = camera.getImage();
      check(image.length == 60 * 40);
      int checksum = 0;  // of blue, green, red and alpha
      for (int pixel : image) {
        for (int shift = 0; shift < 32; shift += 8) checksum = checksum * 31 + (pixel >> shift & 0xff);
      }
      System.out.println("image " + Integer.toUnsignedString(checksum));
      say("pixel", Camera.imageGetRed(image, 60, 30, 20), Camera.imageGetBlue(image, 60, 1, 2));
      check(Camera.imageGetGray(image, 60, 30, 20) == Camera.pixelGetGrey(image[20 * 60 + 30]));
      for (CameraRecognitionObject found : camera.getRecognitionObjects()) {
        System.out.println("object " + found.getId() + " " + found.getModel());
        say("place", found.getPosition());
        say("colors", found.getColors());
        check(found.getNumberOfColors() == 2 && found.getOrientation().length == 4);
        final int[] middle = found.getPositionOnImage(), size = found.getSizeOnImage();
        final double across = 30 - found.getPosition()[1] / found.getPosition()[0] * 30 / Math.tan(0.5);
        check(found.getSize()[0] > 0.39 && size[0] > 3 && Math.abs(middle[0] - across) < 3);
      }
      while (receiver.getQueueLength() > 0) {
        final ByteBuffer answer = ByteBuffer.wrap(receiver.getData()).order(ByteOrder.LITTLE_ENDIAN);
        System.out.print("packet");
        while (answer.hasRemaining()) System.out.print(" " + answer.getInt());
        System.out.println(" of " + receiver.getDataSize() + " bytes");
        say("strength", receiver.getSignalStrength());
        say("direction", receiver.getEmitterDirection());
        receiver.nextPacket();
      }
    }
  }
}
