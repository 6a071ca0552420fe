// How a program that its user has started finds its robot, before the messages of the link:
//
//   program -> simulator   Attach (the robot's name), or List
//   simulator -> program   Attached or Refused (why); Robots
//
// After Attached comes the program's Hello. Over a local socket the shared memory's descriptor
// follows, in a packet of its own, before the Configure.
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <vector>

#include "base/descriptor.h"

namespace protobeam::link {

/// A robot that programs may drive.
struct WaitingRobot {
  std::string name;
  bool driven = false;  ///< by a program that is connected

  bool operator==(const WaitingRobot&) const = default;
};

/// `robot` "": the only one.
std::vector<std::byte> encode_attach(const std::string& robot);
std::vector<std::byte> encode_list();
std::vector<std::byte> encode_refused(const std::string& why);
std::vector<std::byte> encode(std::span<const WaitingRobot> robots);

/// Throw BrokenMessage, also when the other side speaks another version of the link.
std::string decode_attach(std::span<const std::byte> bytes);
void decode_list(std::span<const std::byte> bytes);
std::string decode_refused(std::span<const std::byte> bytes);
std::vector<WaitingRobot> decode_robots(std::span<const std::byte> bytes);

/// A piece of the memory over TCP: its place, then the bytes.
std::vector<std::byte> encode_memory(std::size_t offset, std::span<const std::byte> bytes);
/// Writes it. Throws BrokenMessage when it lies outside.
void decode_memory(std::span<const std::byte> bytes, std::span<std::byte> memory);

std::vector<std::byte> encode_end(int exit_code);
int decode_end(std::span<const std::byte> bytes);

/// False when it cannot be sent.
bool send_descriptor(int socket, int fd);
/// Waits for it. Throws BrokenMessage when something else comes.
Descriptor receive_descriptor(int socket);

}  // namespace protobeam::link
