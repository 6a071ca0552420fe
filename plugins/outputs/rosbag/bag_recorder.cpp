// BagRecorder: messages as a bag of ROS 1, which `rosbag play`, rviz and rqt_bag read.
#include <fmt/format.h>

#include <cmath>
#include <optional>

#include "bag_file.h"
#include "output/topic_folder.h"

namespace protobeam {
namespace {

const NodeSchema kSchema{
    "BagRecorder",
    "Output",
    "Writes messages into a bag of ROS 1 (format 2.0). Their times are those of the simulation. What a "
    "killed program has left becomes a bag again by `rosbag reindex`.",
    {{"file", FieldType::kString, "\"run.bag\"", "", {}, "The bag; one that is there is replaced"},
     {"compression", FieldType::kString, "\"lz4\"", "", {},
      "Of chunks; bz2 is several times slower and smaller", "none|lz4|bz2"},
     {"chunkSize", FieldType::kFloat, "4", "MB", Range::between(0.01, 100),
      "Messages are compressed and indexed together until they have this size, with bz2 at most 0.7; "
      "a killed program loses as much"}}};

BagCompression compression_of(const Fields& fields) {
  const std::string name = fields.string("compression");
  return name == "none" ? BagCompression::kNone : name == "bz2" ? BagCompression::kBz2 : BagCompression::kLz4;
}

class BagRecorder final : public MessageSink {
 public:
  BagRecorder(const Fields& fields, const SinkContext&) : path_(fields.string("file")) {
    if (path_.empty()) throw std::invalid_argument("field 'file' is empty");
    if (path_.has_parent_path()) make_folder(path_.parent_path());
    const auto chunk_size = static_cast<std::uint32_t>(std::lround(1e6 * fields.number("chunkSize")));
    file_.emplace(path_, compression_of(fields), chunk_size);
  }

  void add(const Topic&) override {}
  void write(const Publication& publication) override {
    file_->write(publication);
    ++messages_;
  }
  void finish() override { file_->finish(); }
  std::string text() const override {
    return fmt::format("wrote {}: {} messages, {:.1f} MB", path_.string(), messages_,
                       1e-6 * static_cast<double>(file_->size()));
  }

 private:
  std::filesystem::path path_;
  std::optional<BagFile> file_;
  std::uint64_t messages_ = 0;
};

}  // namespace
}  // namespace protobeam

PROTOBEAM_OUTPUT_PLUGIN(protobeam::kSchema, protobeam::BagRecorder)
