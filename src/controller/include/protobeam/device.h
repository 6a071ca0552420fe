/* Any device, by what its type declares: channels of its sample, commands, properties, messages.
   `protobeam info types NAME` lists them. Webots' own functions are thin layers over these. */
#ifndef PROTOBEAM_DEVICE_H
#define PROTOBEAM_DEVICE_H

#include <stddef.h>
#include <stdint.h>
#include <webots/types.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef enum {
  PB_NONE = 0,
  PB_FLOAT32,
  PB_FLOAT64,
  PB_INT32,
  PB_UINT32,
  PB_UINT16,
  PB_UINT8,
  PB_RECORD /* several named numbers, one after another: see pb_device_record_component() */
} PbElementType;

/* A named array of the latest sample. `data` points into the memory that the simulator writes:
   nothing is copied, and it changes only in wb_robot_step. Row-major; texts live as long as the
   program. */
typedef struct {
  const char* name;
  PbElementType type;
  size_t element_size;  /* bytes */
  int dimensions;       /* 0: one element */
  const size_t* shape;  /* [dimensions] */
  size_t count;         /* elements in all */
  const char* unit;     /* "" for none */
  const char* frame;    /* "device", "world", ... */
  const void* data;     /* NULL while the device is disabled */
} PbChannel;

const char* pb_device_get_type(WbDeviceTag tag); /* node type: "GPS", "Thruster" */
const char* pb_device_get_api(WbDeviceTag tag);  /* whose functions serve it: "Motor" */

/* Samples: all devices that have channels or messages. */
void pb_device_enable(WbDeviceTag tag, int sampling_period); /* ms */
/* The same with fractions: 2.5 is 400 samples a second. Like all periods it becomes the nearest
   number of steps of the world, one or more. */
void pb_device_enable_every(WbDeviceTag tag, double sampling_period); /* ms */
void pb_device_disable(WbDeviceTag tag);
int pb_device_get_sampling_period(WbDeviceTag tag);

int pb_device_get_number_of_channels(WbDeviceTag tag);
/* Channel `index`; false, after a complaint, when there is none. */
bool pb_device_channel_by_index(WbDeviceTag tag, int index, PbChannel* channel);
/* The same by name. */
bool pb_device_channel(WbDeviceTag tag, const char* name, PbChannel* channel);
/* Data of a channel whose elements are of `type`; NULL, after a complaint, while disabled, when
   there is no such channel, and when its elements are of another type. */
const void* pb_device_data(WbDeviceTag tag, const char* name, PbElementType type, size_t* count);
/* Component `index` of a record's elements: its name, type and offset (bytes); false: no more. */
bool pb_device_record_component(WbDeviceTag tag, const char* channel, int index, const char** name,
                                PbElementType* type, size_t* offset);

/* Sends a command that the type declares; false, after a complaint, when it does not, or when the
   numbers do not fit the declaration. It acts from the next step on. */
bool pb_device_command(WbDeviceTag tag, const char* name, const double* numbers, int count);
/* A command that carries bytes. */
bool pb_device_command_bytes(WbDeviceTag tag, const char* name, const void* bytes, int size);

/* Constant facts. */
double pb_device_number(WbDeviceTag tag, const char* property, double otherwise);
const char* pb_device_text(WbDeviceTag tag, const char* property); /* "" when there is none */
const double* pb_device_list(WbDeviceTag tag, const char* property, int* count);

/* Messages that have arrived, oldest first: bytes and numbers as the type says. */
int pb_device_get_number_of_messages(WbDeviceTag tag);
const void* pb_device_message(WbDeviceTag tag, int* size, const double** numbers, int* count);
void pb_device_next_message(WbDeviceTag tag);

/* Of the device's channels and commands with types, shapes, units and ranges: differs when a
   program was written against another declaration. */
uint64_t pb_device_layout_hash(WbDeviceTag tag);

#ifdef __cplusplus
}
#endif

#endif /* PROTOBEAM_DEVICE_H */
