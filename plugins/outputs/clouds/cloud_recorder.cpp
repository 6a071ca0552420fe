// CloudRecorder: each point cloud as a file of its own, for what reads PCD or PLY.
#include <fmt/format.h>

#include <map>
#include <set>

#include "message/any_message.h"
#include "message/sensor_msgs.h"
#include "output/point_file.h"
#include "output/topic_folder.h"

namespace protobeam {
namespace {

namespace fs = std::filesystem;

const NodeSchema kSchema{
    "CloudRecorder",
    "Output",
    "Writes each sensor_msgs/PointCloud2 into a file of its own, with the fields of the message: "
    "FOLDER/TOPIC/000012.345678900.pcd has the cloud whose header says 12.3456789 s. Other messages are "
    "left out.",
    {{"folder", FieldType::kString, "\"clouds\"", "", {}, "A folder for each topic is made in it"},
     {"format", FieldType::kString, "\"pcd\"", "",  {},
      "PCD 0.7 in binary or as text, or binary PLY", "pcd|pcd-ascii|ply"}}};

CloudFormat format_of(const Fields& fields) {
  const std::string name = fields.string("format");
  return name == "ply" ? CloudFormat::kPly
                       : name == "pcd-ascii" ? CloudFormat::kPcdAscii : CloudFormat::kPcdBinary;
}

class CloudRecorder final : public MessageSink {
 public:
  CloudRecorder(const Fields& fields, const SinkContext&)
      : folder_(fields.string("folder")), format_(format_of(fields)) {}

  void add(const Topic&) override {}

  void write(const Publication& publication) override {
    const auto* cloud = publication.message.as<message::PointCloud2>();
    if (!cloud) return;
    const fs::path path = file_for(*publication.topic, cloud->header.stamp);
    try {
      write_points(path, format_, table_of(*cloud));
    } catch (const std::invalid_argument& problem) {
      throw std::runtime_error("cannot write the cloud of " + publication.topic->name + ": " +
                               problem.what());
    }
    ++files_;
  }

  void finish() override {}
  std::string text() const override {
    return fmt::format("wrote {}: {} files", folder_.path().string(), files_);
  }

 private:
  struct Stream {
    fs::path folder;
    std::set<std::string> names;
  };

  fs::path file_for(const Topic& topic, const message::Time& stamp) {
    auto& stream = streams_[topic.number];
    if (stream.folder.empty()) {
      stream.folder = folder_.of(topic);
      make_folder(stream.folder);
    }
    const std::string time = fmt::format("{:06}.{:09}", stamp.sec, stamp.nanosec);
    std::string name = time;
    for (int i = 2; !stream.names.insert(name).second; ++i) name = fmt::format("{}-{}", time, i);
    return stream.folder / (name + (format_ == CloudFormat::kPly ? ".ply" : ".pcd"));
  }

  TopicFolder folder_;
  CloudFormat format_;
  std::map<std::uint32_t, Stream> streams_;  ///< by the topic's number
  std::uint64_t files_ = 0;
};

}  // namespace
}  // namespace protobeam

PROTOBEAM_OUTPUT_PLUGIN(protobeam::kSchema, protobeam::CloudRecorder)
