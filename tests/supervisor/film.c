/* Movies of a supervisor and what is written over them, one case a run: argv[1] says which, argv[2]
 * the folder for them. */
#include <stdio.h>
#include <string.h>
#include <unistd.h>
#include <webots/robot.h>
#include <webots/supervisor.h>

static int step_ms, failures = 0;

static void expect(bool good, const char* what, int line) {
  if (good) return;
  fprintf(stderr, "film.c:%d: %s\n", line, what);
  failures = 1;
}
#define EXPECT(condition) expect((condition), #condition, __LINE__)

static void steps(int count) {
  for (int i = 0; i < count && wb_robot_step(step_ms) != -1; ++i) {
  }
}

/* Two seconds of simulation in half of that. */
static void film(void) {
  EXPECT(wb_supervisor_movie_is_ready());
  wb_supervisor_movie_start_recording("film.mp4", 320, 180, 1337, 90, 2, true);
  EXPECT(!wb_supervisor_movie_is_ready());
  EXPECT(wb_supervisor_movie_get_status() == WB_SUPERVISOR_MOVIE_RECORDING);
  wb_supervisor_movie_start_recording("second.mp4", 320, 180, 1337, 90, 1, false);
  steps(50);
  /* Between two steps: the movie goes on with the world as it is then. */
  wb_supervisor_simulation_reset();
  /* A picture full of one colour is easy to find again. */
  wb_supervisor_set_label(3, "####\n####\n####", 0, 0, 0.5, 0xff0000, 0, "Arial");
  steps(50);
  wb_supervisor_movie_stop_recording();
  EXPECT(wb_supervisor_movie_is_ready());
  EXPECT(!wb_supervisor_movie_failed());
}

/* The Viewpoint follows what glides, also when the world changes meanwhile. */
static void follow(void) {
  steps(20);
  wb_supervisor_export_image("seen.png", 90);
  wb_supervisor_movie_start_recording("follow.mp4", 320, 180, 0, 90, 1, false);
  steps(10);
  wb_supervisor_field_import_mf_node_from_string(
      wb_supervisor_node_get_field(wb_supervisor_node_get_root(), "children"), -1,
      "Solid { translation 0 0 -5 name \"new\" children [ Shape { geometry Sphere { } } ] }");
  steps(20);
  wb_supervisor_movie_stop_recording();
}

static void mistakes(void) {
  wb_supervisor_movie_stop_recording(); /* of none: nothing */
  wb_supervisor_movie_start_recording(NULL, 320, 180, 0, 90, 1, false);
  wb_supervisor_movie_start_recording("", 320, 180, 0, 90, 1, false);
  wb_supervisor_movie_start_recording("a.mp4", 0, 180, 0, 90, 1, false);
  wb_supervisor_movie_start_recording("a.mp4", 320, 180, 0, 101, 1, false);
  wb_supervisor_movie_start_recording("a.mp4", 320, 180, 0, 90, 0, false);
  EXPECT(wb_supervisor_movie_is_ready());
  EXPECT(!wb_supervisor_movie_failed());
  wb_supervisor_movie_start_recording("a.mp4", 320, 9000, 0, 90, 1, false);
  EXPECT(wb_supervisor_movie_failed());
  wb_supervisor_movie_start_recording("a.avi", 320, 180, 0, 90, 1, false);
  steps(1);
  EXPECT(wb_supervisor_movie_is_ready());
  EXPECT(wb_supervisor_movie_failed());
  EXPECT(wb_supervisor_movie_get_status() == WB_SUPERVISOR_MOVIE_WRITE_ERROR);
  /* The next one has forgotten that. */
  wb_supervisor_movie_start_recording("b.mp4", 320, 180, 0, 90, 1, false);
  EXPECT(!wb_supervisor_movie_failed());
}

int main(int argc, char** argv) {
  wb_robot_init();
  step_ms = (int)wb_robot_get_basic_time_step();
  const char* which = argc > 2 ? argv[1] : "";
  EXPECT(argc > 2 && chdir(argv[2]) == 0);
  if (strcmp(which, "film") == 0) film();
  if (strcmp(which, "follow") == 0) follow();
  if (strcmp(which, "mistakes") == 0) mistakes();
  if (strcmp(which, "to the end") == 0)
    wb_supervisor_movie_start_recording("end.gif", 160, 90, 0, 1, 1, false);
  while (wb_robot_step(step_ms) != -1) {
  }
  /* What the program waits for comes although the simulation is over. */
  while (!wb_supervisor_movie_is_ready()) wb_robot_step(step_ms);
  wb_robot_cleanup();
  return failures;
}
