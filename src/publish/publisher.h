// Makes messages of what happens in a simulation, and gives them to the outputs that take them.
//
// Names and frames are those of MVSim's ROS node (docs/outputs.md lists them): a robot's topics have its
// name in front when there are several robots; frames are map, odom, base_link and one for each device.
// Stamps are simulated time.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "output/output_queue.h"
#include "output/publish_settings.h"
#include "publish/controller_manager.h"
#include "publish/parameter_server.h"
#include "publish/robot_topics.h"
#include "publish/service_table.h"
#include "publish/topic_names.h"
#include "sim/robot_urdf.h"
#include "sim/simulation.h"

namespace protobeam {

/// Where messages go, and which of them.
struct OutputChoice {
  std::unique_ptr<MessageSink> sink;
  std::function<bool(const std::string& topic)> takes;
  /// Of those, by what their messages are; null: all.
  std::function<bool(const message::MessageType& type)> takes_type = nullptr;
  std::size_t memory = 256'000'000;  ///< bytes
};

class StreamTable;

/// A stream of messages on its way to those that want it.
class Stream {
 public:
  /// Somebody takes it.
  bool wanted() const { return !takers_.empty(); }
  const Topic& topic() const { return *topic_; }
  /// Throws what an output throws; the others have the message nevertheless.
  void send(std::int64_t time_ns, const message::AnyMessage& message);
  std::uint64_t sent() const { return sent_; }
  /// Its messages go nowhere.
  void silence(bool silent) { silent_ = silent; }
  /// "car/lidar: points" of a device; "" of others.
  const std::string& origin() const { return origin_; }
  /// What the next header has for ROS 1.
  std::uint32_t next_sequence() { return sequence_++; }

 private:
  friend class StreamTable;
  explicit Stream(const StreamTable& table) : table_(table) {}

  const StreamTable& table_;
  std::shared_ptr<const Topic> topic_;
  std::vector<OutputQueue*> takers_;
  std::string origin_;
  std::uint64_t sent_ = 0;
  std::uint32_t sequence_ = 0;
  bool silent_ = false;
  int round_ = 0;  ///< of begin_again(), in which it was added last
};

/// All streams, with the outputs.
class StreamTable {
 public:
  explicit StreamTable(std::vector<OutputChoice> outputs);
  ~StreamTable();

  /// A whole name, or one that gets a number behind it when it is there already.
  Stream& add(const std::string& name, const message::MessageType& type, bool latched = false,
              std::string origin = {});
  /// At all outputs; once, however often it is asked. `origin` as that of a Stream.
  void subscribe(const Topic& topic, const std::string& origin);
  /// What is taken, with its origin.
  struct Subscription {
    Topic topic;
    std::string origin;
    int round = 0;  ///< as that of a Stream
  };
  const std::vector<Subscription>& subscriptions() const { return subscriptions_; }
  /// The topics of another world, or of one with other robots, follow: those with the same name and
  /// type are the same ones.
  void begin_again() { names_ = {}, ++round_; }
  /// All of that world were told: what it has no longer leaves the outputs. Its streams are gone,
  /// unless one output is a recording, in which they may go on.
  void end_others();
  /// Time is 0 again, after `end_ns`. Stamps in messages are as simulated; recordings go on, as
  /// those of the real thing do.
  void reset_time(std::int64_t end_ns) { recorded_before_ns_ += end_ns; }
  const std::vector<std::unique_ptr<OutputQueue>>& queues() const { return queues_; }
  const std::vector<std::unique_ptr<Stream>>& streams() const { return streams_; }
  ServiceTable& services() { return services_; }
  const ServiceTable& services() const { return services_; }
  /// One of the outputs is a recording: the times in it do not begin anew.
  bool records() const;
  /// Writes what waits. Throws the first problem of all outputs.
  void finish();

 private:
  friend class Stream;
  std::vector<std::unique_ptr<OutputQueue>> queues_;
  std::vector<std::function<bool(const Topic&)>> takes_;
  std::vector<std::unique_ptr<Stream>> streams_;
  std::int64_t recorded_before_ns_ = 0;  ///< until time was reset last
  TopicNames names_;
  std::vector<Subscription> subscriptions_;
  int round_ = 0;
  std::uint32_t next_number_ = 0;
  ServiceTable services_{queues_};
};

/// Something that publishes: the clock, a vehicle, a device.
class Source {
 public:
  virtual ~Source() = default;
  /// Before the step: something that came from outside.
  virtual void receive(const Received& received) {}
  /// A topic or an action of it goes dead, or is alive again: nothing of it arrives meanwhile.
  virtual void set_alive(const std::string& topic, bool alive) {}
  /// What the step has brought. Throws std::runtime_error when an output cannot go on.
  virtual void after_step() = 0;
  /// What it is of, of all in the world; "" for one that remembers nothing.
  virtual std::string key() const { return {}; }
  /// Goes on from where `before`, with the same key, was; it may refer to what is there no longer.
  virtual void take_over(Source& before) {}
  /// It is over, unless another one has taken over: who waits for something waits in vain.
  virtual void end(const std::string& why) {}
};

/// What the program around it does for a Publisher; each may be null.
struct PublisherHelp {
  MeshFile mesh_file;  ///< where shapes of robots are that URDF has no words for; else left out
  std::function<void(const std::string&)> note;  ///< tells what is wrong with what came in
  /// Of a world that is loaded later; without it the settings of the first one stay.
  std::function<PublishSettings(const WorldModel&)> settings;
};

class Publisher {
 public:
  /// Throws std::invalid_argument, with a place in front, for a Topic that is of no device or asks
  /// for what its device has not.
  Publisher(Simulation& simulation, PublishSettings settings, std::vector<OutputChoice> outputs,
            PublisherHelp help = {});
  ~Publisher();

  /// From now on of the same world, loaded again, or with other robots than before; or of another
  /// one.
  void restart(Simulation& simulation);
  /// "", or what is wrong with what another world wants to be published: restart() would throw.
  std::string problem_with(Simulation& another) const;
  void before_step();
  void after_step();
  void finish();

  // --- Of robots that other programs bring in, before restart() tells of them.

  /// "", or what is wrong with its Topics.
  std::string problem_with(Simulation& simulation, const RobotInfo& robot) const;
  /// Some robot has it in front of its topics.
  bool has_space(const Simulation& simulation, const std::string& space) const;
  /// What stands in front of its topics, as "/r1"; "": what does for those that come later.
  void introduce(const std::string& robot, const std::string& space);
  /// It leaves: the next one of that name begins afresh.
  void forget(const Simulation& simulation, const RobotInfo& robot);

  const PublishSettings& settings() const { return settings_; }
  const StreamTable& table() const { return table_; }
  StreamTable& table() { return table_; }
  /// What each output says of itself, one a line; after finish().
  std::string text() const;

 private:
  void add_sources(Simulation& simulation, const RobotInfo& robot, const RobotTopics& topics,
                   const PublishSettings& settings, StreamTable& table,
                   std::vector<std::unique_ptr<Source>>& to) const;
  void follow_settings(const WorldModel& model);
  void manage_controllers(Simulation& simulation, const RobotTopics& topics);
  void set_alive(const std::string& topic, bool alive);

  PublishSettings settings_;
  PublisherHelp help_;
  StreamTable table_;
  std::vector<std::unique_ptr<ParameterServer>> own_parameters_;  ///< of the outputs' nodes
  bool started_ = false;
  const Simulation* simulation_ = nullptr;  ///< to tell whether it is another one
  double time_ = 0;                         ///< s, of it, after the last step
  RobotNames names_;
  std::set<std::string> given_;  ///< robots whose names introduce() has said
  std::vector<std::unique_ptr<Source>> sources_;
  ControllerManager::States controller_states_;
  std::vector<std::unique_ptr<ControllerManager>> managers_;
  std::set<std::string> dead_;  ///< topics of controllers that are not active
};

}  // namespace protobeam
