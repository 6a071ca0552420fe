#include "publish/publisher.h"

#include <fmt/format.h>

#include <algorithm>
#include <exception>
#include <map>
#include <stdexcept>
#include <utility>

#include "message/geometry_msgs.h"
#include "message/std_msgs.h"
#include "publish/device_source.h"
#include "publish/drive_states.h"
#include "publish/joint_commands.h"
#include "publish/map_source.h"
#include "publish/rate.h"
#include "publish/robot_source.h"
#include "publish/robot_topics.h"

namespace protobeam {
namespace {

class ClockSource final : public Source {
 public:
  ClockSource(const Simulation& simulation, StreamTable& table, double rate)
      : simulation_(simulation),
        stream_(table.add("/clock", message::type_of<message::Clock>())),
        rate_(rate) {}

  void after_step() override {
    const double now = simulation_.time();
    if (!stream_.wanted() || !rate_.due(now)) return;
    const std::int64_t ns = message::nanoseconds(now);
    stream_.send(ns, message::Clock{message::time_of(ns)});
  }
  std::string key() const override { return "clock"; }
  void take_over(Source& before) override {
    rate_ = dynamic_cast<const ClockSource&>(before).rate_;
  }

 private:
  const Simulation& simulation_;
  Stream& stream_;
  Rate rate_;
};

using SourcesByKey = std::map<std::string, std::unique_ptr<Source>>;

SourcesByKey by_key(std::vector<std::unique_ptr<Source>> sources) {
  SourcesByKey out;
  for (auto& source : sources) {
    std::string key = source->key();
    if (!key.empty()) out.emplace(std::move(key), std::move(source));
  }
  return out;
}

}  // namespace

void Stream::send(std::int64_t time_ns, const message::AnyMessage& message) {
  if (silent_) return;
  ++sent_;
  std::exception_ptr problem;
  for (OutputQueue* taker : takers_) {
    try {
      const bool records = !taker->sink().may_lose();
      taker->push({topic_, time_ns + (records ? table_.recorded_before_ns_ : 0), message});
    } catch (...) {
      if (!problem) problem = std::current_exception();
    }
  }
  if (problem) std::rethrow_exception(problem);
}

StreamTable::StreamTable(std::vector<OutputChoice> outputs) {
  for (OutputChoice& output : outputs) {
    queues_.push_back(std::make_unique<OutputQueue>(std::move(output.sink), output.memory));
    takes_.push_back([name = std::move(output.takes),
                      type = std::move(output.takes_type)](const Topic& topic) {
      return name(topic.name) && (!type || type(*topic.type));
    });
  }
}

StreamTable::~StreamTable() = default;

Stream& StreamTable::add(const std::string& name, const message::MessageType& type, bool latched,
                         std::string origin) {
  const std::string whole = names_.add(name);
  for (const auto& known : streams_) {
    const Topic& topic = known->topic();
    if (topic.name != whole || topic.type->ros2_name != type.ros2_name) continue;
    known->round_ = round_;
    return *known;
  }
  std::unique_ptr<Stream> stream(new Stream(*this));
  stream->origin_ = std::move(origin);
  stream->round_ = round_;
  Topic topic{whole, &type, latched, next_number_++};
  for (std::size_t i = 0; i < queues_.size(); ++i) {
    if (takes_[i](topic)) stream->takers_.push_back(queues_[i].get());
  }
  stream->topic_ = std::make_shared<const Topic>(std::move(topic));
  streams_.push_back(std::move(stream));
  return *streams_.back();
}

void StreamTable::subscribe(const Topic& topic, const std::string& origin) {
  const auto known = std::ranges::find(subscriptions_, topic.name,
                                       [](const Subscription& one) { return one.topic.name; });
  if (known != subscriptions_.end() && known->topic.type == topic.type) {
    known->round = round_;
    return;
  }
  if (known != subscriptions_.end()) {
    if (known->round == round_) return;
    for (const auto& queue : queues_) queue->sink().unsubscribe(known->topic);
    subscriptions_.erase(known);
  }
  subscriptions_.push_back({topic, origin, round_});
  for (const auto& queue : queues_) queue->sink().subscribe(topic);
}

void StreamTable::end_others() {
  std::erase_if(streams_, [this, stays = records()](const std::unique_ptr<Stream>& stream) {
    if (stream->round_ == round_) return false;
    for (OutputQueue* taker : stream->takers_) taker->remove(stream->topic_);
    return !stays;
  });
  std::erase_if(subscriptions_, [this](const Subscription& one) {
    if (one.round == round_) return false;
    for (const auto& queue : queues_) queue->sink().unsubscribe(one.topic);
    return true;
  });
  services_.end_withdrawn();
}

bool StreamTable::records() const {
  return std::any_of(queues_.begin(), queues_.end(),
                     [](const auto& queue) { return !queue->sink().may_lose(); });
}

void StreamTable::finish() {
  std::exception_ptr problem;
  for (const auto& queue : queues_) {
    try {
      queue->finish();
    } catch (...) {
      if (!problem) problem = std::current_exception();
    }
  }
  if (problem) std::rethrow_exception(problem);
}

Publisher::Publisher(Simulation& simulation, PublishSettings settings,
                     std::vector<OutputChoice> outputs, PublisherHelp help)
    : settings_(std::move(settings)), help_(std::move(help)), table_(std::move(outputs)) {
  std::set<std::string> nodes;
  for (const auto& queue : table_.queues()) nodes.insert(queue->sink().node());
  nodes.erase("");
  for (const std::string& node : nodes)
    own_parameters_.push_back(std::make_unique<ParameterServer>(
        table_.services(), node, true,
        std::vector{ParameterServer::flag("use_sim_time", true, "Time is that of /clock")}));
  restart(simulation);
}

void Publisher::restart(Simulation& simulation) {
  // Of a world that goes on; one that is loaded or reset begins at 0.
  const bool goes_on = &simulation == simulation_ && simulation.time() >= time_;
  SourcesByKey before = by_key(std::exchange(sources_, {}));
  table_.begin_again();
  if (&simulation != simulation_) follow_settings(simulation.model());
  const PublishSettings& settings = settings_;
  if (settings.clock_rate > 0) {
    sources_.push_back(std::make_unique<ClockSource>(simulation, table_, settings.clock_rate));
  }
  if (settings.map_resolution > 0) {
    // The map is that of the start, whatever comes and goes.
    auto map = before.extract("map");
    if (goes_on && map) table_.add("/map", message::type_of<message::OccupancyGrid>(), true);
    sources_.push_back(goes_on && map ? std::move(map.mapped())
                                      : make_map_source(simulation, settings, table_));
  }
  if (!goes_on) {
    names_.clear();
    table_.reset_time(message::nanoseconds(time_));
  }
  simulation_ = &simulation;
  time_ = simulation.time();
  const RobotTopics topics(simulation.model(), settings, names_);
  for (const RobotInfo& robot : simulation.model().robots) {
    if (topics.wanted(robot)) add_sources(simulation, robot, topics, settings, table_, sources_);
  }
  for (const auto& source : sources_) {
    const auto found = before.find(source->key());
    if (goes_on && found != before.end()) source->take_over(*found->second);
  }
  for (const auto& [key, source] : before)
    source->end(goes_on ? "the robot is gone" : "the world was loaded again");
  manage_controllers(simulation, topics);
  before.clear();  // they withdraw what they served
  table_.end_others();
}

/// Of a world that was not there before. Robots that are taken out of it later are missed by
/// nobody.
void Publisher::follow_settings(const WorldModel& model) {
  if (!started_) {
    RobotTopics::check(model, settings_);
    started_ = true;
    return;
  }
  if (!help_.settings) return;
  settings_ = help_.settings(model);
  try {
    RobotTopics::check(model, settings_);
  } catch (const std::invalid_argument& problem) {
    // The run's own settings were right for its first world.
    if (help_.note)
      help_.note(fmt::format("{}: it counts for nothing in this world", problem.what()));
  }
}

void Publisher::add_sources(Simulation& simulation, const RobotInfo& robot,
                            const RobotTopics& topics, const PublishSettings& settings,
                            StreamTable& table, std::vector<std::unique_ptr<Source>>& to) const {
  if (settings.state_rate > 0) {
    to.push_back(make_robot_source(simulation, robot, topics, settings, table, help_.mesh_file));
  }
  for (auto& source : make_drive_states(simulation, robot, topics, table))
    to.push_back(std::move(source));
  if (auto source = make_joint_commands(simulation, robot, topics, table, help_.note)) {
    to.push_back(std::move(source));
  }
  for (const Device& device : robot.devices) {
    auto source = make_device_source(simulation, robot, device, topics, table);
    if (source) to.push_back(std::move(source));
  }
}

std::string Publisher::problem_with(Simulation& simulation, const RobotInfo& robot) const {
  try {
    RobotTopics::check(robot);
    RobotNames names = names_;
    const RobotTopics topics(simulation.model(), settings_, names);
    StreamTable nowhere({});
    std::vector<std::unique_ptr<Source>> sources;
    if (topics.wanted(robot)) add_sources(simulation, robot, topics, settings_, nowhere, sources);
  } catch (const std::invalid_argument& problem) {
    return problem.what();
  }
  return "";
}

std::string Publisher::problem_with(Simulation& another) const {
  if (!help_.settings) return "";
  const WorldModel& model = another.model();
  const PublishSettings settings = help_.settings(model);
  try {
    // What the run itself asks for is not of this world.
    RobotTopics::check(model, model.publishing);
    if (settings.map_resolution > 0) check_map(another, settings);
    RobotNames names;
    const RobotTopics topics(model, settings, names);
    StreamTable nowhere({});
    std::vector<std::unique_ptr<Source>> sources;
    for (const RobotInfo& robot : model.robots)
      if (topics.wanted(robot)) add_sources(another, robot, topics, settings, nowhere, sources);
  } catch (const std::invalid_argument& problem) {
    return problem.what();
  }
  return "";
}

bool Publisher::has_space(const Simulation& simulation, const std::string& space) const {
  return std::ranges::any_of(simulation.model().robots, [&](const RobotInfo& robot) {
    const auto known = names_.find(robot.name);
    return !robot.removed && known != names_.end() && known->second == space;
  });
}

void Publisher::introduce(const std::string& robot, const std::string& space) {
  if (!space.empty()) names_[robot] = space, given_.insert(robot);
}

void Publisher::forget(const Simulation& simulation, const RobotInfo& robot) {
  const auto known = names_.find(robot.name);
  if (known == names_.end()) return;
  const RobotTopics topics(simulation.model(), settings_, names_);
  for (const ControllerSettings& one : robot.ros2_controllers)
    controller_states_.erase(topics.name(robot, one.manager) + "/" + one.name);
  if (given_.erase(robot.name) > 0) names_.erase(known);
}

/// Those of the same run remain as they are switched, also in a world that is loaded again.
void Publisher::manage_controllers(Simulation& simulation, const RobotTopics& topics) {
  managers_.clear();
  for (const std::string& topic : std::set<std::string>(dead_)) set_alive(topic, true);
  for (const RobotInfo& robot : simulation.model().robots) {
    if (!topics.wanted(robot)) continue;
    std::map<std::string, std::pair<std::vector<ControllerSettings>, std::vector<HardwareSettings>>>
        managers;
    for (ControllerSettings one : robot.ros2_controllers) {
      one.manager = topics.name(robot, one.manager);
      for (std::string& topic : one.topics) topic = topics.name(robot, topic);
      managers[one.manager].first.push_back(std::move(one));
    }
    for (const HardwareSettings& one : robot.ros2_hardware)
      managers[topics.name(robot, one.manager)].second.push_back(one);
    for (auto& [node, all] : managers) {
      managers_.push_back(std::make_unique<ControllerManager>(
          node, std::move(all.first), std::move(all.second), controller_states_, table_.services(),
          ControllerManager::Host{
              [this](const std::string& topic, bool alive) { set_alive(topic, alive); }, help_.note,
              1 / simulation.model().basic_time_step}));
      managers_.back()->apply();
    }
  }
}

void Publisher::set_alive(const std::string& topic, bool alive) {
  if (alive)
    dead_.erase(topic);
  else
    dead_.insert(topic);
  for (const auto& stream : table_.streams())
    if (stream->topic().name == topic) stream->silence(!alive);
  for (const auto& source : sources_) source->set_alive(topic, alive);
}

Publisher::~Publisher() = default;

void Publisher::before_step() {
  table_.services().answer_all();
  for (const auto& queue : table_.queues()) {
    for (const Received& received : queue->sink().take_received()) {
      if (dead_.contains(received.topic)) continue;
      for (const auto& source : sources_) source->receive(received);
    }
  }
}

void Publisher::after_step() {
  time_ = simulation_->time();
  try {
    for (const auto& source : sources_) source->after_step();
  } catch (...) {
    // One output cannot go on; all are closed, so that what they have can be read.
    const std::exception_ptr problem = std::current_exception();
    try {
      table_.finish();
    } catch (const std::runtime_error&) {
    }
    std::rethrow_exception(problem);
  }
}

void Publisher::finish() {
  for (const auto& source : sources_) source->end("the run ended");
  table_.finish();
}

std::string Publisher::text() const {
  std::string text;
  for (const auto& queue : table_.queues()) {
    if (!text.empty()) text += '\n';
    text += queue->sink().text();
    if (queue->lost() > 0) text += fmt::format("; {} messages were lost", queue->lost());
  }
  return text;
}

}  // namespace protobeam
