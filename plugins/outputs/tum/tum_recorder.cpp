// TumRecorder: poses as trajectories in the format of the TUM RGB-D benchmark (its page "File formats"),
// which evo and most SLAM systems read: time x y z qx qy qz qw, seconds and metres, # for comments.
#include <fmt/format.h>

#include <map>
#include <optional>

#include "message/any_message.h"
#include "message/geometry_msgs.h"
#include "output/numbers.h"
#include "output/record_file.h"
#include "output/topic_folder.h"

namespace protobeam {
namespace {

const NodeSchema kSchema{
    "TumRecorder",
    "Output",
    "Writes the poses of geometry_msgs/PoseStamped, geometry_msgs/PoseWithCovarianceStamped and "
    "nav_msgs/Odometry as trajectories in the format of the TUM RGB-D benchmark, FOLDER/TOPIC.txt. Other "
    "messages are left out.",
    {{"folder", FieldType::kString, "\"trajectories\"", "", {}, "A file for each topic is written into it"}}};

struct StampedPose {
  const message::Header& header;
  const message::Pose& pose;
};

std::optional<StampedPose> pose_of(const message::AnyMessage& message) {
  if (const auto* pose = message.as<message::PoseStamped>()) return {{pose->header, pose->pose}};
  if (const auto* pose = message.as<message::PoseWithCovarianceStamped>()) {
    return {{pose->header, pose->pose.pose}};
  }
  if (const auto* odometry = message.as<message::Odometry>()) {
    return {{odometry->header, odometry->pose.pose}};
  }
  return std::nullopt;
}

class TumRecorder final : public MessageSink {
 public:
  TumRecorder(const Fields& fields, const SinkContext&) : folder_(fields.string("folder")) {}

  void add(const Topic&) override {}

  void write(const Publication& publication) override {
    const auto stamped = pose_of(publication.message);
    if (!stamped) return;
    const auto number = publication.topic->number;
    auto file = files_.find(number);
    if (file == files_.end()) {
      file = files_.try_emplace(number, folder_.of(*publication.topic).string() + ".txt").first;
      file->second.add("# time x y z qx qy qz qw\n");
    }
    line_.clear();
    append_seconds(line_, nanoseconds(stamped->header.stamp));
    const auto& [position, orientation] = stamped->pose;
    for (const double value : {position.x, position.y, position.z, orientation.x, orientation.y,
                               orientation.z, orientation.w}) {
      line_ += ' ';
      append_number(line_, value);
    }
    line_ += '\n';
    file->second.add(line_);
    ++poses_;
  }

  void finish() override {
    for (auto& [number, file] : files_) file.finish();
  }

  std::string text() const override {
    return fmt::format("wrote {}: {} files, {} poses", folder_.path().string(), files_.size(), poses_);
  }

 private:
  TopicFolder folder_;
  std::map<std::uint32_t, RecordFile> files_;  ///< by the topic's number
  std::string line_;
  std::uint64_t poses_ = 0;
};

}  // namespace
}  // namespace protobeam

PROTOBEAM_OUTPUT_PLUGIN(protobeam::kSchema, protobeam::TumRecorder)
