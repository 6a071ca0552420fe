// Webots' functions of Pen.
#include <webots/pen.h>

#include "controller/device_access.h"

namespace {

struct PenAccess : protobeam::controller::Access {
  PenAccess(const char* function, WbDeviceTag tag) : Access(function, tag, {"Pen"}) {}
};

}  // namespace

extern "C" {

void wb_pen_write(WbDeviceTag tag, bool write) {
  const PenAccess pen(__func__, tag);
  pen.warn_not_simulated("it paints nothing");
}
void wb_pen_set_ink_color(WbDeviceTag tag, int, double density) {
  const PenAccess pen(__func__, tag);
  if (!pen || !pen.valid("density", density, 0)) return;
  pen.warn_not_simulated("it paints nothing");
}

}  // extern "C"
