/* The world as a tree, for the controller of a Robot with `supervisor TRUE`: source compatible with
 * Webots (R2025a). Others get a message on stderr, once a function, and neutral values.
 *
 * Setters take effect at the next step, or before the next getter. What is read is as it is now.
 * Pointers that functions give are valid until the next call of the same function for the same node
 * or field. Nodes and fields that are gone answer with a message and neutral values.
 */
#ifndef WEBOTS_SUPERVISOR_H
#define WEBOTS_SUPERVISOR_H

#include <webots/contact_point.h>
#include <webots/nodes.h>
#include <webots/types.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef enum {
  WB_NO_FIELD = 0x00,
  WB_SF_BOOL = 0x01,
  WB_SF_INT32 = 0x02,
  WB_SF_FLOAT = 0x03,
  WB_SF_VEC2F = 0x04,
  WB_SF_VEC3F = 0x05,
  WB_SF_ROTATION = 0x06,
  WB_SF_COLOR = 0x07,
  WB_SF_STRING = 0x08,
  WB_SF_NODE = 0x09,
  WB_MF = 0x10,
  WB_MF_BOOL = 0x11,
  WB_MF_INT32 = 0x12,
  WB_MF_FLOAT = 0x13,
  WB_MF_VEC2F = 0x14,
  WB_MF_VEC3F = 0x15,
  WB_MF_ROTATION = 0x16,
  WB_MF_COLOR = 0x17,
  WB_MF_STRING = 0x18,
  WB_MF_NODE = 0x19
} WbFieldType;

typedef enum {
  WB_SUPERVISOR_SIMULATION_MODE_PAUSE = 0, /* refused: nobody could let it go on */
  WB_SUPERVISOR_SIMULATION_MODE_REAL_TIME,
  WB_SUPERVISOR_SIMULATION_MODE_FAST,
  WB_SUPERVISOR_SIMULATION_MODE_RUN = WB_SUPERVISOR_SIMULATION_MODE_FAST /* older name */
} WbSimulationMode;

/* The world. A file that is no whole path is relative to the controller's folder. */
void wb_supervisor_world_load(const char* filename);
bool wb_supervisor_world_save(const char* filename); /* NULL or "": where it was loaded from */
void wb_supervisor_world_reload(void);
void wb_supervisor_simulation_quit(int status);
/* All nodes are as they were loaded and the time is 0, at the end of the step; controllers go on.
 */
void wb_supervisor_simulation_reset(void);
void wb_supervisor_simulation_reset_physics(void); /* all bodies are at rest */
WbSimulationMode wb_supervisor_simulation_get_mode(void);
void wb_supervisor_simulation_set_mode(WbSimulationMode mode);

/* Text over pictures of the world and in the window: x and y of the upper left corner and size
 * 0..1, a line is half of size of the picture's height; color 0xRRGGBB. "" takes it away. The font
 * counts for nothing. */
void wb_supervisor_set_label(int id, const char* text, double x, double y, double size, int color,
                             double transparency, const char* font);
/* The world as its Viewpoint sees it, ray-cast; quality 1..100, of .jpg. */
void wb_supervisor_export_image(const char* filename, int quality);

/* What the Viewpoint sees, 25 pictures a second of the movie, from the next step on: an .mp4, or
 * .gif, through the program ffmpeg. quality 1..100; acceleration: simulated seconds in one of the
 * movie; the codec counts for nothing. Stopped, it is ready at once. What is not stopped ends with
 * the simulation. */
void wb_supervisor_movie_start_recording(const char* filename, int width, int height, int codec,
                                         int quality, int acceleration, bool caption);
void wb_supervisor_movie_stop_recording(void);
bool wb_supervisor_movie_is_ready(void);
bool wb_supervisor_movie_failed(void);
/* Animations are not made: says so. */
bool wb_supervisor_animation_start_recording(const char* filename);
bool wb_supervisor_animation_stop_recording(void);

/* Nodes. NULL where there is none. */
WbNodeRef wb_supervisor_node_get_root(void);
WbNodeRef wb_supervisor_node_get_self(void);
int wb_supervisor_node_get_id(WbNodeRef node); /* -1 for NULL */
WbNodeRef wb_supervisor_node_get_from_id(int id);
WbNodeRef wb_supervisor_node_get_from_device(WbDeviceTag tag);
WbNodeRef wb_supervisor_node_get_from_def(
    const char* def); /* "ROBOT.ARM.HAND": each below the other */
WbNodeRef wb_supervisor_node_get_from_proto_def(WbNodeRef node, const char* def);
WbNodeRef wb_supervisor_node_get_parent_node(WbNodeRef node);
WbNodeRef wb_supervisor_node_get_selected(void); /* nothing ever is: NULL */
WbNodeType wb_supervisor_node_get_type(WbNodeRef node);
const char* wb_supervisor_node_get_def(WbNodeRef node);
const char* wb_supervisor_node_get_type_name(WbNodeRef node);
const char* wb_supervisor_node_get_base_type_name(WbNodeRef node);
bool wb_supervisor_node_is_proto(WbNodeRef node);
WbProtoRef wb_supervisor_node_get_proto(WbNodeRef node);
void wb_supervisor_node_remove(WbNodeRef node);
const char* wb_supervisor_node_export_string(WbNodeRef node);

/* Fields: of an instance of a PROTO its parameters, of others those of the node type. */
WbFieldRef wb_supervisor_node_get_field(WbNodeRef node, const char* field_name);
WbFieldRef wb_supervisor_node_get_field_by_index(WbNodeRef node, int index);
int wb_supervisor_node_get_number_of_fields(WbNodeRef node);
/* Those of the node type that a PROTO is made of. */
WbFieldRef wb_supervisor_node_get_base_node_field(WbNodeRef node, const char* field_name);
WbFieldRef wb_supervisor_node_get_base_node_field_by_index(WbNodeRef node, int index);
int wb_supervisor_node_get_number_of_base_node_fields(WbNodeRef node);
/* Older names of these (until R2023b). */
WbFieldRef wb_supervisor_node_get_proto_field(WbNodeRef node, const char* field_name);
WbFieldRef wb_supervisor_node_get_proto_field_by_index(WbNodeRef node, int index);
int wb_supervisor_node_get_proto_number_of_fields(WbNodeRef node);

/* In the world: m, rad; rows of matrices. */
const double* wb_supervisor_node_get_position(WbNodeRef node);                  /* 3 */
const double* wb_supervisor_node_get_orientation(WbNodeRef node);               /* 9 */
const double* wb_supervisor_node_get_pose(WbNodeRef node, WbNodeRef from_node); /* 16 */
const double* wb_supervisor_node_get_velocity(
    WbNodeRef node); /* 6: m/s of the centre of mass, rad/s */
const double* wb_supervisor_node_get_center_of_mass(WbNodeRef node); /* 3, with descendants */
bool wb_supervisor_node_get_static_balance(WbNodeRef node);
int wb_supervisor_node_get_number_of_contact_points(WbNodeRef node, bool include_descendants);
const double* wb_supervisor_node_get_contact_point(WbNodeRef node, int index);
WbNodeRef wb_supervisor_node_get_contact_point_node(WbNodeRef node, int index);
WbContactPoint* wb_supervisor_node_get_contact_points(WbNodeRef node, bool include_descendants,
                                                      int* size);

void wb_supervisor_node_set_velocity(WbNodeRef node, const double velocity[6]);
void wb_supervisor_node_add_force(WbNodeRef node, const double force[3], bool relative);
void wb_supervisor_node_add_force_with_offset(WbNodeRef node, const double force[3],
                                              const double offset[3], bool relative);
void wb_supervisor_node_add_torque(WbNodeRef node, const double torque[3], bool relative);
void wb_supervisor_node_reset_physics(WbNodeRef node);
void wb_supervisor_node_set_joint_position(WbNodeRef node, double position, int index); /* 1..3 */
void wb_supervisor_node_save_state(WbNodeRef node, const char* state_name);
void wb_supervisor_node_load_state(WbNodeRef node, const char* state_name); /* or "__init__" */
void wb_supervisor_node_restart_controller(WbNodeRef node);
void wb_supervisor_node_move_viewpoint(WbNodeRef node);
void wb_supervisor_node_set_visibility(WbNodeRef node, WbNodeRef from, bool visible);

/* Read again by themselves every so many ms, with the step: their getters cost nothing more. */
void wb_supervisor_node_enable_pose_tracking(WbNodeRef node, int sampling_period,
                                             WbNodeRef from_node);
void wb_supervisor_node_disable_pose_tracking(WbNodeRef node, WbNodeRef from_node);
void wb_supervisor_node_enable_contact_points_tracking(WbNodeRef node, int sampling_period,
                                                       bool include_descendants);
void wb_supervisor_node_disable_contact_points_tracking(WbNodeRef node);
void wb_supervisor_field_enable_sf_tracking(WbFieldRef field, int sampling_period);
void wb_supervisor_field_disable_sf_tracking(WbFieldRef field);

const char* wb_supervisor_field_get_name(WbFieldRef field);
WbFieldType wb_supervisor_field_get_type(WbFieldRef field);
const char* wb_supervisor_field_get_type_name(WbFieldRef field); /* "SFVec3f" */
int wb_supervisor_field_get_count(WbFieldRef field);             /* -1 for single fields */
/* The field that a PROTO's parameter sets. */
WbFieldRef wb_supervisor_field_get_actual_field(WbFieldRef field);

bool wb_supervisor_field_get_sf_bool(WbFieldRef field);
int wb_supervisor_field_get_sf_int32(WbFieldRef field);
double wb_supervisor_field_get_sf_float(WbFieldRef field);
const double* wb_supervisor_field_get_sf_vec2f(WbFieldRef field);
const double* wb_supervisor_field_get_sf_vec3f(WbFieldRef field);
const double* wb_supervisor_field_get_sf_rotation(WbFieldRef field);
const double* wb_supervisor_field_get_sf_color(WbFieldRef field);
const char* wb_supervisor_field_get_sf_string(WbFieldRef field);
WbNodeRef wb_supervisor_field_get_sf_node(WbFieldRef field);

/* An index below 0 counts from the end. */
bool wb_supervisor_field_get_mf_bool(WbFieldRef field, int index);
int wb_supervisor_field_get_mf_int32(WbFieldRef field, int index);
double wb_supervisor_field_get_mf_float(WbFieldRef field, int index);
const double* wb_supervisor_field_get_mf_vec2f(WbFieldRef field, int index);
const double* wb_supervisor_field_get_mf_vec3f(WbFieldRef field, int index);
const double* wb_supervisor_field_get_mf_rotation(WbFieldRef field, int index);
const double* wb_supervisor_field_get_mf_color(WbFieldRef field, int index);
const char* wb_supervisor_field_get_mf_string(WbFieldRef field, int index);
WbNodeRef wb_supervisor_field_get_mf_node(WbFieldRef field, int index);

void wb_supervisor_field_set_sf_bool(WbFieldRef field, bool value);
void wb_supervisor_field_set_sf_int32(WbFieldRef field, int value);
void wb_supervisor_field_set_sf_float(WbFieldRef field, double value);
void wb_supervisor_field_set_sf_vec2f(WbFieldRef field, const double values[2]);
void wb_supervisor_field_set_sf_vec3f(WbFieldRef field, const double values[3]);
void wb_supervisor_field_set_sf_rotation(WbFieldRef field, const double values[4]);
void wb_supervisor_field_set_sf_color(WbFieldRef field, const double values[3]);
void wb_supervisor_field_set_sf_string(WbFieldRef field, const char* value);

void wb_supervisor_field_set_mf_bool(WbFieldRef field, int index, bool value);
void wb_supervisor_field_set_mf_int32(WbFieldRef field, int index, int value);
void wb_supervisor_field_set_mf_float(WbFieldRef field, int index, double value);
void wb_supervisor_field_set_mf_vec2f(WbFieldRef field, int index, const double values[2]);
void wb_supervisor_field_set_mf_vec3f(WbFieldRef field, int index, const double values[3]);
void wb_supervisor_field_set_mf_rotation(WbFieldRef field, int index, const double values[4]);
void wb_supervisor_field_set_mf_color(WbFieldRef field, int index, const double values[3]);
void wb_supervisor_field_set_mf_string(WbFieldRef field, int index, const char* value);

void wb_supervisor_field_insert_mf_bool(WbFieldRef field, int index, bool value);
void wb_supervisor_field_insert_mf_int32(WbFieldRef field, int index, int value);
void wb_supervisor_field_insert_mf_float(WbFieldRef field, int index, double value);
void wb_supervisor_field_insert_mf_vec2f(WbFieldRef field, int index, const double values[2]);
void wb_supervisor_field_insert_mf_vec3f(WbFieldRef field, int index, const double values[3]);
void wb_supervisor_field_insert_mf_rotation(WbFieldRef field, int index, const double values[4]);
void wb_supervisor_field_insert_mf_color(WbFieldRef field, int index, const double values[3]);
void wb_supervisor_field_insert_mf_string(WbFieldRef field, int index, const char* value);

void wb_supervisor_field_remove_mf(WbFieldRef field, int index);
void wb_supervisor_field_remove_sf(WbFieldRef field);
/* One or more nodes in the language of worlds; a position below 0 counts from the end: -1 is behind
 * all. */
void wb_supervisor_field_import_mf_node_from_string(WbFieldRef field, int position,
                                                    const char* node_string);
void wb_supervisor_field_import_sf_node_from_string(WbFieldRef field, const char* node_string);

const char* wb_supervisor_proto_get_type_name(WbProtoRef proto);
bool wb_supervisor_proto_is_derived(WbProtoRef proto);
WbProtoRef wb_supervisor_proto_get_parent(
    WbProtoRef proto); /* the PROTO that its body is made of */
WbFieldRef wb_supervisor_proto_get_field(WbProtoRef proto, const char* field_name);
WbFieldRef wb_supervisor_proto_get_field_by_index(WbProtoRef proto, int index);
int wb_supervisor_proto_get_number_of_fields(WbProtoRef proto);

/* There are no headsets. */
bool wb_supervisor_virtual_reality_headset_is_used(void);
const double* wb_supervisor_virtual_reality_headset_get_position(void);
const double* wb_supervisor_virtual_reality_headset_get_orientation(void);

/* Older names. */
void wb_supervisor_node_enable_contact_point_tracking(WbNodeRef node, int sampling_period,
                                                      bool include_descendants);
void wb_supervisor_node_disable_contact_point_tracking(WbNodeRef node, bool include_descendants);
void wb_supervisor_simulation_revert(void);
void wb_supervisor_simulation_physics_reset(void);
void wb_supervisor_load_world(const char* filename);
bool wb_supervisor_save_world(const char* filename);
void wb_supervisor_field_remove_mf_node(WbFieldRef field, int position);
void wb_supervisor_field_import_mf_node(WbFieldRef field, int position, const char* filename);
void wb_supervisor_field_import_sf_node(WbFieldRef field, const char* filename);
#define WB_SUPERVISOR_MOVIE_READY 0
#define WB_SUPERVISOR_MOVIE_RECORDING 1
#define WB_SUPERVISOR_MOVIE_SAVING 2
#define WB_SUPERVISOR_MOVIE_WRITE_ERROR 3
#define WB_SUPERVISOR_MOVIE_ENCODING_ERROR 4
#define WB_SUPERVISOR_MOVIE_SIMULATION_ERROR 5
int wb_supervisor_movie_get_status(void);
int wb_supervisor_get_movie_status(void);
void wb_supervisor_start_movie(const char* filename, int width, int height, int codec, int quality,
                               int acceleration, bool caption);
void wb_supervisor_stop_movie(void);

#ifdef __cplusplus
}
#endif

#endif /* WEBOTS_SUPERVISOR_H */
