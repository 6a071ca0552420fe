// What the controller of a Robot with `supervisor TRUE` asks of the simulator: a batch of requests
// in one message, answered one by one in another. Getters wait for theirs; setters are gathered and
// go along with the next getter or before the next step.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

namespace protobeam::link {

enum class SupervisorOp : std::uint8_t {
  // Nodes. Where a node is the answer, numbers[0] is its id, or -1.
  kNodeSelf = 1,
  kNodeFromDef,        ///< text; node >= 0: inside that PROTO
  kNodeFromId,         ///< node
  kNodeFromDevice,     ///< index: tag
  kNodeInfo,           ///< text: DEF, type, base type, a line each; numbers: parent, is PROTO,
                       ///< fields, base node fields
  kNodePose,           ///< index: of which node, -1: of the world; numbers: rows of a 4 x 4 matrix
  kNodeVelocity,       ///< numbers: 6
  kNodeCenterOfMass,   ///< numbers: 3
  kNodeContacts,       ///< index: 1 with descendants; numbers: x, y, z, node for each
  kNodeStaticBalance,  ///< numbers: 0 or 1
  kNodeExport,         ///< text
  // Fields of a node, of a PROTO instance, or of its base node: see FieldAddress.
  kFieldByName,  ///< text; numbers: index, or -1
  kFieldInfo,    ///< text: name; numbers: type
  kFieldCount,   ///< numbers: of elements
  kFieldValue,   ///< index: element; numbers or text; of a node its id
  kActualField,  ///< numbers: node, space, level, index of the field that a parameter sets
  kProtoInfo,    ///< field.level; text: name; numbers: has a parent, fields
  // Changes of fields.
  kSetField,       ///< index: element; numbers or text
  kInsertField,    ///< index: position; numbers or text
  kRemoveElement,  ///< index
  kRemoveValue,    ///< of a single node
  kImportNode,     ///< index: position; text
  kRemoveNode,
  // Changes of nodes.
  kSetVelocity,         ///< numbers: 6
  kAddForce,            ///< numbers: 3; index: 1 relative
  kAddForceWithOffset,  ///< numbers: 6; index: 1 relative
  kAddTorque,           ///< numbers: 3; index: 1 relative
  kResetPhysics,
  kSetJointPosition,  ///< index: axis, 0..2; numbers: 1
  kSaveState,         ///< text
  kLoadState,         ///< text
  kRestartController,
  kSetVisibility,  ///< index: from which node; numbers: 0 or 1
  kMoveViewpoint,
  // The simulation.
  kReset,
  kResetAllPhysics,
  kReload,
  kLoadWorld,    ///< text
  kSaveWorld,    ///< text, "": where it was loaded from
  kQuit,         ///< index: status
  kGetMode,      ///< numbers: 1
  kSetMode,      ///< index
  kSetLabel,     ///< index: id; text; numbers: x, y, size, red, green, blue, transparency
  kExportImage,  ///< index: quality; text
  kStartMovie,   ///< text; numbers: width, height, quality, acceleration, caption 0 or 1
  kStopMovie,
  kMovieStatus,     ///< numbers: 1
  kStartAnimation,  ///< text
  kStopAnimation,
  // The robot itself, in their order with changes of its fields.
  kSetCustomData,  ///< text
  // What every robot may ask.
  kRobotUrdf,  ///< text: prefix of names; the answer's text
  kLast = kRobotUrdf
};

/// It changes nothing.
constexpr bool only_reads(SupervisorOp op) {
  return op <= SupervisorOp::kProtoInfo || op == SupervisorOp::kGetMode ||
         op == SupervisorOp::kMovieStatus || op == SupervisorOp::kRobotUrdf;
}

/// A field of a node.
struct FieldAddress {
  enum Space : std::uint8_t {
    kOwn,    ///< of a PROTO instance its parameters, of others their node type's
    kBase,   ///< the node type's
    kProto,  ///< the parameters of one of the PROTOs: `level` 0 is the outermost
  };
  std::uint8_t space = kOwn;
  std::uint8_t level = 0;
  std::int32_t index = -1;
  bool operator==(const FieldAddress&) const = default;
};

struct SupervisorRequest {
  SupervisorOp op = SupervisorOp::kNodeSelf;
  std::int32_t node = -1;  ///< id
  FieldAddress field;
  std::int32_t index = 0;
  std::vector<double> numbers;
  std::string text;
};

struct SupervisorAnswer {
  bool good = true;
  std::vector<double> numbers;
  std::string text;  ///< when not good: why
};

/// In one message.
inline constexpr std::size_t kMostRequests = 1'000'000;

std::vector<std::byte> encode(std::span<const SupervisorRequest> requests);
std::vector<std::byte> encode(std::span<const SupervisorAnswer> answers);
/// Throws BrokenMessage: also for numbers that are not finite, and operations that do not exist.
std::vector<SupervisorRequest> decode_supervisor_requests(std::span<const std::byte> bytes);
std::vector<SupervisorAnswer> decode_supervisor_answers(std::span<const std::byte> bytes);

}  // namespace protobeam::link
