#include "controller/supervisor_access.h"

#include <cmath>
#include <cstdio>
#include <filesystem>
#include <set>

namespace protobeam::controller {
Supervision::Supervision(const char* function) : function_(function), lock_(Client::get().mutex) {
  Client& client = Client::get();
  if (!client.started()) {
    complain("called before wb_robot_init()");
  } else if (!client.robot().supervisor) {
    static std::set<std::string> said;
    if (said.insert(function).second) {
      complain("ignoring illegal call: the field 'supervisor' of the Robot is not TRUE");
    }
  } else if (!client.between_steps(lock_)) {
    complain("called between wb_robot_step_begin() and wb_robot_step_end()");
  } else {
    legal_ = true;
    SupervisedWorld::get();
  }
}

bool Supervision::good(WbNodeRef node) const {
  if (node && SupervisedWorld::get().has(node)) return true;
  complain(node ? "called with an invalid node" : "called with a NULL node");
  return false;
}

bool Supervision::good(WbFieldRef field) const {
  if (field && SupervisedWorld::get().has(field)) return true;
  complain(field ? "called with an invalid field" : "called with a NULL field");
  return false;
}

bool Supervision::good(WbProtoRef proto) const {
  if (proto && SupervisedWorld::get().has(proto)) return true;
  complain(proto ? "called with an invalid PROTO" : "called with a NULL PROTO");
  return false;
}

bool Supervision::good(const char* name, const char* text) const {
  if (text) return true;
  complain(std::string("called with a NULL '") + name + "' argument");
  return false;
}

bool Supervision::good(const double* numbers, std::size_t count) const {
  if (!numbers) {
    complain("called with a NULL argument");
    return false;
  }
  for (std::size_t i = 0; i < count; ++i) {
    if (std::isfinite(numbers[i])) continue;
    complain("called with a number that is not finite");
    return false;
  }
  return true;
}

bool Supervision::good(WbFieldRef field, int type) const {
  if (!good(field)) return false;
  if (field->type == type) return true;
  complain("called for the field '" + field->name + "', which is of another type");
  return false;
}

const SupervisorAnswer* Supervision::try_ask(SupervisorRequest request) {
  auto& world = SupervisedWorld::get();
  answer_ = *world.flush(&request);
  if (Client::get().over()) {
    answer_ = world.last_answer(request);
  } else {
    world.remember(request, answer_);
  }
  return answer_.good ? &answer_ : nullptr;
}

const SupervisorAnswer* Supervision::ask(SupervisorRequest request) {
  const SupervisorAnswer* answer = try_ask(std::move(request));
  if (!answer && !answer_.text.empty()) complain("is refused: " + answer_.text);
  return answer;
}

const double* Supervision::ask_numbers(SupervisorRequest request, std::size_t count) {
  const SupervisorAnswer* answer = ask(std::move(request));
  return answer && answer->numbers.size() >= count ? answer->numbers.data() : nullptr;
}

WbNodeRef Supervision::ask_node(SupervisorRequest request) {
  const double* id = ask_numbers(std::move(request), 1);
  return id ? SupervisedWorld::get().node(static_cast<int>(*id)) : nullptr;
}

void Supervision::tell(SupervisorRequest request) {
  auto& world = SupervisedWorld::get();
  world.told.push_back({function_, std::move(request)});
  ++world.changes;
  constexpr std::size_t kMostTold = 100'000;
  if (world.told.size() >= kMostTold) world.flush(nullptr);
}

SupervisedWorld& SupervisedWorld::get() {
  static SupervisedWorld& world = *new SupervisedWorld;
  return world;
}

SupervisedWorld::SupervisedWorld() {
  Client::get().before_step = [this] { flush(nullptr); };
  Client::get().after_step = [this] { read_tracked(); };
}

WbNodeRef SupervisedWorld::node(int id) {
  if (id < 0) return nullptr;
  auto& slot = nodes_[id];
  if (!slot) {
    slot = std::make_unique<WbNodeStructPrivate>();
    slot->id = id;
    ours_.insert(slot.get());
  }
  return slot.get();
}

WbFieldRef SupervisedWorld::field(WbNodeRef node, link::FieldAddress address, std::string name,
                                  int type) {
  auto& slot = fields_[{node->id, address.space, address.level, address.index}];
  if (!slot) {
    slot = std::make_unique<WbFieldStructPrivate>();
    ours_.insert(slot.get());
  }
  slot->node = node;
  slot->address = address;
  slot->name = std::move(name);
  slot->type = type;
  return slot.get();
}

WbProtoRef SupervisedWorld::proto(WbNodeRef node, int level) {
  auto& slot = protos_[{node->id, level}];
  if (!slot) {
    slot = std::make_unique<WbProtoStructPrivate>();
    ours_.insert(slot.get());
  }
  slot->node = node;
  slot->level = level;
  return slot.get();
}

bool SupervisedWorld::has(WbNodeRef node) const { return ours_.contains(node); }
bool SupervisedWorld::has(WbFieldRef field) const { return ours_.contains(field); }
bool SupervisedWorld::has(WbProtoRef proto) const { return ours_.contains(proto); }

std::optional<SupervisorAnswer> SupervisedWorld::flush(const SupervisorRequest* request) {
  if (told.empty() && !request) return std::nullopt;
  std::vector<SupervisorRequest> requests;
  requests.reserve(told.size() + 1);
  for (Told& one : told) requests.push_back(std::move(one.request));
  if (request) requests.push_back(*request);
  const std::vector<Told> sent = std::move(told);
  told.clear();
  auto answers = Client::get().ask(requests);
  for (std::size_t i = 0; i < sent.size(); ++i) {
    if (answers[i].text.empty()) continue;
    std::fprintf(stderr, "%s: %s() %s%s\n", answers[i].good ? "Warning" : "Error", sent[i].function,
                 answers[i].good ? "" : "is refused: ", answers[i].text.c_str());
  }
  if (!request) return std::nullopt;
  return std::move(answers.back());
}

SupervisedWorld::AnswerKey SupervisedWorld::key_of(const SupervisorRequest& request) {
  const auto& field = request.field;
  return {request.op,  request.node,  field.space, field.level,
          field.index, request.index, request.text};
}

void SupervisedWorld::remember(const SupervisorRequest& request, const SupervisorAnswer& answer) {
  constexpr std::size_t kMostAnswers = 100'000;
  if (!link::only_reads(request.op)) return;
  AnswerKey key = key_of(request);
  if (!answer.good) {
    last_answers_.erase(key);
  } else if (last_answers_.size() < kMostAnswers || last_answers_.contains(key)) {
    last_answers_[std::move(key)] = answer;
  }
}

SupervisorAnswer SupervisedWorld::last_answer(const SupervisorRequest& request) const {
  const auto found = last_answers_.find(key_of(request));
  return found != last_answers_.end() ? found->second : SupervisorAnswer{false, {}, ""};
}

void SupervisedWorld::track(Tracked& tracked, SupervisorRequest request, int period) {
  tracked = {std::move(request), period, Client::get().time(), std::nullopt};
}

const SupervisorAnswer* SupervisedWorld::current(const Tracked& tracked) const {
  if (!tracked.answer || !tracked.answer->good) return nullptr;
  const Client& client = Client::get();
  const bool holds = tracked.time == client.time() && tracked.changes == changes;
  return holds || client.over() ? &*tracked.answer : nullptr;
}

void SupervisedWorld::read_tracked() {
  std::vector<Tracked*> due;
  const double now = Client::get().time();
  const auto collect = [&](auto& all) {
    for (auto& [of, tracked] : all) {
      if (now + 1e-9 < tracked.due) continue;
      tracked.due = now + tracked.period / 1000.0;
      due.push_back(&tracked);
    }
  };
  collect(poses);
  collect(contacts);
  collect(fields);
  if (due.empty()) return;
  std::vector<SupervisorRequest> requests;
  for (const Tracked* one : due) requests.push_back(one->request);
  const auto answers = Client::get().ask(requests);
  for (std::size_t i = 0; i < due.size(); ++i) {
    due[i]->answer = answers[i];
    due[i]->time = now;
    due[i]->changes = changes;
  }
}

void tell_custom_data(const char* function, const std::string& data) {
  Supervision call(function);
  if (!call) return;
  Client::get().keep_custom_data(data);
  SupervisorRequest request;
  request.op = SupervisorOp::kSetCustomData;
  request.text = data;
  call.tell(std::move(request));
}

std::string ask_urdf(const char* function, const std::string& prefix) {
  Client& client = Client::get();
  std::unique_lock lock(client.mutex);
  if (!client.between_steps(lock)) {
    complain(function, "called between wb_robot_step_begin() and wb_robot_step_end()");
    return "";
  }
  SupervisorRequest request;
  request.op = SupervisorOp::kRobotUrdf;
  request.text = prefix;
  const auto answer = SupervisedWorld::get().flush(&request);
  return answer && answer->good ? answer->text : "";
}

std::string absolute_path(const char* file) {
  if (!file || !*file) return "";
  std::error_code ignored;
  return std::filesystem::absolute(file, ignored).lexically_normal().string();
}

}  // namespace protobeam::controller
