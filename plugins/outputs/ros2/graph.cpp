#include "graph.h"

#include <algorithm>

namespace protobeam::ros2 {
namespace {

using message::MessageName;

// Messages of ros2/rmw_dds_common since Iron; in Humble an identifier had 24 bytes.

struct Gid {
  static constexpr MessageName kName{"rmw_dds_common", "Gid"};
  std::array<std::uint8_t, 16> data{};
  static void each(auto& m, auto&& f) { f("data", m.data); }
};

struct NodeEntitiesInfo {
  static constexpr MessageName kName{"rmw_dds_common", "NodeEntitiesInfo"};
  std::string node_namespace;
  std::string node_name;
  std::vector<Gid> reader_gid_seq;
  std::vector<Gid> writer_gid_seq;
  static void each(auto& m, auto&& f) {
    f("node_namespace", m.node_namespace);
    f("node_name", m.node_name);
    f("reader_gid_seq", m.reader_gid_seq);
    f("writer_gid_seq", m.writer_gid_seq);
  }
};

struct ParticipantEntitiesInfo {
  static constexpr MessageName kName{"rmw_dds_common", "ParticipantEntitiesInfo"};
  Gid gid;
  std::vector<NodeEntitiesInfo> node_entities_info_seq;
  static void each(auto& m, auto&& f) {
    f("gid", m.gid);
    f("node_entities_info_seq", m.node_entities_info_seq);
  }
};

/// The names in it are string<=256, which our descriptions do not know: so its hash stands here.
constexpr char kTypeHash[] =
    "typehash=RIHS01_91a0593bacdcc50ea9bdcf849a938b128412cc1ea821245c663bcd26f83c295e;";

Graph::Guid guid_of(dds_entity_t entity) {
  dds_guid_t guid{};
  checked(dds_get_guid(entity, &guid), "name an endpoint");
  Graph::Guid out;
  static_assert(sizeof guid.v == sizeof out);
  std::copy(std::begin(guid.v), std::end(guid.v), out.begin());
  return out;
}

std::vector<Gid> gids_of(const std::vector<Graph::Guid>& guids) {
  std::vector<Gid> gids;
  for (const Graph::Guid& guid : guids) gids.push_back({guid});
  return gids;
}

}  // namespace

Graph::Graph(dds_entity_t participant, std::string node_name)
    : participant_(participant),
      node_name_("/" + std::move(node_name)),
      writer_(make_writer(participant, "ros_discovery_info",
                          message::type_of<ParticipantEntitiesInfo>().dds_name,
                          {.reliable = true, .latched = true, .depth = 1}, kTypeHash)),
      nodes_{{node_name_, {}}} {
  publish();
}

void Graph::add_reader(dds_entity_t reader) {
  const std::lock_guard lock(mutex_);
  nodes_[node_name_].readers.push_back(guid_of(reader));
  publish();
}

void Graph::add_writer(dds_entity_t writer) {
  const std::lock_guard lock(mutex_);
  nodes_[node_name_].writers.push_back(guid_of(writer));
  publish();
}

void Graph::add(const Guid& reader, const Guid& writer, const std::string& node) {
  const std::lock_guard lock(mutex_);
  Endpoints& endpoints = nodes_[node.empty() ? node_name_ : node];
  endpoints.readers.push_back(reader);
  endpoints.writers.push_back(writer);
  publish();
}

void Graph::remove(dds_entity_t endpoint) {
  const std::lock_guard lock(mutex_);
  erase(guid_of(endpoint));
  publish();
}

void Graph::remove(const Guid& reader, const Guid& writer) {
  const std::lock_guard lock(mutex_);
  erase(reader);
  erase(writer);
  publish();
}

void Graph::erase(const Guid& endpoint) {
  for (auto& [name, endpoints] : nodes_) {
    std::erase(endpoints.readers, endpoint);
    std::erase(endpoints.writers, endpoint);
  }
  std::erase_if(nodes_, [this](const auto& node) {
    return node.first != node_name_ && node.second.readers.empty() && node.second.writers.empty();
  });
}

void Graph::publish() {
  ParticipantEntitiesInfo info;
  info.gid = {guid_of(participant_)};
  for (const auto& [name, endpoints] : nodes_) {
    const auto slash = name.rfind('/');
    info.node_entities_info_seq.push_back({name.substr(0, std::max<std::size_t>(slash, 1)),
                                           name.substr(slash + 1), gids_of(endpoints.readers),
                                           gids_of(endpoints.writers)});
  }
  dds_writecdr(writer_.entity, new_cdr_sample(*writer_.type, message::AnyMessage(std::move(info))));
}

}  // namespace protobeam::ros2
