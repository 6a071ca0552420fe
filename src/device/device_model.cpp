#include "device/device_model.h"

namespace protobeam {

void DeviceModel::prepare(const DeviceType& type, const Fields& fields,
                          const DeviceContext& context) {
  type_ = &type;
  attach(context);
  facts_ = properties();
  layout_ = layout_of(type, facts_, fields);
}

std::string DeviceModel::send_command(std::string_view name, std::vector<double> numbers,
                                      std::string bytes) {
  const int index = find_command(type_->commands, name);
  if (index < 0) {
    return std::string(type_->node.name) + " knows no command '" + std::string(name) + "'";
  }
  const DeviceCommand sent{0, static_cast<std::uint16_t>(device_op::kFirstCommand + index),
                           std::move(numbers), std::move(bytes)};
  const auto at = static_cast<std::size_t>(index);
  const std::string problem = problem_of(type_->commands[at], sent);
  if (!problem.empty()) return "command '" + std::string(name) + "' " + problem;
  return command(at, sent.numbers, sent.bytes);
}

}  // namespace protobeam
