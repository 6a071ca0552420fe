// The parameters of a node of ROS 2, as `ros2 param` and clients of rcl_interfaces find them: what
// the simulation has. Whoever sets one to what it is already is told that it is done.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "message/parameter_services.h"
#include "publish/service_table.h"

namespace protobeam {

class ParameterServer {
 public:
  struct Value {
    std::string name;
    message::ParameterValue value;
    std::string description;
  };
  using Set = std::function<message::SetParametersResult(const message::Parameter&)>;

  /// `node` as "/controller_manager"; it is shown as a node of its own unless it `is_main`, that of
  /// all else. `set` gets what is not so already; null: that is refused. The services must outlive
  /// this.
  ParameterServer(ServiceTable& services, std::string node, bool is_main, std::vector<Value> values,
                  Set set = nullptr);
  ~ParameterServer() { services_.withdraw(this); }
  ParameterServer(const ParameterServer&) = delete;
  ParameterServer& operator=(const ParameterServer&) = delete;

  static Value flag(const char* name, bool value, const char* description);
  static Value integer(const char* name, std::int64_t value, const char* description);
  static Value text(std::string name, std::string value, const char* description);
  static Value texts(const char* name, std::vector<std::string> values, const char* description);

 private:
  template <class S, class Handle>
  void offer(const char* name, Handle handle);
  const Value* find(const std::string& name) const;
  message::ListParametersResult list(const message::ListParameters::Request& asked) const;
  message::SetParametersResult set(const message::Parameter& parameter) const;

  ServiceTable& services_;
  const std::string node_;
  const bool is_main_;
  const std::vector<Value> values_;
  const Set set_;
};

}  // namespace protobeam
