import com.cyberbotics.webots.controller.*;

import java.io.File;

/** Draws, asks and steps at once, each in a thread of its own, while what nobody holds is collected. */
public class java_threads extends Supervisor {
  private static final int TIMES = 60;

  interface Work {
    boolean once(int round);
  }

  private static int good = 0;

  static Thread thread(Work work) {
    final Thread thread = new Thread(() -> {
      for (int i = 0; i < TIMES; ++i) {
        if (!work.once(i)) continue;
        synchronized (java_threads.class) {
          ++good;
        }
      }
    });
    thread.start();
    return thread;
  }

  public static void main(String[] arguments) {
    final java_threads robot = new java_threads();
    final Display display = robot.getDisplay("display");
    final Thread[] threads = {
      thread(round -> {
        final File file = new File("picture" + round % 2 + ".png");
        file.delete();
        display.setColor(round);
        display.fillRectangle(0, 0, 4, 3);
        display.imageSave(null, file.getName());
        return file.length() > 0;
      }),
      thread(round -> {
        new Display("display");  // given back by a thread of its own
        if (round % 20 == 0) System.gc();
        return robot.getFromDef("CUBE").getField("translation").getSFVec3f()[0] == 2;
      }),
      thread(round -> robot.getDevice("display") == display && robot.getRoot() == robot.getSelf().getParentNode())};
    boolean working = true;
    while (working && robot.step(32) != -1) {
      working = false;
      for (Thread thread : threads) working |= thread.isAlive();
    }
    System.out.println(good + " of " + threads.length * TIMES);
    robot.simulationQuit(0);
    robot.step(32);
  }
}
