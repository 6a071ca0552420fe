// Webots' functions of Pen.
#include <webots/pen.h>

#include <algorithm>

#include "controller/device_access.h"

namespace {

struct PenAccess : protobeam::controller::Access {
  PenAccess(const char* function, WbDeviceTag tag) : Access(function, tag, {"Pen"}) {}
};

}  // namespace

extern "C" {

void wb_pen_write(WbDeviceTag tag, bool write) {
  const PenAccess pen(__func__, tag);
  if (pen) pen.command("write", {write ? 1.0 : 0.0});
}
void wb_pen_set_ink_color(WbDeviceTag tag, int color, double density) {
  const PenAccess pen(__func__, tag);
  if (!pen || !pen.valid("density", density, 0)) return;
  const auto rgb = static_cast<unsigned>(color) & 0xffffffu;
  pen.command("ink", {static_cast<double>(rgb), std::min(density, 1.0)});  // as in Webots
}

}  // extern "C"
