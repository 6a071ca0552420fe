// CsvRecorder: messages as tables, for spreadsheets, pandas and PlotJuggler.
#include <fmt/format.h>

#include <map>
#include <memory>
#include <optional>
#include <set>

#include "csv_table.h"
#include "message/any_message.h"
#include "message/walk.h"
#include "output/numbers.h"
#include "output/topic_folder.h"

namespace protobeam {
namespace {

/// What a row may have in sequences: more is a picture, a scan or a cloud.
constexpr int kMostInSequences = 64;
/// Bytes in memory from which on a message is not even looked at.
constexpr std::size_t kLargest = std::size_t{64} << 10;

const NodeSchema kSchema{
    "CsvRecorder",
    "Output",
    "Writes messages as tables, FOLDER/TOPIC.csv, one row a message: the simulated time at which it was "
    "made, then its fields by their names in ROS 2 (pose.position.x, covariance[0]); times are seconds. "
    "Messages with more than 64 values in sequences, as images, scans and clouds, are left out.",
    {{"folder", FieldType::kString, "\"tables\"", "", {}, "A file for each topic is written into it"}}};

std::string text_of(const message::LeafValue& value) {
  std::string text;
  std::visit(
      [&text]<class T>(const T& held) {
        if constexpr (std::is_same_v<T, std::string>) {
          text = csv_text(held);
        } else if constexpr (std::is_same_v<T, message::Time> || std::is_same_v<T, message::Duration>) {
          append_seconds(text, std::int64_t{held.sec} * 1'000'000'000 + held.nanosec);
        } else if constexpr (std::is_same_v<T, bool>) {
          text += held ? '1' : '0';
        } else {
          append_number(text, held);
        }
      },
      value);
  return text;
}

/// Nothing for a message that is too large for a row.
std::optional<std::vector<Cell>> row_of(const Publication& publication) {
  const message::AnyMessage& message = publication.message;
  if (message.size() > kLargest) return std::nullopt;
  std::vector<Cell> row{{"time", ""}};
  append_seconds(row[0].text, publication.time_ns);
  int in_sequences = 0;
  message::walk(*message.type().description, message.cdr(), [&](const message::Leaf& leaf) {
    if (leaf.in_sequence && ++in_sequences > kMostInSequences) return false;
    row.push_back({std::string(leaf.path), text_of(leaf.value)});
    return true;
  });
  if (in_sequences > kMostInSequences) return std::nullopt;
  return row;
}

class CsvRecorder final : public MessageSink {
 public:
  CsvRecorder(const Fields& fields, const SinkContext&) : folder_(fields.string("folder")) {}

  void add(const Topic&) override {}

  void write(const Publication& publication) override {
    const Topic& topic = *publication.topic;
    const auto row = row_of(publication);
    if (!row) {
      left_out_.insert(topic.name);
      return;
    }
    auto& table = tables_[topic.number];
    if (!table) table = std::make_unique<CsvTable>(folder_.of(topic).string() + ".csv");
    table->add(*row);
    ++rows_;
  }

  void finish() override {
    for (auto& [number, table] : tables_) table->finish();
  }

  std::string text() const override {
    std::string text =
        fmt::format("wrote {}: {} files, {} rows", folder_.path().string(), tables_.size(), rows_);
    const char* before = "; too large for a table: ";
    for (const std::string& topic : left_out_) {
      text += before + topic;
      before = ", ";
    }
    return text;
  }

 private:
  TopicFolder folder_;
  std::map<std::uint32_t, std::unique_ptr<CsvTable>> tables_;  ///< by the topic's number
  std::set<std::string> left_out_;
  std::uint64_t rows_ = 0;
};

}  // namespace
}  // namespace protobeam

PROTOBEAM_OUTPUT_PLUGIN(protobeam::kSchema, protobeam::CsvRecorder)
