#include "publish/service_table.h"

#include <algorithm>
#include <stdexcept>
#include <string_view>

namespace protobeam {

void ServiceTable::add(Offered offered) {
  const auto known = std::ranges::find(offered_, offered.service.name,
                                       [](const Offered& one) { return one.service.name; });
  if (known != offered_.end()) {
    *known = std::move(offered);
    return;
  }
  for (const auto& queue : queues_) queue->sink().serve(offered.service);
  offered_.push_back(std::move(offered));
}

void ServiceTable::withdraw(const void* owner) {
  for (Offered& one : offered_) {
    if (one.owner == owner) one.owner = nullptr, one.answer = nullptr, one.afterwards = nullptr;
  }
}

bool ServiceTable::answer_all() {
  bool asked = false;
  for (const auto& queue : queues_) {
    for (ServiceRequest& request : queue->sink().take_requests()) {
      asked = true;
      const Asker asker{&queue->sink(), std::move(request)};
      const auto found = std::ranges::find(offered_, asker.request.service,
                                           [](const Offered& one) { return one.service.name; });
      if (found == offered_.end() || !found->answer) continue;
      const Offered one = *found;  // what it does may change the table
      try {
        const auto response = one.answer(asker);
        if (response) asker.answer(*response);
        if (one.afterwards) one.afterwards();
      } catch (const std::runtime_error&) {
        // What is no request gets no answer.
      }
    }
  }
  return asked;
}

void ServiceTable::add_topic(const Topic& topic) {
  if (!topics_.insert(topic.name).second) return;
  for (const auto& queue : queues_) queue->sink().serve_topic(topic);
}

void ServiceTable::publish(const Topic& topic, const message::AnyMessage& message) const {
  for (const auto& queue : queues_) queue->sink().publish(topic, message);
}

std::vector<std::pair<std::string, std::string>> ServiceTable::actions() const {
  constexpr std::string_view kService = "/_action/send_goal", kType = "_SendGoal";
  std::vector<std::pair<std::string, std::string>> out;
  for (const Offered& one : offered_) {
    const std::string &name = one.service.name, &type = one.service.type;
    if (one.owner && name.ends_with(kService))
      out.emplace_back(name.substr(0, name.size() - kService.size()),
                       type.substr(0, type.size() - kType.size()));
  }
  return out;
}

}  // namespace protobeam
