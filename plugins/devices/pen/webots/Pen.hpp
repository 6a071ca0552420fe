#ifndef WEBOTS_PEN_HPP
#define WEBOTS_PEN_HPP

#include <webots/pen.h>

#include <webots/Device.hpp>

namespace webots {

class Pen : public Device {
 public:
  using Device::Device;

  virtual void write(bool write) { wb_pen_write(tag(), write); }
  virtual void setInkColor(int color, double density) {
    wb_pen_set_ink_color(tag(), color, density);
  }
};

}  // namespace webots

#endif  // WEBOTS_PEN_HPP
