// How the functions of a supervisor reach the simulator: what they refer to, and what they ask.
#pragma once

#include <webots/supervisor.h>

#include <array>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <set>
#include <string>
#include <tuple>
#include <vector>

#include "controller/client.h"

/// A node, once a controller has got it. Never freed: programs keep the pointers.
struct WbNodeStructPrivate {
  int id = -1;
  bool known = false;  ///< what follows
  std::string def, type, base_type;
  int parent = -1, fields = 0, base_fields = 0;
  bool is_proto = false;

  std::array<double, 3> position{}, center_of_mass{}, contact_point{};
  std::array<double, 9> orientation{};
  std::array<double, 16> pose{};
  std::array<double, 6> velocity{};
  std::vector<WbContactPoint> contacts;
  std::string exported;
};

struct WbFieldStructPrivate {
  WbNodeRef node = nullptr;
  protobeam::link::FieldAddress address;
  std::string name;
  int type = 0;  ///< WbFieldType
  std::array<double, 4> numbers{};
  std::string text;
};

struct WbProtoStructPrivate {
  WbNodeRef node = nullptr;
  int level = 0;
  std::string name;
  bool derived = false;
  int fields = 0;
};

namespace protobeam::controller {

using link::SupervisorAnswer;
using link::SupervisorOp;
using link::SupervisorRequest;

/// Held by each function while it runs. False, after a message once a function, when the robot is
/// no supervisor, or a step is under way.
class Supervision {
 public:
  explicit Supervision(const char* function);
  explicit operator bool() const { return legal_; }
  const char* function() const { return function_; }
  void complain(const std::string& what) const { controller::complain(function_, what); }

  /// Each says what is wrong with what the program has passed.
  bool good(WbNodeRef node) const;
  bool good(WbFieldRef field) const;
  bool good(WbProtoRef proto) const;
  bool good(const char* name, const char* text) const;
  bool good(const double* numbers, std::size_t count) const;
  /// A field of that type.
  bool good(WbFieldRef field, int type) const;

  /// Waits for the answer; null, after a message, when it is refused.
  const SupervisorAnswer* ask(SupervisorRequest request);
  /// The same without a message.
  const SupervisorAnswer* try_ask(SupervisorRequest request);
  /// The answer with that many numbers, or null.
  const double* ask_numbers(SupervisorRequest request, std::size_t count);
  WbNodeRef ask_node(SupervisorRequest request);
  /// With the next ask() or step.
  void tell(SupervisorRequest request);

 private:
  const char* function_;
  std::unique_lock<std::mutex> lock_;
  bool legal_ = false;
  SupervisorAnswer answer_;
};

/// What the program has got from the simulator so far.
class SupervisedWorld {
 public:
  static SupervisedWorld& get();

  WbNodeRef node(int id);  ///< null below 0
  WbFieldRef field(WbNodeRef node, link::FieldAddress address, std::string name, int type);
  WbProtoRef proto(WbNodeRef node, int level);
  bool has(WbNodeRef node) const;
  bool has(WbFieldRef field) const;
  bool has(WbProtoRef proto) const;
  struct Told {
    const char* function;
    SupervisorRequest request;
  };
  std::vector<Told> told;  ///< and not yet sent
  /// Sends it, and then `request` if there is one. What was refused is said on stderr.
  std::optional<SupervisorAnswer> flush(const SupervisorRequest* request);

  /// Programs read once more after the simulation has ended, often before they look at the result
  /// of their step: they get what the same request was answered with last.
  void remember(const SupervisorRequest& request, const SupervisorAnswer& answer);
  SupervisorAnswer last_answer(const SupervisorRequest& request) const;

  /// What is read again with the step.
  struct Tracked {
    SupervisorRequest request;
    int period = 0;  ///< ms
    double due = 0;  ///< s, of simulated time
    std::optional<SupervisorAnswer> answer;
    double time = 0;          ///< s, of the answer
    std::size_t changes = 0;  ///< by then
  };
  /// What it is now; null where that has to be asked for: between two periods, and after the
  /// program has changed something (Webots, src/controller/c/supervisor.c).
  const SupervisorAnswer* current(const Tracked& tracked) const;
  std::size_t changes = 0;                             ///< requests that were told so far
  std::map<std::pair<WbNodeRef, int>, Tracked> poses;  ///< by the node from which it is seen
  std::map<WbNodeRef, Tracked> contacts;
  std::map<WbFieldRef, Tracked> fields;
  static void track(Tracked& tracked, SupervisorRequest request, int period);
  void read_tracked();

 private:
  SupervisedWorld();

  using AnswerKey = std::tuple<SupervisorOp, int, int, int, int, int, std::string>;
  static AnswerKey key_of(const SupervisorRequest& request);
  std::map<AnswerKey, SupervisorAnswer> last_answers_;
  std::set<const void*> ours_;  ///< pointers that programs have got
  using FieldKey = std::tuple<int, int, int, int>;
  std::map<int, std::unique_ptr<WbNodeStructPrivate>> nodes_;
  std::map<FieldKey, std::unique_ptr<WbFieldStructPrivate>> fields_;
  std::map<std::pair<int, int>, std::unique_ptr<WbProtoStructPrivate>> protos_;
};

/// A request about a node.
inline SupervisorRequest about(SupervisorOp op, WbNodeRef node) {
  SupervisorRequest request;
  request.op = op;
  request.node = node ? node->id : -1;
  return request;
}
inline SupervisorRequest about(SupervisorOp op, WbFieldRef field) {
  SupervisorRequest request = about(op, field->node);
  request.field = field->address;
  return request;
}

/// Of the node type of that name; WB_NODE_NO_NODE for one that Webots has no number for.
WbNodeType node_type_of(const std::string& name);

/// Sets the customData of the own robot, in its order with what is told of fields.
void tell_custom_data(const char* function, const std::string& data);

/// The own robot as URDF; any program may ask for that. "" when the simulation has ended.
std::string ask_urdf(const char* function, const std::string& prefix);

/// Absolute: the simulator runs in another folder.
std::string absolute_path(const char* file);

}  // namespace protobeam::controller
