#include "publish/service_table.h"

#include <algorithm>
#include <stdexcept>
#include <string_view>

namespace protobeam {

void ServiceTable::add(Offered offered) {
  const auto known = std::ranges::find(offered_, offered.service.name,
                                       [](const Offered& one) { return one.service.name; });
  const bool is_known = known != offered_.end();
  if (is_known && known->service.type == offered.service.type) {
    *known = std::move(offered);
    return;
  }
  if (is_known) {
    for (const auto& queue : queues_) queue->sink().unserve(known->service);
    offered_.erase(known);
  }
  for (const auto& queue : queues_) queue->sink().serve(offered.service);
  offered_.push_back(std::move(offered));
}

void ServiceTable::withdraw(const void* owner) {
  for (Offered& one : offered_) {
    if (one.owner == owner) one.owner = nullptr, one.answer = nullptr, one.afterwards = nullptr;
  }
  for (auto& [name, one] : topics_) {
    if (one.owner == owner) one.owner = nullptr;
  }
}

void ServiceTable::end_withdrawn() {
  for (const auto& queue : queues_) {
    for (const Offered& one : offered_)
      if (!one.owner) queue->sink().unserve(one.service);
    for (const auto& [name, one] : topics_)
      if (!one.owner) queue->sink().unserve_topic(one.topic);
  }
  std::erase_if(offered_, [](const Offered& one) { return !one.owner; });
  std::erase_if(topics_, [](const auto& one) { return !one.second.owner; });
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

void ServiceTable::add_topic(const Topic& topic, const void* owner) {
  const auto [known, added] = topics_.try_emplace(topic.name, OfferedTopic{topic, owner});
  known->second.owner = owner;
  if (!added && known->second.topic.type == topic.type) return;
  for (const auto& queue : queues_) {
    if (!added) queue->sink().unserve_topic(known->second.topic);
    queue->sink().serve_topic(topic);
  }
  known->second.topic = topic;
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
