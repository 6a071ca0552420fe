/* Webots' functions of a supervisor, one case a run: argv[1] says which. */
#include <math.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <webots/led.h>
#include <webots/range_finder.h>
#include <webots/robot.h>
#include <webots/supervisor.h>

static int failures = 0;

static void expect(bool good, const char* what, int line) {
  if (good) return;
  fprintf(stderr, "supervise.c:%d: %s\n", line, what);
  failures = 1;
}
#define EXPECT(condition) expect((condition), #condition, __LINE__)
#define NEAR(a, b, tolerance) expect(fabs((a) - (b)) <= (tolerance), #a " near " #b, __LINE__)
#define SAME_TEXT(a, b) expect(strcmp((a), (b)) == 0, #a " is " #b, __LINE__)

static int step_ms;
static void steps(int count) {
  for (int i = 0; i < count; ++i) {
    if (wb_robot_step(step_ms) == -1) exit(failures);
  }
}

static WbNodeRef def(const char* name) {
  const WbNodeRef node = wb_supervisor_node_get_from_def(name);
  if (!node) fprintf(stderr, "no DEF %s\n", name);
  EXPECT(node != NULL);
  return node;
}
static WbFieldRef field(const char* name, const char* of) {
  const WbFieldRef found = wb_supervisor_node_get_field(def(name), of);
  if (!found) fprintf(stderr, "no field %s of %s\n", of, name);
  EXPECT(found != NULL);
  return found;
}
static WbFieldRef children(void) {
  return wb_supervisor_node_get_field(wb_supervisor_node_get_root(), "children");
}

/* What the middle of a device's picture is from it, after a step. */
static double seen_by(const char* finder) {
  steps(1);
  return wb_range_finder_get_range_image(wb_robot_get_device(finder))[0];
}

static void hide_parts(void) {
  wb_range_finder_enable(wb_robot_get_device("a"), step_ms);
  wb_range_finder_enable(wb_robot_get_device("b"), step_ms);
  NEAR(seen_by("a"), 1.9, 1e-3);
  /* A Solid of which nothing is seen any more is no reason to stumble. */
  wb_supervisor_node_remove(def("LEAVES"));
  /* A Shape that moves with others. */
  wb_supervisor_node_set_visibility(def("FRONT"), def("A"), false);
  NEAR(seen_by("a"), 2.9, 1e-3);
  NEAR(seen_by("b"), 1.9, 1e-3);
  /* A Pose, a Solid without Physics in it, and what a joint below moves. */
  wb_supervisor_node_set_visibility(def("MIDDLE"), def("A"), false);
  NEAR(seen_by("a"), 4.9, 1e-3);
  NEAR(seen_by("b"), 1.9, 1e-3);
  /* Made anew, it is still hidden. */
  wb_supervisor_field_set_sf_float(field("BALL_OF_FRONT", "radius"), 0.2);
  NEAR(seen_by("b"), 1.8, 1e-3);
  NEAR(seen_by("a"), 4.9, 1e-3);
  wb_supervisor_node_set_visibility(def("MIDDLE"), def("A"), true);
  NEAR(seen_by("a"), 2.9, 1e-3);
  wb_supervisor_node_set_visibility(def("FRONT"), def("A"), true);
  NEAR(seen_by("a"), 1.8, 1e-3);
  /* All of it, then nothing of a node that shows nothing. */
  wb_supervisor_node_set_visibility(def("SCENE"), def("A"), false);
  NEAR(seen_by("a"), 4.9, 1e-3);
  wb_supervisor_node_set_visibility(def("SCENE"), def("A"), true);
  wb_supervisor_node_set_visibility(def("NOTHING"), def("A"), false);
  NEAR(seen_by("a"), 1.8, 1e-3);
}

static void read_tree(void) {
  const WbNodeRef root = wb_supervisor_node_get_root(), self = wb_supervisor_node_get_self();
  EXPECT(wb_supervisor_node_get_id(root) == 0);
  EXPECT(wb_supervisor_node_get_type(root) == WB_NODE_GROUP);
  EXPECT(wb_supervisor_field_get_count(children()) == 8);
  EXPECT(wb_supervisor_node_get_parent_node(self) == root);
  EXPECT(wb_supervisor_node_get_type(self) == WB_NODE_ROBOT);
  SAME_TEXT(wb_supervisor_node_get_type_name(self), "Robot");
  SAME_TEXT(wb_supervisor_node_get_def(self), "BOSS");
  EXPECT(wb_supervisor_node_get_from_def("BOSS") == self);
  EXPECT(wb_supervisor_node_get_from_id(wb_supervisor_node_get_id(self)) == self);
  EXPECT(wb_supervisor_node_get_from_def("NOBODY") == NULL);
  EXPECT(wb_supervisor_node_get_from_id(1000000) == NULL);
  EXPECT(wb_supervisor_node_get_selected() == NULL);
  /* Numbers are given as the text stands: WorldInfo is the first node. */
  SAME_TEXT(wb_supervisor_node_get_type_name(wb_supervisor_node_get_from_id(1)), "WorldInfo");
  /* Paths of DEFs. */
  EXPECT(wb_supervisor_node_get_from_def("ARM.JOINT.HAND") == def("HAND"));
  EXPECT(wb_supervisor_node_get_from_def("ARM.HAND") == def("HAND"));
  EXPECT(wb_supervisor_node_get_from_def("BALL.HAND") == NULL);
  SAME_TEXT(wb_supervisor_node_get_def(wb_supervisor_node_get_parent_node(def("HAND"))), "JOINT");
  EXPECT(wb_supervisor_node_get_from_device(wb_robot_get_device("gps")) == def("GPS"));
  /* A PROTO: its parameters, its base node's fields, and what is inside. */
  const WbNodeRef crate = def("CRATE");
  EXPECT(wb_supervisor_node_is_proto(crate) && !wb_supervisor_node_is_proto(self));
  SAME_TEXT(wb_supervisor_node_get_type_name(crate), "BigTestCrate");
  SAME_TEXT(wb_supervisor_node_get_base_type_name(crate), "Solid");
  EXPECT(wb_supervisor_node_get_number_of_fields(crate) == 3);
  EXPECT(wb_supervisor_node_get_field(crate, "boundingObject") == NULL);
  const WbFieldRef bounding = wb_supervisor_node_get_base_node_field(crate, "boundingObject");
  SAME_TEXT(wb_supervisor_node_get_type_name(wb_supervisor_field_get_sf_node(bounding)), "Box");
  EXPECT(wb_supervisor_node_get_proto_field(crate, "boundingObject") == bounding);
  NEAR(wb_supervisor_field_get_sf_vec3f(field("CRATE", "size"))[1], 0.5, 0);
  EXPECT(wb_supervisor_node_get_from_def("LOOK") == NULL);
  const WbNodeRef look = wb_supervisor_node_get_from_proto_def(crate, "LOOK");
  SAME_TEXT(wb_supervisor_node_get_type_name(look), "PBRAppearance");
  const WbProtoRef proto = wb_supervisor_node_get_proto(crate);
  SAME_TEXT(wb_supervisor_proto_get_type_name(proto), "BigTestCrate");
  EXPECT(wb_supervisor_proto_is_derived(proto));
  const WbProtoRef parent = wb_supervisor_proto_get_parent(proto);
  SAME_TEXT(wb_supervisor_proto_get_type_name(parent), "TestCrate");
  EXPECT(!wb_supervisor_proto_is_derived(parent) && wb_supervisor_proto_get_parent(parent) == NULL);
  EXPECT(wb_supervisor_proto_get_number_of_fields(parent) == 4);
  const WbFieldRef inside = wb_supervisor_node_get_base_node_field(crate, "translation");
  EXPECT(wb_supervisor_field_get_actual_field(inside) == field("CRATE", "translation"));
  /* Fields of all types. */
  const WbFieldRef color = wb_supervisor_node_get_field(look, "baseColor");
  EXPECT(wb_supervisor_field_get_type(color) == WB_SF_COLOR);
  SAME_TEXT(wb_supervisor_field_get_type_name(color), "SFColor");
  SAME_TEXT(wb_supervisor_field_get_name(color), "baseColor");
  NEAR(wb_supervisor_field_get_sf_color(color)[2], 0.75, 0);
  EXPECT(wb_supervisor_field_get_sf_bool(field("BOSS", "supervisor")));
  SAME_TEXT(wb_supervisor_field_get_sf_string(field("BOSS", "customData")), "some data");
  SAME_TEXT(wb_supervisor_field_get_mf_string(field("BOSS", "controllerArgs"), -1), "read");
  NEAR(wb_supervisor_field_get_sf_float(field("INFO", "basicTimeStep")), 8, 0);
  NEAR(wb_supervisor_field_get_sf_rotation(field("ARM", "rotation"))[3], 0.5, 0);
  EXPECT(wb_supervisor_field_get_mf_node(children(), 0) == def("INFO"));
  EXPECT(wb_supervisor_field_get_sf_node(field("BALL", "physics")) != NULL);
  EXPECT(wb_supervisor_field_get_sf_node(field("ARM", "physics")) == NULL);
  int count = 0;
  for (int i = 0; i < wb_supervisor_node_get_number_of_fields(self); ++i) {
    if (wb_supervisor_node_get_field_by_index(self, i)) ++count;
  }
  EXPECT(count == wb_supervisor_node_get_number_of_fields(self) && count > 10);
  /* In Webots' order. */
  const char *first[] = {"translation", "rotation", "children", "name", "model"};
  for (int i = 0; i < 5; ++i) {
    SAME_TEXT(wb_supervisor_field_get_name(wb_supervisor_node_get_field_by_index(self, i)), first[i]);
  }
  /* One of Protobeam's own comes after them. */
  const char *last[] = {"angularVelocity", "temperature"};
  for (int i = 0; i < 2; ++i) {
    SAME_TEXT(wb_supervisor_field_get_name(wb_supervisor_node_get_field_by_index(self, count - 2 + i)), last[i]);
  }
  const WbFieldRef step = wb_supervisor_node_get_field_by_index(def("BALL"), 14);
  SAME_TEXT(wb_supervisor_field_get_name(step), "rotationStep");
  /* A wrong type gives a message and a neutral value. */
  NEAR(wb_supervisor_field_get_sf_float(color), 0, 0);
  EXPECT(wb_supervisor_field_get_count(color) == -1);
  /* A pose within another: HAND is 0.2 above ARM, whatever its rotation. */
  const double* pose = wb_supervisor_node_get_pose(def("HAND"), def("ARM"));
  NEAR(pose[11], 0.2, 1e-12);
  NEAR(pose[0], 1, 1e-12);
  const double* R = wb_supervisor_node_get_orientation(def("ARM"));
  NEAR(R[0], cos(0.5), 1e-12);
  NEAR(R[3], sin(0.5), 1e-12);
  /* The ball falls from 5 m; half a second later: substeps of 2 ms, velocity first. */
  wb_supervisor_field_enable_sf_tracking(field("BALL", "translation"), step_ms);
  steps(50);
  const double t = 50 * step_ms / 1000.0, h = 0.002, g = 9.81;
  const double fallen = g * t * (t + h) / 2;
  NEAR(wb_supervisor_node_get_position(def("BALL"))[2], 5 - fallen, 1e-9);
  NEAR(wb_supervisor_field_get_sf_vec3f(field("BALL", "translation"))[2], 5 - fallen, 1e-9);
  NEAR(wb_supervisor_node_get_velocity(def("BALL"))[2], -g * t, 1e-9);
  NEAR(wb_supervisor_node_get_center_of_mass(def("BALL"))[2], 5 - fallen, 1e-9);
  EXPECT(wb_supervisor_node_get_number_of_contact_points(def("BALL"), false) == 0);
  /* Between the samples of what is tracked it is what it is now, as in Webots. */
  wb_supervisor_node_enable_pose_tracking(def("BALL"), 4 * step_ms, NULL);
  wb_supervisor_field_enable_sf_tracking(field("BALL", "translation"), 4 * step_ms);
  for (int i = 0; i < 6; ++i) {
    const double before = wb_supervisor_node_get_pose(def("BALL"), NULL)[11];
    steps(1);
    const double now = wb_supervisor_node_get_pose(def("BALL"), NULL)[11];
    EXPECT(now < before - 0.01);
    EXPECT(wb_supervisor_node_get_position(def("BALL"))[2] == now);
    EXPECT(wb_supervisor_field_get_sf_vec3f(field("BALL", "translation"))[2] == now);
  }
  /* The box lies on the floor: corners of a square of 0.4 m. */
  int size = 0;
  const WbContactPoint* points = wb_supervisor_node_get_contact_points(def("BOX"), true, &size);
  EXPECT(size >= 3);
  for (int i = 0; i < size; ++i) {
    NEAR(fabs(points[i].point[0] - 2), 0.2, 0.02);
    NEAR(points[i].point[2], 0, 0.01);
    EXPECT(points[i].node_id == wb_supervisor_node_get_id(def("BOX")));
  }
  EXPECT(wb_supervisor_node_get_static_balance(def("BOX")));
  EXPECT(!wb_supervisor_node_get_static_balance(def("BALL")));
  EXPECT(strstr(wb_supervisor_node_export_string(crate), "BigTestCrate") != NULL);
}

/* Each is refused with a line on stderr. */
static void make_mistakes(void) {
  const WbFieldRef args = field("BOSS", "controllerArgs");
  const WbFieldRef top = wb_supervisor_node_get_field(wb_supervisor_node_get_root(), "children");
  const int count = wb_supervisor_field_get_count(top);
  wb_supervisor_set_label(1, "far", 1.5, 0.1, 0.1, 0, 0, "Arial");
  wb_supervisor_set_label(1, "far", 0.1, -0.5, 0.1, 0, 0, "Arial");
  wb_supervisor_set_label(1, "large", 0.1, 0.1, 2, 0, 0, "Arial");
  wb_supervisor_set_label(1, "clear", 0.1, 0.1, 0.1, 0, 3, "Arial");
  wb_supervisor_set_label(1, "plain", 0.1, 0.1, 0.1, 0, 0, NULL);
  SAME_TEXT(wb_supervisor_field_get_mf_string(args, -5), "");
  wb_supervisor_field_set_mf_string(args, -6, "x");
  wb_supervisor_field_insert_mf_string(args, -7, "x");
  wb_supervisor_field_remove_mf(args, -8);
  wb_supervisor_field_import_mf_node_from_string(top, -99, "Group { }");
  EXPECT(wb_supervisor_field_get_count(top) == count);
  EXPECT(wb_supervisor_field_get_count(args) == 1);
}

static void write_fields(void) {
  const double place[3] = {7, -3, 4}, zero[6] = {0}, turn[4] = {0, 0, 1, 1.25};
  /* What is tracked is what was set, too. */
  wb_supervisor_field_enable_sf_tracking(field("BALL", "translation"), step_ms);
  wb_supervisor_node_enable_pose_tracking(def("BALL"), step_ms, NULL);
  steps(1);
  wb_supervisor_field_set_sf_vec3f(field("BALL", "translation"), place);
  wb_supervisor_field_set_sf_rotation(field("BALL", "rotation"), turn);
  NEAR(wb_supervisor_node_get_position(def("BALL"))[0], 7, 1e-12);
  /* On the same step: what was set. */
  const double* now = wb_supervisor_field_get_sf_vec3f(field("BALL", "translation"));
  EXPECT(now[0] == 7 && now[1] == -3 && now[2] == 4);
  NEAR(wb_supervisor_field_get_sf_rotation(field("BALL", "rotation"))[3], 1.25, 0);
  NEAR(wb_supervisor_node_get_orientation(def("BALL"))[0], cos(1.25), 1e-12);
  /* Velocities and forces: F = m a, with the 2 kg of the ball; no gravity meanwhile. */
  wb_supervisor_field_set_sf_float(field("INFO", "gravity"), 0);
  const double v[6] = {1, 2, 3, 0, 0, 0};
  wb_supervisor_node_set_velocity(def("BALL"), v);
  NEAR(wb_supervisor_node_get_velocity(def("BALL"))[1], 2, 1e-12);
  steps(10);
  const double dt = step_ms / 1000.0;
  NEAR(wb_supervisor_node_get_position(def("BALL"))[0], 7 + 10 * dt, 1e-9);
  NEAR(wb_supervisor_node_get_position(def("BALL"))[2], 4 + 30 * dt, 1e-9);
  wb_supervisor_node_set_velocity(def("BALL"), zero);
  const double force[3] = {5, 0, 0};
  wb_supervisor_node_add_force(def("BALL"), force, false);
  steps(1);
  NEAR(wb_supervisor_node_get_velocity(def("BALL"))[0], 5 / 2.0 * dt, 1e-9);
  /* In its own axes, which are turned by 1.25 rad. */
  wb_supervisor_node_set_velocity(def("BALL"), zero);
  wb_supervisor_node_add_force(def("BALL"), force, true);
  steps(1);
  NEAR(wb_supervisor_node_get_velocity(def("BALL"))[0], 5 / 2.0 * dt * cos(1.25), 1e-9);
  NEAR(wb_supervisor_node_get_velocity(def("BALL"))[1], 5 / 2.0 * dt * sin(1.25), 1e-9);
  /* A torque on a ball of radius 0.1 m: I = 2/5 m r^2. */
  wb_supervisor_node_set_velocity(def("BALL"), zero);
  const double torque[3] = {0, 0, 0.01};
  wb_supervisor_node_add_torque(def("BALL"), torque, false);
  steps(1);
  NEAR(wb_supervisor_node_get_velocity(def("BALL"))[5], 0.01 / (0.4 * 2 * 0.01) * dt, 1e-9);
  wb_supervisor_node_reset_physics(def("BALL"));
  NEAR(wb_supervisor_node_get_velocity(def("BALL"))[5], 0, 0);
  /* A joint without a motor: the hand turns about z, 1 m out on x. */
  wb_supervisor_node_set_joint_position(def("JOINT"), 0.7, 1);
  const WbFieldRef position = wb_supervisor_node_get_field(
      wb_supervisor_field_get_sf_node(field("JOINT", "jointParameters")), "position");
  NEAR(wb_supervisor_field_get_sf_float(position), 0.7, 1e-12);
  NEAR(wb_supervisor_node_get_pose(def("HAND"), def("ARM"))[0], cos(0.7), 1e-9);
  /* States. */
  wb_supervisor_node_save_state(def("BALL"), "here");
  const double here = wb_supervisor_node_get_position(def("BALL"))[0];
  wb_supervisor_field_set_sf_vec3f(field("BALL", "translation"), place);
  wb_supervisor_node_load_state(def("BALL"), "here");
  EXPECT(wb_supervisor_node_get_position(def("BALL"))[0] == here);
  wb_supervisor_node_load_state(def("BALL"), "__init__");
  NEAR(wb_supervisor_node_get_position(def("BALL"))[2], 5, 1e-12);
  /* Texts, lists and lists of numbers. */
  wb_supervisor_field_set_sf_string(field("BOSS", "customData"), "other");
  SAME_TEXT(wb_supervisor_field_get_sf_string(field("BOSS", "customData")), "other");
  const WbFieldRef args = field("BOSS", "controllerArgs");
  wb_supervisor_field_insert_mf_string(args, -1, "last");
  wb_supervisor_field_insert_mf_string(args, 0, "first");
  EXPECT(wb_supervisor_field_get_count(args) == 3);
  SAME_TEXT(wb_supervisor_field_get_mf_string(args, 0), "first");
  SAME_TEXT(wb_supervisor_field_get_mf_string(args, -1), "last");
  wb_supervisor_field_remove_mf(args, 0);
  SAME_TEXT(wb_supervisor_field_get_mf_string(args, 0), "write");
  steps(1);
  SAME_TEXT(wb_robot_get_custom_data(), "other");
  wb_robot_set_custom_data("own");
  SAME_TEXT(wb_supervisor_field_get_sf_string(field("BOSS", "customData")), "own");
  wb_supervisor_field_set_sf_string(field("BOSS", "customData"), "field");
  wb_robot_set_custom_data("robot"); /* the later one counts */
  steps(1);
  SAME_TEXT(wb_robot_get_custom_data(), "robot");
  SAME_TEXT(wb_supervisor_field_get_sf_string(field("BOSS", "customData")), "robot");
  /* What a battery holds; a step takes 8 ms. */
  const WbFieldRef battery = field("BOSS", "battery");
  const double charge = wb_supervisor_field_get_mf_float(battery, 0);
  EXPECT(charge > 0 && charge < 500);
  steps(5);
  NEAR(wb_supervisor_field_get_mf_float(battery, 0), charge - 5 * 0.08, 1e-9);
  wb_supervisor_field_set_mf_float(battery, 0, 700);
  wb_supervisor_field_set_sf_float(field("BOSS", "cpuConsumption"), 100);
  steps(5);
  NEAR(wb_supervisor_field_get_mf_float(battery, 0), 700 - 5 * 0.8, 1e-9);
  /* What is not allowed changes nothing. */
  const double bad[3] = {-1, 1, 1};
  const WbNodeRef box = wb_supervisor_field_get_sf_node(field("BOX", "boundingObject"));
  wb_supervisor_field_set_sf_vec3f(wb_supervisor_node_get_field(box, "size"), bad);
  NEAR(wb_supervisor_field_get_sf_vec3f(wb_supervisor_node_get_field(box, "size"))[0], 0.4, 0);
  /* A bigger boundingObject: it rests higher, after gravity is back. */
  const double big[3] = {0.4, 0.4, 1};
  wb_supervisor_field_set_sf_vec3f(wb_supervisor_node_get_field(box, "size"), big);
  wb_supervisor_field_set_sf_float(field("INFO", "gravity"), 9.81);
  const double up[3] = {2, 0, 0.6};
  wb_supervisor_field_set_sf_vec3f(field("BOX", "translation"), up);
  steps(200);
  NEAR(wb_supervisor_node_get_position(def("BOX"))[2], 0.5, 0.01);
  /* A parameter of a PROTO inside a PROTO: what is made of it follows. */
  const double size[3] = {1, 1, 1};
  wb_supervisor_field_set_sf_vec3f(field("CRATE", "size"), size);
  const WbNodeRef solid = wb_supervisor_field_get_sf_node(
      wb_supervisor_node_get_base_node_field(def("CRATE"), "boundingObject"));
  NEAR(wb_supervisor_field_get_sf_vec3f(wb_supervisor_node_get_field(solid, "size"))[0], 1, 0);
  /* A removed node is gone, and says so. */
  const WbNodeRef ball = def("BALL");
  wb_supervisor_node_remove(ball);
  EXPECT(wb_supervisor_node_get_from_def("BALL") == NULL);
  EXPECT(isnan(wb_supervisor_node_get_position(ball)[0]));
}

/* Solids without Physics go on with the velocity that they are given, in their parent's frame. */
static void glide(void) {
  const double dt = step_ms / 1000.0, half_pi = acos(0);
  const double along_y[6] = {0, 0.5, 0, 0, 0, 0}, still[6] = {0};
  wb_supervisor_node_set_velocity(def("CART"), along_y);
  steps(20);
  /* CART stands 1 m up, turned by a quarter about z in a Pose that is turned likewise. */
  const double* p = wb_supervisor_node_get_position(def("CART"));
  NEAR(p[0], -3 - 0.5 * 20 * dt, 1e-12);
  NEAR(p[1], 0, 1e-12);
  NEAR(wb_supervisor_field_get_sf_vec3f(field("CART", "translation"))[1], 0.5 * 20 * dt, 1e-12);
  /* What stands in it rides along, and says so. */
  NEAR(wb_supervisor_node_get_velocity(def("LAMP"))[0], -0.5, 1e-12);
  NEAR(wb_supervisor_node_get_position(def("LAMP"))[0], p[0] - 2, 1e-12);
  wb_supervisor_node_set_velocity(def("CART"), still);
  const double before = wb_supervisor_node_get_position(def("CART"))[0];
  steps(3);
  EXPECT(wb_supervisor_node_get_position(def("CART"))[0] == before);
  /* A turn about the vertical: LAMP, 2 m out, is carried around. */
  const double turn[6] = {0, 0, 0, 0, 0, 2};
  wb_supervisor_node_set_velocity(def("CART"), turn);
  NEAR(wb_supervisor_node_get_velocity(def("LAMP"))[1], -4, 1e-12);
  NEAR(wb_supervisor_node_get_velocity(def("LAMP"))[5], 2, 1e-12);
  steps(25);
  const double angle = 2 * half_pi + 2 * 25 * dt;
  const double* lamp = wb_supervisor_node_get_position(def("LAMP"));
  NEAR(lamp[0], before + 2 * cos(angle), 1e-9);
  NEAR(lamp[1], 2 * sin(angle), 1e-9);
  wb_supervisor_node_set_velocity(def("CART"), still);
  /* So does ARM, on which HAND hangs by a joint; and the world as it was has nobody under way. */
  wb_supervisor_node_set_velocity(def("ARM"), along_y);
  steps(2);
  NEAR(wb_supervisor_node_get_position(def("HAND"))[1], 0.5 * 2 * dt, 1e-9);
  wb_supervisor_simulation_reset();
  steps(3);
  EXPECT(wb_supervisor_node_get_position(def("ARM"))[1] == 0);
  EXPECT(wb_supervisor_node_get_velocity(def("ARM"))[1] == 0);
}

static void reset(void) {
  double first[20], height;
  for (int i = 0; i < 20; ++i) {
    steps(1);
    first[i] = wb_supervisor_node_get_position(def("BALL"))[2];
  }
  const WbNodeRef ball = def("BALL");
  const double place[3] = {0, 0, 9};
  wb_supervisor_field_set_sf_vec3f(field("BALL", "translation"), place);
  wb_supervisor_node_remove(def("BOX"));
  wb_supervisor_field_import_mf_node_from_string(children(), -1, "DEF NEW Solid { name \"new\" }");
  EXPECT(wb_supervisor_node_get_from_def("NEW") != NULL);
  steps(3);
  wb_supervisor_simulation_reset();
  for (int i = 0; i < 20; ++i) {
    steps(1);
    NEAR(wb_robot_get_time(), (i + 1) * step_ms / 1000.0, 1e-9);
    height = wb_supervisor_node_get_position(ball)[2];
    EXPECT(height == first[i]);
  }
  EXPECT(wb_supervisor_node_get_from_def("NEW") == NULL);
  EXPECT(wb_supervisor_node_get_from_def("BOX") != NULL);
}

static const char* const kRobot =
    "Robot { name \"guest\" controller \"guest\" translation 3 3 1 children ["
    " Shape { geometry Box { size 0.1 0.1 0.1 } } GPS { } ]"
    " boundingObject Box { size 0.1 0.1 0.1 } physics Physics { } }";

/* What it names lies beside the world's file, wherever the simulator runs. */
static void import_meshes(void) {
  WbFieldRef children = wb_supervisor_node_get_field(wb_supervisor_node_get_root(), "children");
  const char* text =
      "DEF %s Solid { name \"%s\" children [ Shape { geometry Mesh { url [ \"%s\" ] } } ] }";
  char solid[200];
  sprintf(solid, text, "THERE", "there", "meshes/there.obj");
  wb_supervisor_field_import_mf_node_from_string(children, -1, solid);
  sprintf(solid, text, "NOT_THERE", "not there", "meshes/not_there.obj");
  wb_supervisor_field_import_mf_node_from_string(children, -1, solid);
  steps(2);
  EXPECT(wb_supervisor_node_get_from_def("THERE") != NULL);
  printf("%s\n", wb_supervisor_node_get_from_def("NOT_THERE") ? "goes on without it" : "refused");
  wb_supervisor_field_import_mf_node_from_string(children, -1, "DEF DROID BB-9 { }");
  steps(2);
  EXPECT(wb_supervisor_node_get_from_def("DROID") == NULL);
  wb_supervisor_simulation_quit(failures);
}

/* Of the simulator, which has started this program. */
static long resident_kib(void) {
  char line[200];
  long found = -1;
  snprintf(line, sizeof line, "/proc/%d/status", (int)getppid());
  FILE* status = fopen(line, "r");
  while (status && fgets(line, sizeof line, status)) sscanf(line, "VmRSS: %ld", &found);
  if (status) fclose(status);
  return found;
}

static void spawn(bool with_steps, int rounds, const char* what) {
  long before_kib = 0;
  for (int i = 0; i < rounds; ++i) {
    if (i == rounds / 5) before_kib = resident_kib();
    const int before = wb_supervisor_field_get_count(children());
    wb_supervisor_field_import_mf_node_from_string(children(), -1, what);
    EXPECT(wb_supervisor_field_get_count(children()) == before + 1);
    if (with_steps) steps(1);
    wb_supervisor_field_remove_mf(children(), -1);
    EXPECT(wb_supervisor_field_get_count(children()) == before);
    if (failures) return;
  }
  EXPECT(before_kib > 0);
  const long grown = resident_kib() - before_kib;
  printf("memory grew by %s than 4 MiB (%ld KiB)\n", grown < 4096 ? "less" : "more", grown);
}

static void guests(void) {
  wb_supervisor_field_import_mf_node_from_string(children(), -1, kRobot);
  steps(40);
  /* The guest's own controller has written what its GPS says. */
  const WbNodeRef guest = wb_supervisor_field_get_mf_node(children(), -1);
  const char* data =
      wb_supervisor_field_get_sf_string(wb_supervisor_node_get_field(guest, "customData"));
  NEAR(atof(data), wb_supervisor_node_get_position(guest)[2], 0.1);
  EXPECT(strlen(data) > 0);
  /* The name is taken: this one gets a number, and its controller runs, too. */
  wb_supervisor_field_import_mf_node_from_string(children(), -1, kRobot);
  steps(40);
  const WbNodeRef second = wb_supervisor_field_get_mf_node(children(), -1);
  EXPECT(second != guest);
  const WbFieldRef name = wb_supervisor_node_get_field(second, "name");
  EXPECT(strcmp(wb_supervisor_field_get_sf_string(name), "guest(1)") == 0);
  data = wb_supervisor_field_get_sf_string(wb_supervisor_node_get_field(second, "customData"));
  NEAR(atof(data), wb_supervisor_node_get_position(second)[2], 0.1);
  /* Another one with that number has the next one. */
  wb_supervisor_field_import_mf_node_from_string(children(), -1, "Robot { name \"guest(1)\" }");
  const WbNodeRef third = wb_supervisor_field_get_mf_node(children(), -1);
  const WbFieldRef next = wb_supervisor_node_get_field(third, "name");
  EXPECT(strcmp(wb_supervisor_field_get_sf_string(next), "guest(2)") == 0);
  wb_supervisor_node_remove(third);
  wb_supervisor_node_remove(second);
  wb_supervisor_field_import_mf_node_from_string(children(), -1, "Solid { naem \"x\" }");
  EXPECT(wb_supervisor_field_get_mf_node(children(), -1) == guest);
  wb_supervisor_node_remove(guest);
  steps(5);
}

/* After the last step there is nobody to ask: the program gets what it has read last. */
static volatile bool asked_all = false;
static void* ask_often(void* unused) {
  for (int i = 0; i < 300; ++i) {
    NEAR(wb_supervisor_node_get_position(def("ARM"))[0], -4, 1e-9);
    wb_supervisor_node_set_visibility(def("ARM"), def("BOSS"), i % 2 == 0);
  }
  asked_all = true;
  return unused;
}

/* As in Webots: who asks while another thread steps waits for the end of its step. */
static void ask_while_stepping(void) {
  pthread_t other;
  EXPECT(pthread_create(&other, NULL, ask_often, NULL) == 0);
  int count = 0;
  while (!asked_all && count++ < 20000) steps(1);
  pthread_join(other, NULL);
  EXPECT(asked_all);
  EXPECT(count < 20000);
  /* Not within its own step. */
  wb_robot_step_begin(step_ms);
  EXPECT(wb_supervisor_node_get_root() == NULL);
  wb_robot_step_end();
  wb_supervisor_simulation_quit(failures);
}

/* BALL goes, something comes, changes its colour and has its old one again. */
static void animate(void) {
  EXPECT(!wb_supervisor_animation_stop_recording());
  EXPECT(!wb_supervisor_animation_start_recording("seen.txt"));
  EXPECT(wb_supervisor_animation_start_recording("seen.glb"));
  EXPECT(!wb_supervisor_animation_start_recording("other.glb"));
  steps(25);
  wb_supervisor_node_remove(def("BALL"));
  wb_supervisor_field_import_mf_node_from_string(
      children(), -1,
      "DEF NEW Solid { translation 1 2 3 name \"new\" children [ Shape {"
      " appearance DEF PAINT PBRAppearance { baseColor 0 0 1 } geometry Box { size 1 1 1 } } ] }");
  steps(25);
  const double red[3] = {1, 0, 0}, blue[3] = {0, 0, 1}, place[3] = {1, 2, 5};
  wb_supervisor_field_set_sf_color(field("PAINT", "baseColor"), red);
  wb_supervisor_field_set_sf_vec3f(field("NEW", "translation"), place);
  steps(25);
  wb_supervisor_field_set_sf_color(field("PAINT", "baseColor"), blue);
  wb_led_set(wb_robot_get_device("led"), 2);
  steps(25);
  wb_led_set(wb_robot_get_device("led"), 0);
  steps(25);
  EXPECT(wb_supervisor_animation_stop_recording());
  wb_supervisor_simulation_quit(failures);
}

static void read_after_the_end(void) {
  const WbNodeRef ball = def("BALL"), box = def("BOX"), arm = def("ARM");
  const WbFieldRef place = field("BALL", "translation"), args = field("BOSS", "controllerArgs");
  const WbFieldRef mass = wb_supervisor_node_get_field(
      wb_supervisor_field_get_sf_node(field("BALL", "physics")), "mass");
  double z, velocity, height, cosine;
  do {
    z = wb_supervisor_node_get_position(ball)[2];
    velocity = wb_supervisor_node_get_velocity(ball)[2];
    height = wb_supervisor_field_get_sf_vec3f(place)[2];
    cosine = wb_supervisor_node_get_orientation(arm)[0];
    NEAR(wb_supervisor_field_get_sf_float(mass), 2, 1e-12);
    SAME_TEXT(wb_supervisor_field_get_mf_string(args, 0), "end");
    EXPECT(wb_supervisor_field_get_count(args) == 1);
    wb_supervisor_node_get_center_of_mass(box);
    wb_supervisor_set_label(0, "seen", 0.1, 0.1, 0.1, 0, 0, "Arial"); /* at the end it comes too late */
  } while (wb_robot_step(step_ms) != -1);
  /* It has fallen until now: nothing that was read is older. */
  const double t = wb_robot_get_time();
  NEAR(velocity, -9.81 * t, 1e-3);
  NEAR(z, 5 - 9.81 / 2 * t * t, 9.81 / 2 * t * 0.008 + 1e-6); /* as far as the step is wide */
  EXPECT(t > 0.4);
  EXPECT(wb_supervisor_node_get_position(ball)[2] == z);
  EXPECT(wb_supervisor_node_get_velocity(ball)[2] == velocity);
  EXPECT(wb_supervisor_field_get_sf_vec3f(place)[2] == height);
  NEAR(wb_supervisor_node_get_orientation(arm)[0], cosine, 0);
  NEAR(wb_supervisor_field_get_sf_float(mass), 2, 1e-12);
  SAME_TEXT(wb_supervisor_field_get_mf_string(args, 0), "end");
  EXPECT(wb_supervisor_field_get_count(args) == 1);
  NEAR(wb_supervisor_node_get_center_of_mass(box)[0], 2, 1e-3);
  /* What it has never asked for is not known. */
  EXPECT(isnan(wb_supervisor_node_get_position(box)[0]));
}

int main(int argc, char** argv) {
  wb_robot_init();
  step_ms = (int)wb_robot_get_basic_time_step();
  const char* which = argc > 1 ? argv[1] : "";
  if (strcmp(which, "read") == 0) read_tree();
  if (strcmp(which, "write") == 0) write_fields();
  if (strcmp(which, "mistakes") == 0) make_mistakes();
  if (strcmp(which, "glide") == 0) glide();
  if (strcmp(which, "reset") == 0) reset();
  if (strcmp(which, "guests") == 0) guests();
  if (strcmp(which, "meshes") == 0) import_meshes();
  if (strcmp(which, "hide") == 0) hide_parts();
  if (strcmp(which, "animate") == 0) animate();
  if (strcmp(which, "threads") == 0) ask_while_stepping();
  if (strcmp(which, "robots") == 0)
    spawn(false, 1000,
          "Robot { name \"passing\" children [ Shape "
          "{ geometry Sphere { } } GPS { } ] boundingObject Sphere { } physics Physics { } }");
  if (strcmp(which, "rounds") == 0)
    spawn(true, 1000,
          "Solid { name \"passing\" translation 50 0 9 children "
          "[ Shape { geometry Sphere { } } PointLight { } ] boundingObject Sphere { } physics "
          "Physics { } }");
  if (strcmp(which, "quit") == 0) {
    steps(3);
    wb_supervisor_simulation_quit(7);
    wb_robot_cleanup();
    return 0;
  }
  if (strcmp(which, "end") == 0) {
    read_after_the_end();
    wb_robot_cleanup();
    return failures;
  }
  if (strcmp(which, "reload") == 0 && wb_robot_get_time() == 0) {
    /* The second time the file that the first one has left is there. */
    FILE* seen = fopen("reloaded", "r");
    if (seen) {
      fclose(seen);
      steps(2);
      wb_supervisor_simulation_quit(5);
      return 0;
    }
    fclose(fopen("reloaded", "w"));
    steps(2);
    EXPECT(wb_supervisor_world_save("saved.wbt"));
    wb_supervisor_export_image("seen.jpg", 80);
    wb_supervisor_world_reload();
  }
  if (strcmp(which, "illegal") == 0) {
    EXPECT(wb_supervisor_node_get_root() == NULL);
    EXPECT(wb_supervisor_node_get_root() == NULL);
    /* Its own form is nobody's secret. */
    EXPECT(strstr(wb_robot_get_urdf("my_"), "<link name=\"my_base_link\"") != NULL);
    EXPECT(strstr(wb_robot_get_urdf(""), "<link name=\"gps\"") != NULL);
    SAME_TEXT(wb_robot_get_urdf(NULL), "");
    wb_supervisor_simulation_quit(9);
  }
  while (wb_robot_step(step_ms) != -1 && !failures) {
  }
  wb_robot_cleanup();
  return failures;
}
