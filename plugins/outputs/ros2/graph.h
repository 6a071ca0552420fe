// Which node has which readers and writers, told to the tools of ROS 2 (`ros2 node list`,
// `ros2 topic info`): DDS knows participants, not nodes.
#pragma once

#include <dds/dds.h>

#include <array>
#include <cstdint>
#include <map>
#include <mutex>
#include <string>
#include <vector>

#include "domain.h"

namespace protobeam::ros2 {

/// May be used by several threads.
class Graph {
 public:
  using Guid = std::array<std::uint8_t, 16>;
  Graph(dds_entity_t participant, std::string node_name);
  void add_reader(dds_entity_t reader);
  void add_writer(dds_entity_t writer);
  /// For a service, whose reader and writer come together. `node` as "/r1/controller_manager"; "":
  /// the one that has all else.
  void add(const Guid& reader, const Guid& writer, const std::string& node);
  /// Of any node; one that has nothing left is no node any more, but for the first.
  void remove(dds_entity_t endpoint);
  void remove(const Guid& reader, const Guid& writer);

 private:
  struct Endpoints {
    std::vector<Guid> readers, writers;
  };
  void erase(const Guid& endpoint);
  void publish();

  const dds_entity_t participant_;
  const std::string node_name_;
  Writer writer_;
  std::mutex mutex_;
  std::map<std::string, Endpoints> nodes_;  ///< by their whole names
};

}  // namespace protobeam::ros2
