/* Fields of nested PROTOs, parts of bodies and nodes that have gone, as a supervisor meets them. */
#include <math.h>
#include <stdio.h>
#include <string.h>
#include <webots/robot.h>
#include <webots/supervisor.h>

static int failures = 0;

static void expect(bool good, const char* what, int line) {
  if (good) return;
  fprintf(stderr, "proto_fields.c:%d: %s\n", line, what);
  failures = 1;
}
#define EXPECT(condition) expect((condition), #condition, __LINE__)
#define NEAR(a, b, tolerance) expect(fabs((a) - (b)) <= (tolerance), #a " near " #b, __LINE__)

static double number(WbFieldRef field) { return wb_supervisor_field_get_sf_float(field); }

/* LAMP is an OuterLamp. Its `power` is intensity of the InnerLamp and of the light; `spare` is a
 * parameter that no node has; the colour is nobody's parameter. */
static void nested_protos(void) {
  const WbNodeRef lamp = wb_supervisor_node_get_from_def("LAMP");
  const WbFieldRef power = wb_supervisor_node_get_field(lamp, "power");
  const WbFieldRef spare = wb_supervisor_node_get_field(lamp, "spare");
  const WbProtoRef outer = wb_supervisor_node_get_proto(lamp);
  const WbProtoRef inner = wb_supervisor_proto_get_parent(outer);
  const WbFieldRef outer_power = wb_supervisor_proto_get_field(outer, "power");
  const WbFieldRef inner_power = wb_supervisor_proto_get_field(inner, "intensity");
  const WbFieldRef inner_spare = wb_supervisor_proto_get_field(inner, "unused");
  const WbFieldRef inner_reach = wb_supervisor_proto_get_field(inner, "reach");
  const WbFieldRef light = wb_supervisor_node_get_base_node_field(lamp, "intensity");
  const WbFieldRef colour = wb_supervisor_node_get_base_node_field(lamp, "color");

  /* The actual field is the one in the world's text that it follows. */
  EXPECT(wb_supervisor_field_get_actual_field(power) == power);
  EXPECT(wb_supervisor_field_get_actual_field(spare) == spare);
  EXPECT(wb_supervisor_field_get_actual_field(outer_power) == power);
  EXPECT(wb_supervisor_field_get_actual_field(inner_power) == power);
  EXPECT(wb_supervisor_field_get_actual_field(light) == power);
  EXPECT(wb_supervisor_field_get_actual_field(inner_spare) == spare);
  EXPECT(wb_supervisor_field_get_actual_field(inner_reach) == NULL);
  EXPECT(wb_supervisor_field_get_actual_field(colour) == NULL);

  /* What is inside can be read only. */
  const double red[3] = {1, 0, 0};
  wb_supervisor_field_set_sf_color(colour, red);
  wb_supervisor_field_set_sf_float(inner_power, 7);
  wb_supervisor_field_set_sf_float(outer_power, 8);
  wb_supervisor_field_set_sf_float(light, 9);
  NEAR(wb_supervisor_field_get_sf_color(colour)[2], 1, 0);
  NEAR(number(power), 2, 0);
  NEAR(number(light), 2, 0);

  /* And follows what is changed outside. */
  wb_supervisor_field_set_sf_float(power, 3);
  wb_supervisor_field_set_sf_float(spare, 4);
  NEAR(number(light), 3, 0);
  NEAR(number(inner_power), 3, 0);
  NEAR(number(inner_spare), 4, 0);
}

/* ROD has a centre of mass of its own, and END is a Solid that is fixed to it. */
static void parts_of_bodies(int step_ms) {
  const WbNodeRef end = wb_supervisor_node_get_from_def("END");
  NEAR(wb_supervisor_node_get_center_of_mass(end)[0], 1.0, 1e-9);
  NEAR(wb_supervisor_node_get_center_of_mass(wb_supervisor_node_get_from_def("ROD"))[0], 0.5, 1e-9);
  const double push[3] = {0, 1, 0};
  wb_supervisor_node_add_force(end, push, false);
  wb_robot_step(step_ms);
  /* 0.5 N m about the body's centre, of 0.508 kg m^2: two balls of 1 kg and 0.1 m, each 0.5 m
   * away. */
  const double* v = wb_supervisor_node_get_velocity(wb_supervisor_node_get_from_def("ROD"));
  NEAR(v[5], 0.5 / 0.508 * step_ms / 1000, 1e-6);
}

static void gone_with_their_parent(int step_ms) {
  const WbNodeRef shape = wb_supervisor_node_get_from_def("SHAPE");
  EXPECT(wb_supervisor_node_get_id(shape) > 0);
  wb_supervisor_node_remove(wb_supervisor_node_get_from_def("HOLDER"));
  EXPECT(wb_supervisor_node_get_id(shape) == -1);
  wb_robot_step(step_ms);
  EXPECT(wb_supervisor_node_get_id(shape) == -1);
}

/* TENT is an OuterTent. The template of the InnerTent in it reads `height`; `inside` has what the
 * world's text gives. */
static void made_again(int step_ms) {
  const WbNodeRef tent = wb_supervisor_node_get_from_def("TENT");
  const WbNodeRef bag = wb_supervisor_node_get_from_def("BAG");
  const WbNodeRef box = wb_supervisor_node_get_from_def("BAG_BOX");
  const int id = wb_supervisor_node_get_id(box);
  wb_supervisor_field_set_sf_float(wb_supervisor_node_get_field(tent, "height"), 3);
  wb_robot_step(step_ms);
  NEAR(wb_supervisor_node_get_position(bag)[2], 3, 1e-9);
  EXPECT(wb_supervisor_node_get_id(box) == id);
  EXPECT(wb_supervisor_node_get_from_def("BAG_BOX") == box);
  const double size[3] = {4, 5, 6};
  wb_supervisor_field_set_sf_vec3f(wb_supervisor_node_get_field(box, "size"), size);
  NEAR(wb_supervisor_field_get_sf_vec3f(wb_supervisor_node_get_field(box, "size"))[1], 5, 0);
}

/* What PAIR is given it has at two places. */
static void made_again_everywhere(int step_ms) {
  const WbNodeRef pair = wb_supervisor_node_get_from_def("PAIR");
  const WbNodeRef twin = wb_supervisor_node_get_from_def("TWIN");
  const WbFieldRef poses = wb_supervisor_node_get_base_node_field(pair, "children");
  EXPECT(wb_supervisor_field_get_count(poses) == 2);
  for (int height = 3; height < 6; ++height) {
    wb_supervisor_field_set_sf_float(wb_supervisor_node_get_field(twin, "height"), height);
    wb_robot_step(step_ms);
    for (int i = 0; i < 2; ++i) {
      const WbNodeRef pose = wb_supervisor_field_get_mf_node(poses, i);
      const WbNodeRef tent =
          wb_supervisor_field_get_mf_node(wb_supervisor_node_get_field(pose, "children"), 0);
      NEAR(wb_supervisor_node_get_position(tent)[2], height, 1e-9);
      NEAR(wb_supervisor_node_get_position(tent)[0], 9 * i, 1e-9);
    }
  }
}

/* What is imported may name what is there. */
static void imported_use(void) {
  const WbFieldRef children =
      wb_supervisor_node_get_field(wb_supervisor_node_get_root(), "children");
  const int count = wb_supervisor_field_get_count(children);
  wb_supervisor_field_import_mf_node_from_string(children, -1, "Pose { children [ USE BAG ] }");
  wb_supervisor_field_import_mf_node_from_string(children, -1, "Pose { children [ USE BUG ] }");
  EXPECT(wb_supervisor_field_get_count(children) == count + 1);
  const WbNodeRef pose = wb_supervisor_field_get_mf_node(children, -1);
  EXPECT(wb_supervisor_field_get_mf_node(wb_supervisor_node_get_field(pose, "children"), 0) ==
         wb_supervisor_node_get_from_def("BAG"));
  /* The tag of the robot itself is 0. */
  EXPECT(wb_supervisor_node_get_from_device(0) == wb_supervisor_node_get_self());
}

/* Whether a robot is a supervisor counts from its next step on. */
static void no_longer(int step_ms) {
  const WbNodeRef self = wb_supervisor_node_get_self();
  wb_supervisor_field_set_sf_bool(wb_supervisor_node_get_field(self, "supervisor"), false);
  EXPECT(wb_robot_get_supervisor());
  EXPECT(wb_supervisor_node_get_root() != NULL);
  wb_robot_step(step_ms);
  EXPECT(!wb_robot_get_supervisor());
  EXPECT(wb_supervisor_node_get_root() == NULL);
}

int main(void) {
  wb_robot_init();
  const int step_ms = (int)wb_robot_get_basic_time_step();
  nested_protos();
  wb_robot_step(step_ms);
  parts_of_bodies(step_ms);
  gone_with_their_parent(step_ms);
  made_again(step_ms);
  made_again_everywhere(step_ms);
  imported_use();
  no_longer(step_ms);
  wb_robot_cleanup();
  return failures;
}
