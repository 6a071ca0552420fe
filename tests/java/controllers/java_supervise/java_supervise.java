import com.cyberbotics.webots.controller.*;

import java.lang.reflect.Method;
import java.util.Arrays;
import java.util.List;

/** Changes the world as a supervisor, draws on a display, and does both wrongly. */
public class java_supervise extends Supervisor {
  /** What the classes are made of is nobody else's. */
  static final List<String> PARTS = Arrays.asList("contactNumbers", "deviceClass");

  static void check(boolean condition) {
    if (!condition) throw new AssertionError();
  }

  static boolean near(double[] values, double... expected) {
    boolean near = values.length == expected.length;
    for (int i = 0; near && i < expected.length; ++i) near = Math.abs(values[i] - expected[i]) < 1e-9;
    return near;
  }

  static void refused(Class<? extends Exception> type, Runnable action) {
    try {
      action.run();
    } catch (Exception exception) {
      check(type.isInstance(exception));
      System.out.println(exception.getMessage());
      return;
    }
    throw new AssertionError();
  }

  /** The display of this program: getDevice() returns what this makes. */
  static class Screen extends Display {
    Screen(int tag) {
      super(tag);
    }

    int area() {
      return getWidth() * getHeight();
    }
  }

  @Override
  protected Display createDisplay(int tag) {
    return new Screen(tag);
  }

  void changeTheWorld() {
    final Node cube = getFromDef("CUBE");
    switch (cube.getType()) {
      case Node.SOLID: break;
      default: throw new AssertionError();
    }
    check(cube.getTypeName().equals("Solid") && cube.getDef().equals("CUBE") && !cube.isProto());
    check(getFromDef("NOTHING") == null && getFromId(cube.getId()) == cube);
    check(getSelf().getField("name").getSFString().equals("tester") && cube.getParentNode() == getRoot());
    check(near(cube.getPosition(), 2, 0, 0.2) && cube.getPose().length == 16 && cube.getPose(getSelf()).length == 16);
    final double c = Math.cos(0.5), s = Math.sin(0.5);
    check(near(cube.getOrientation(), c, -s, 0, s, c, 0, 0, 0, 1));

    final Field translation = cube.getField("translation");
    check(translation.getType() == Field.SF_VEC3F && translation.getTypeName().equals("SFVec3f"));
    check(translation == cube.getField("translation"));
    translation.setSFVec3f(new double[] {3, 1, 2});
    check(near(translation.getSFVec3f(), 3, 1, 2));
    check(step(32) == 0 && near(Arrays.copyOf(cube.getPosition(), 2), 3, 1));
    cube.setVelocity(new double[] {0.5, 0, 0, 0, 0, 0});
    step(32);
    check(near(Arrays.copyOf(cube.getPosition(), 2), 3.016, 1) && near(Arrays.copyOf(cube.getVelocity(), 2), 0.5, 0));
    check(near(cube.getField("rotation").getSFRotation(), 0, 0, 1, 0.5));
    cube.getField("name").setSFString("würfel");
    check(cube.getField("name").getSFString().equals("würfel"));
    final Field colors = cube.getField("recognitionColors");
    colors.insertMFColor(-1, new double[] {0, 0, 1});
    check(colors.getCount() == 3 && near(colors.getMFColor(2), 0, 0, 1));

    refused(IllegalArgumentException.class, () -> translation.setSFVec3f(new double[] {1, 2}));
    refused(NullPointerException.class, () -> translation.setSFVec3f(null));
    refused(NullPointerException.class, () -> getFromDef(null));

    final Field children = getRoot().getField("children");
    children.importMFNodeFromString(-1, "DEF BALL Solid { translation 0 4 1 }");
    final Node ball = getFromDef("BALL");
    check(ball != null && children.getMFNode(children.getCount() - 1) == ball);
    ball.remove();
    check(getFromDef("BALL") == null);

    translation.setSFVec3f(new double[] {2, 0, 0.2});
    cube.resetPhysics();
    cube.enableContactPointsTracking(32);
    for (int i = 0; i < 10; ++i) step(32);
    final ContactPoint[] points = cube.getContactPoints(true);
    check(points.length >= 3);
    for (ContactPoint point : points) {
      check(point.getNodeId() == cube.getId() && Math.abs(point.getPoint()[2]) < 0.01);
    }
    final Boolean all = true;  // as programs that were built with Webots' classes call it
    check(cube.getContactPoints(all).length == points.length);
    setLabel(0, "a label", 0.1, 0.1, 0.1, 0xff0000, 0);
    check(simulationGetMode() == Supervisor.SIMULATION_MODE_FAST);
  }

  void draw() {
    final Screen screen = (Screen)getDisplay("display");
    check(screen.area() == 12 && screen == getDevice("display"));
    screen.setColor(0x00ff00);
    screen.fillRectangle(0, 0, 4, 3);
    screen.setColor(0xff0000);
    screen.fillPolygon(new int[] {0, 1, 1, 0}, new int[] {0, 0, 1, 1});
    final int[] blue = new int[4];
    Arrays.fill(blue, 0xff0000ff);
    final ImageRef image = screen.imageNew(2, 2, blue, Display.ARGB);
    screen.imagePaste(image, 2, 1);
    screen.imageSave(null, "../../display.png");
    screen.imageDelete(image);
    refused(IllegalArgumentException.class, () -> screen.imageNew(2, 3, blue, Display.RGBA));
    refused(IllegalArgumentException.class, () -> screen.drawPolygon(blue, new int[3], 4));
    refused(IllegalArgumentException.class, () -> getEmitter("emitter").send(new byte[3], 4));
    refused(NullPointerException.class, () -> getEmitter("emitter").send(null));
  }

  public static void main(String[] arguments) {
    check(arguments.length == 2 && arguments[1].equals("two words"));
    final java_supervise supervisor = new java_supervise();
    supervisor.changeTheWorld();
    supervisor.draw();
    Robot.metric("squares", 4.5);
    check(supervisor.getKeyboard() != null && Keyboard.UP == 315 && supervisor.getBasicTimeStep() == 32);
    check(AnsiCodes.RED_FOREGROUND.equals("\u001b[31m") && AnsiCodes.CLEAR_SCREEN.equals("\u001b[2J"));
    for (Class<?> type : new Class<?>[] {Robot.class, Node.class}) {
      for (Method method : type.getMethods()) check(!PARTS.contains(method.getName()));
    }
    System.out.println("all right");
    supervisor.simulationQuit(7);
    supervisor.step(32);
  }
}
