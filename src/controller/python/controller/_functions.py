"""The C functions of libController that the package calls, with their types: Webots R2025a's headers
and protobeam/device.h, protobeam/metric.h, protobeam/vehicle.h. tests/python compares this table with the headers.

    PREFIX (TYPE OF THE FIRST ARGUMENT OF ALL)
      RESULT  NAME(OTHER ARGUMENTS) ...
"""

import re

_TABLE = """
pb_ ()
  void    metric(text,double)
pb_device_ (tag)
  void    disable enable(int) enable_every(double) next_message
  bool    channel_by_index(int,ref) command(text,doubles,int) command_bytes(text,bytes,int)
          record_component(text,int,ref,ref,ref)
  int     get_number_of_channels get_number_of_messages get_sampling_period
  double  number(text,double)
  text    get_api get_type text(text)
  doubles list(text,ref)
  bytes   message(ref,ref,ref)
pb_vehicle_ (tag)
  void    disable enable(int) set_speed(double,double) set_torques(doubles,int,double)
          set_twist(double,double,double)
  bool    has_collided is_wheel_driven(int) takes(int)
  int     get_number_of_torques get_number_of_wheels get_sampling_period
  double  get_max_steering get_max_torque get_wheel_radius(int) get_wheelbase
  text    get_controller get_drive
  doubles get_wheel_position(int)
  pose    get_odometry_pose get_true_pose
  twist   get_odometry_twist get_true_twist
  wheel   get_wheel(int)
wb_accelerometer_ (tag)
  void    disable enable(int)
  int     get_lookup_table_size get_sampling_period
  doubles get_lookup_table get_values
wb_altimeter_ (tag)
  void    disable enable(int)
  int     get_sampling_period
  double  get_value
wb_brake_ (tag)
  void    set_damping_constant(double)
  int     get_type
  tag     get_motor get_position_sensor
wb_camera_ (tag)
  void    disable enable(int) recognition_disable recognition_disable_segmentation recognition_enable(int)
          recognition_enable_segmentation set_exposure(double) set_focal_distance(double) set_fov(double)
  bool    has_recognition recognition_has_segmentation recognition_is_segmentation_enabled
  int     get_height get_sampling_period get_width recognition_get_number_of_objects
          recognition_get_sampling_period recognition_save_segmentation_image(text,int) save_image(text,int)
  double  get_exposure get_focal_distance get_focal_length get_fov get_max_focal_distance get_max_fov
          get_min_focal_distance get_min_fov get_near
  ref     recognition_get_objects
  bytes   get_image recognition_get_segmentation_image
wb_compass_ (tag)
  void    disable enable(int)
  int     get_lookup_table_size get_sampling_period
  doubles get_lookup_table get_values
wb_connector_ (tag)
  void    disable_presence enable_presence(int) lock unlock
  bool    is_locked
  int     get_presence get_presence_sampling_period
wb_device_ (tag)
  int     get_node_type
  text    get_model get_name
wb_differential_wheels_ ()
  void    disable_encoders enable_encoders(int) set_encoders(double,double) set_speed(double,double)
  int     get_encoders_sampling_period
  double  get_left_encoder get_left_speed get_max_speed get_right_encoder get_right_speed get_speed_unit
wb_display_ (tag)
  void    attach_camera(tag) detach_camera draw_line(int,int,int,int) draw_oval(int,int,int,int)
          draw_pixel(int,int) draw_polygon(ints,ints,int) draw_rectangle(int,int,int,int)
          draw_text(text,int,int) fill_oval(int,int,int,int) fill_polygon(ints,ints,int)
          fill_rectangle(int,int,int,int) image_delete(ref) image_paste(ref,int,int,bool)
          image_save(ref,text) set_alpha(double) set_color(int) set_font(text,int,bool) set_opacity(double)
  int     get_height get_width
  ref     image_copy(int,int,int,int) image_load(text) image_new(int,int,bytes,int)
wb_distance_sensor_ (tag)
  void    disable enable(int)
  int     get_lookup_table_size get_sampling_period get_type
  double  get_aperture get_max_value get_min_value get_value
  doubles get_lookup_table
wb_emitter_ (tag)
  void    set_channel(int) set_range(double)
  int     get_buffer_size get_channel send(bytes,int)
  double  get_range
wb_gps_ ()
  text    convert_to_degrees_minutes_seconds(double)
wb_gps_ (tag)
  void    disable enable(int)
  int     get_coordinate_system get_sampling_period
  double  get_speed
  doubles get_speed_vector get_values
wb_gyro_ (tag)
  void    disable enable(int)
  int     get_lookup_table_size get_sampling_period
  doubles get_lookup_table get_values
wb_inertial_unit_ (tag)
  void    disable enable(int)
  int     get_sampling_period
  double  get_noise
  doubles get_quaternion get_roll_pitch_yaw
wb_joystick_ ()
  void    disable enable(int) set_auto_centering_gain(double) set_constant_force(int)
          set_constant_force_duration(double) set_force_axis(int) set_resistance_gain(double)
  bool    is_connected
  int     get_axis_value(int) get_number_of_axes get_number_of_povs get_pov_value(int) get_pressed_button
          get_sampling_period
  text    get_model
wb_keyboard_ ()
  void    disable enable(int)
  int     get_key get_sampling_period
wb_led_ (tag)
  void    set(int)
  int     get
wb_lidar_ (tag)
  void    disable disable_point_cloud enable(int) enable_point_cloud set_frequency(double)
  bool    is_point_cloud_enabled
  int     get_horizontal_resolution get_number_of_layers get_number_of_points get_sampling_period
  double  get_fov get_frequency get_max_frequency get_max_range get_min_frequency get_min_range
          get_vertical_fov
  ref     get_layer_point_cloud(int) get_point_cloud
  floats  get_layer_range_image(int) get_range_image
wb_light_sensor_ (tag)
  void    disable enable(int)
  int     get_lookup_table_size get_sampling_period
  double  get_value
  doubles get_lookup_table
wb_motor_ (tag)
  void    disable_force_feedback disable_torque_feedback enable_force_feedback(int)
          enable_torque_feedback(int) set_acceleration(double) set_available_force(double)
          set_available_torque(double) set_control_pid(double,double,double) set_force(double)
          set_position(double) set_torque(double) set_velocity(double)
  int     get_force_feedback_sampling_period get_torque_feedback_sampling_period get_type
  double  get_acceleration get_available_force get_available_torque get_force_feedback get_max_force
          get_max_position get_max_torque get_max_velocity get_min_position get_multiplier
          get_target_position get_torque_feedback get_velocity
  tag     get_brake get_position_sensor
wb_mouse_ ()
  void    disable disable_3d_position enable(int) enable_3d_position
  bool    is_3d_position_enabled
  int     get_sampling_period
  mouse   get_state
wb_pen_ (tag)
  void    set_ink_color(int,double) write(bool)
wb_position_sensor_ (tag)
  void    disable enable(int)
  int     get_sampling_period get_type
  double  get_value
  tag     get_brake get_motor
wb_radar_ (tag)
  void    disable enable(int)
  int     get_number_of_targets get_sampling_period
  double  get_horizontal_fov get_max_range get_min_range get_vertical_fov
  doubles get_targets
wb_range_finder_ (tag)
  void    disable enable(int)
  int     get_height get_sampling_period get_width save_image(text,int)
  double  get_fov get_max_range get_min_range
  floats  get_range_image
wb_receiver_ (tag)
  void    disable enable(int) next_packet set_channel(int)
  int     get_channel get_data_size get_queue_length get_sampling_period
  double  get_signal_strength
  doubles get_emitter_direction
  bytes   get_data
wb_robot_ ()
  void    battery_sensor_disable battery_sensor_enable(int) cleanup pin_to_static_environment(bool)
          set_custom_data(text) set_mode(int,text) wwi_send_text(text)
  bool    get_supervisor get_synchronization
  int     battery_sensor_get_sampling_period get_mode get_number_of_devices init step(int)
          step_begin(int) step_end wait_for_user_input_event(int,int)
  double  battery_sensor_get_value get_basic_time_step get_time
  text    get_controller_name get_custom_data get_model get_name get_project_path get_urdf(text)
          get_world_path wwi_receive_text
  tag     get_device(text) get_device_by_index(int)
wb_skin_ (tag)
  void    set_bone_orientation(int,doubles,bool) set_bone_position(int,doubles,bool)
  int     get_bone_count
  text    get_bone_name(int)
  doubles get_bone_orientation(int,bool) get_bone_position(int,bool)
wb_speaker_ (tag)
  void    play_sound(tag,text,double,double,double,bool) speak(text,double) stop(text)
  bool    is_sound_playing(text) is_speaking set_engine(text) set_language(text)
  text    get_engine get_language
wb_supervisor_ ()
  void    export_image(text,int) movie_start_recording(text,int,int,int,int,int,bool)
          movie_stop_recording set_label(int,text,double,double,double,int,double,text)
          simulation_quit(int) simulation_reset simulation_reset_physics
          simulation_set_mode(int)
          world_load(text) world_reload
  bool    animation_start_recording(text) animation_stop_recording movie_failed movie_is_ready
          virtual_reality_headset_is_used world_save(text)
  int     movie_get_status simulation_get_mode
  doubles virtual_reality_headset_get_orientation virtual_reality_headset_get_position
wb_supervisor_field_ (ref)
  void    disable_sf_tracking enable_sf_tracking(int) import_mf_node_from_string(int,text)
          import_sf_node_from_string(text) insert_mf_bool(int,bool) insert_mf_color(int,doubles)
          insert_mf_float(int,double) insert_mf_int32(int,int) insert_mf_rotation(int,doubles)
          insert_mf_string(int,text) insert_mf_vec2f(int,doubles) insert_mf_vec3f(int,doubles)
          remove_mf(int) remove_sf set_mf_bool(int,bool) set_mf_color(int,doubles)
          set_mf_float(int,double) set_mf_int32(int,int) set_mf_rotation(int,doubles)
          set_mf_string(int,text) set_mf_vec2f(int,doubles) set_mf_vec3f(int,doubles) set_sf_bool(bool)
          set_sf_color(doubles) set_sf_float(double) set_sf_int32(int) set_sf_rotation(doubles)
          set_sf_string(text) set_sf_vec2f(doubles) set_sf_vec3f(doubles)
  bool    get_mf_bool(int) get_sf_bool
  int     get_count get_mf_int32(int) get_sf_int32 get_type
  double  get_mf_float(int) get_sf_float
  text    get_mf_string(int) get_name get_sf_string get_type_name
  ref     get_actual_field get_mf_node(int) get_sf_node
  doubles get_mf_color(int) get_mf_rotation(int) get_mf_vec2f(int) get_mf_vec3f(int) get_sf_color
          get_sf_rotation get_sf_vec2f get_sf_vec3f
wb_supervisor_node_ ()
  ref     get_from_def(text) get_from_device(tag) get_from_id(int) get_root get_selected get_self
wb_supervisor_node_ (ref)
  void    add_force(doubles,bool) add_force_with_offset(doubles,doubles,bool) add_torque(doubles,bool)
          disable_contact_points_tracking disable_pose_tracking(ref)
          enable_contact_points_tracking(int,bool)
          enable_pose_tracking(int,ref) load_state(text) move_viewpoint remove reset_physics
          restart_controller save_state(text) set_joint_position(double,int) set_velocity(doubles)
          set_visibility(ref,bool)
  bool    get_static_balance is_proto
  int     get_id get_number_of_base_node_fields get_number_of_contact_points(bool) get_number_of_fields
          get_type
  text    export_string get_base_type_name get_def get_type_name
  ref     get_base_node_field(text) get_base_node_field_by_index(int) get_contact_point_node(int)
          get_contact_points(bool,ref) get_field(text) get_field_by_index(int) get_from_proto_def(text)
          get_parent_node get_proto
  doubles get_center_of_mass get_contact_point(int) get_orientation get_pose(ref) get_position get_velocity
wb_supervisor_proto_ (ref)
  bool    is_derived
  int     get_number_of_fields
  text    get_type_name
  ref     get_field(text) get_field_by_index(int) get_parent
wb_touch_sensor_ (tag)
  void    disable enable(int)
  int     get_lookup_table_size get_sampling_period get_type
  double  get_value
  doubles get_lookup_table get_values
wb_vacuum_gripper_ (tag)
  void    disable_presence enable_presence(int) turn_off turn_on
  bool    get_presence is_on
  int     get_presence_sampling_period
wbu_car_ ()
  void    cleanup enable_indicator_auto_disabling(bool) enable_limited_slip_differential(bool) init
          set_indicator_period(double) set_left_steering_angle(double) set_right_steering_angle(double)
  bool    get_backwards_lights get_brake_lights
  int     get_engine_type get_type
  double  get_front_wheel_radius get_indicator_period get_left_steering_angle get_rear_wheel_radius
          get_right_steering_angle get_track_front get_track_rear get_wheel_encoder(int)
          get_wheel_speed(int) get_wheelbase
wbu_driver_ ()
  void    cleanup init set_antifog_lights(bool) set_brake_intensity(double)
          set_cruising_speed(double) set_dipped_beams(bool) set_gear(int) set_hazard_flashers(bool)
          set_indicator(int) set_steering_angle(double) set_throttle(double) set_wiper_mode(int)
  bool    get_antifog_lights get_dipped_beams get_hazard_flashers initialization_is_possible
  int     get_control_mode get_gear get_gear_number get_indicator get_wiper_mode step
  double  get_brake_intensity get_current_speed get_rpm get_steering_angle
          get_target_cruising_speed get_throttle
wbu_motion_ ()
  ref     new(text)
wbu_motion_ (ref)
  void    delete play set_loop(bool) set_reverse(bool) set_time(int) stop
  bool    is_over
  int     get_duration get_time
"""


def _read(table):
    functions = {}
    prefix = result = ""
    first = []
    for line in table.strip().splitlines():
        if not line.startswith(" "):
            prefix, of_all = re.fullmatch(r"(\w+) \((\w*)\)", line).groups()
            first = [of_all] if of_all else []
            continue
        if line[2] != " ":
            result, line = line.split(maxsplit=1)
        for name, arguments in re.findall(r"(\w+)(?:\(([\w,]*)\))?", line):
            functions[prefix + name] = (result, first + [kind for kind in arguments.split(",") if kind])
    return functions


# "wb_gps_get_speed": ("double", ["tag"])
FUNCTIONS = _read(_TABLE)
