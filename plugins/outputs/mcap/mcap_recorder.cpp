// A recorder of messages into an MCAP file (mcap.dev/spec), as rosbag2 and Foxglove read it:
// profile ros2, messages in CDR, types as their definitions. Both times of a message are the
// simulated time at which it was made.
#include <cstdio>
#include <map>
#include <stdexcept>

#include "mcap_writer.h"
#include "output/message_sink.h"

namespace protobeam {
namespace {

/// rosbag2 offers a topic again with what its publishers offered: a sequence of rmw_qos_profile_t
/// as YAML. Policies are the numbers of rmw/types.h (Humble reads nothing else): keep last,
/// reliable, automatic liveliness; a latched topic is transient local. Durations are
/// RMW_DURATION_INFINITE.
std::string qos_profiles(bool latched) {
  const std::string infinite = "\n    sec: 9223372036\n    nsec: 854775807\n";
  return std::string("- history: 1\n  depth: ") + (latched ? "1" : "10") +
         "\n  reliability: 1\n  durability: " + (latched ? "1" : "2") + "\n  deadline:" + infinite +
         "  lifespan:" + infinite + "  liveliness: 1\n  liveliness_lease_duration:" + infinite +
         "  avoid_ros_namespace_conventions: false\n";
}

/// The record that rosbag2_storage_mcap writes: from its version, 8, later ones know that policies
/// are numbers. They take the rest from the statistics, so that it can stand at the start of the
/// file, where it is also when the recording ends early.
mcap::TextMap rosbag2_metadata() {
  return {{"serialized_metadata",
           "version: 8\nstorage_identifier: mcap\nduration:\n  nanoseconds: 0\n"
           "starting_time:\n  nanoseconds_since_epoch: 0\nmessage_count: 0\n"
           "topics_with_message_count: []\ncompression_format: \"\"\ncompression_mode: \"\"\n"
           "relative_file_paths: []\nfiles: []\ncustom_data: {}\nros_distro: \"\"\n"}};
}

mcap::WriterOptions options_of(const Fields& fields, const SinkContext& context) {
  mcap::WriterOptions options;
  options.profile = "ros2";
  options.library = context.program;
  options.compress = fields.string("compression") == "zstd";
  options.level = fields.integer("compressionLevel");
  options.chunk_size = static_cast<std::size_t>(fields.number("chunkSize") * 1e6);
  return options;
}

std::string file_of(const Fields& fields) {
  std::string file = fields.string("file");
  if (file.empty()) {
    throw std::invalid_argument(
        "McapRecorder: the field 'file' is empty; it names the file to write");
  }
  return file;
}

class McapRecorder final : public MessageSink {
 public:
  McapRecorder(const Fields& fields, const SinkContext& context)
      : file_(file_of(fields)), writer_(file_, options_of(fields, context)) {
    writer_.add_metadata("rosbag2", rosbag2_metadata());
  }

  void add(const Topic& topic) override {
    const message::MessageType& type = *topic.type;
    auto schema = schemas_.find(type.ros2_name);
    if (schema == schemas_.end()) {
      const auto id = writer_.add_schema(type.ros2_name, "ros2msg", type.ros2_definition);
      schema = schemas_.emplace(type.ros2_name, id).first;
    }
    channels_[topic.number] =
        writer_.add_channel(schema->second, topic.name, "cdr",
                            {{"offered_qos_profiles", qos_profiles(topic.latched)},
                             {"topic_type_hash", type.ros2_hash}});
  }

  void write(const Publication& publication) override {
    writer_.add_message(channels_.at(publication.topic->number),
                        static_cast<std::uint64_t>(publication.time_ns), publication.message.cdr());
  }

  void finish() override { writer_.finish(); }

  std::string text() const override {
    char size[32];
    std::snprintf(size, sizeof size, "%.1f MB", static_cast<double>(writer_.size()) * 1e-6);
    return "wrote " + file_ + ": " + std::to_string(writer_.messages()) +
           (writer_.messages() == 1 ? " message, " : " messages, ") + size;
  }

 private:
  std::string file_;
  mcap::Writer writer_;
  std::map<std::string, std::uint16_t> schemas_;     ///< by type
  std::map<std::uint32_t, std::uint16_t> channels_;  ///< by number of topic
};

NodeSchema schema() {
  Range size = Range::positive();
  size.max = 1000;
  return {"McapRecorder",
          "Output",
          "Records messages into an MCAP file, which rosbag2 and Foxglove read.",
          {{"file",
            FieldType::kString,
            "\"\"",
            "",
            {},
            "File to write, from the current folder; an existing one is written over"},
           {"compression", FieldType::kString, "\"zstd\"", "", {}, "Of chunks", "zstd|none"},
           {"compressionLevel", FieldType::kInt32, "1", "", Range::between(1, 22),
            "Of zstd: higher is smaller and slower"},
           {"chunkSize", FieldType::kFloat, "4", "MB", size,
            "Messages that are compressed together; what a program that is killed loses at most"}}};
}

}  // namespace
}  // namespace protobeam

PROTOBEAM_OUTPUT_PLUGIN(protobeam::schema(), protobeam::McapRecorder)
