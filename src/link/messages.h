// The messages of the link, and their bytes.
//
//   controller -> simulator   Hello (wb_robot_init), Step (wb_robot_step), Bye (wb_robot_cleanup),
//                             Ask (supervisors only: link/supervisor_messages.h), Metric
//                             (pb_metric)
//   simulator -> controller   Configure (answers Hello), Reply (answers Step), Answer (to Ask)
//
// A program that was not started by the simulator attaches before its Hello
// (link/attach_messages.h) and tells its exit code at last (End).
//
// The controller speaks first and waits for each answer, so there is never more than one message
// of each direction under way. Only Metric has no answer, and may come after the last step: what a
// program has to say about its run is often known at its end. Samples do not travel here: they lie
// in the shared memory whose file descriptor the process inherits, or gets over a local socket.
// Over TCP what has changed in that memory comes before each Reply (Memory).
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "base/wire.h"
#include "link/controller_host.h"

namespace protobeam::link {

using wire::BrokenMessage;
using wire::Reader;
using wire::Writer;

/// Raised by one with every change of a message or of base/device_data.h.
inline constexpr std::uint32_t kProtocolVersion = 12;
inline constexpr std::uint32_t kHelloMagic = 0x4b4c4250;  // "PBLK"

/// Environment: file descriptors of the socket and of the shared memory.
inline constexpr const char* kSocketVariable = "PROTOBEAM_LINK_FD";
inline constexpr const char* kMemoryVariable = "PROTOBEAM_LINK_MEMORY_FD";

enum class MessageType : std::uint32_t {
  kHello = 1,
  kStep,
  kBye,
  kConfigure,
  kReply,
  kAsk,
  kAnswer,
  kEnd,
  kMemory,  // of programs that have attached
  kAttach,
  kAttached,
  kRefused,
  kList,
  kRobots,  // link/attach_messages.h
  kMetric,
};

struct Configuration {
  RobotRecord robot;
  std::vector<std::uint64_t> offsets;  ///< of each device's data
  std::uint64_t memory_size = 0;
};

/// Where each device's data lies: parts aligned to 64 bytes, in the order of the list.
Configuration lay_out(RobotRecord robot);

/// What a controller reads before the first samples: NaN in channels of doubles, as Webots' library
/// gives. The rest of the memory stays zero.
void mark_unmeasured(const Configuration& configuration, std::span<std::byte> memory);

std::vector<std::byte> encode_hello();
std::vector<std::byte> encode(const Configuration& configuration);
std::vector<std::byte> encode(const StepRequest& request);
std::vector<std::byte> encode(const StepReply& reply);
std::vector<std::byte> encode(const Metric& metric);

/// Throws BrokenMessage, also when the other side speaks another version.
void decode_hello(std::span<const std::byte> bytes);
Configuration decode_configuration(std::span<const std::byte> bytes);
StepRequest decode_request(std::span<const std::byte> bytes);
StepReply decode_reply(std::span<const std::byte> bytes);
Metric decode_metric(std::span<const std::byte> bytes);

/// Throws BrokenMessage when the robot has no such device, or the device's type does not declare
/// the command, or its numbers are too few, too many, NaN or out of their range.
void check(const DeviceCommand& command, const RobotRecord& robot);

}  // namespace protobeam::link
