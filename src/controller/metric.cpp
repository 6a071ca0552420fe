// protobeam/metric.h
#include <protobeam/metric.h>

#include "controller/client.h"

using protobeam::controller::Client;

extern "C" void pb_metric(const char* name, double value) {
  auto& client = Client::get();
  const std::lock_guard lock(client.mutex);
  if (!client.started()) {
    protobeam::controller::complain(__func__, "called before wb_robot_init()");
    return;
  }
  if (name == nullptr || !protobeam::link::Metric::good_name(name)) {
    protobeam::controller::complain(__func__, "a name has 1 to 100 printable characters");
    return;
  }
  if (!client.give_metric({name, value})) {
    protobeam::controller::complain(__func__, "called after wb_robot_cleanup()");
  }
}
