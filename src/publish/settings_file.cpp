#include "publish/settings_file.h"

#include <fmt/format.h>
#include <yaml-cpp/yaml.h>

#include <array>

#include "base/whole_file.h"
#include "wbt/check.h"

namespace protobeam {
namespace {

using wbt::Field;
using wbt::Node;
using wbt::NodePtr;
using wbt::Value;

constexpr std::size_t kLargestFile = 1u << 20;

class Reader {
 public:
  Reader(const std::filesystem::path& file, const SchemaRegistry& schemas, Diagnostics& diagnostics)
      : schemas_(schemas), diagnostics_(diagnostics) {
    source_ = std::make_shared<SourceText>(file.string(), read_whole_file(file, kLargestFile));
  }

  /// The nodes as a world would have them, not yet checked.
  std::vector<NodePtr> read() {
    YAML::Node root;
    try {
      root = YAML::Load(std::string(source_->text()));
    } catch (const YAML::Exception& problem) {
      error(problem.mark, problem.msg);
      return {};
    }
    std::vector<NodePtr> nodes;
    if (root.IsNull()) return nodes;
    if (!root.IsMap()) {
      error(root.Mark(), "a file of outputs has 'publishing:' and 'outputs:'");
      return nodes;
    }
    for (const auto& entry : root) {
      const std::string key = entry.first.Scalar();
      if (key == "publishing") {
        nodes.push_back(node("Publishing", entry.second, entry.first.Mark()));
      } else if (key == "outputs") {
        outputs(entry.second, nodes);
      } else {
        const std::array<std::string, 2> known{"publishing", "outputs"};
        error(entry.first.Mark(), "there is no '" + key + "' here", did_you_mean(key, known));
      }
    }
    return nodes;
  }

 private:
  void outputs(const YAML::Node& list, std::vector<NodePtr>& nodes) {
    if (!list.IsSequence()) {
      error(list.Mark(), "'outputs' is a list, an output an entry: - type: McapRecorder");
      return;
    }
    for (const YAML::Node& entry : list) {
      const YAML::Node type = entry.IsMap() ? entry["type"] : YAML::Node();
      if (!type || !type.IsScalar()) {
        error(entry.Mark(), "an output needs its type, as in - type: McapRecorder");
        continue;
      }
      nodes.push_back(node(type.Scalar(), entry, type.Mark()));
    }
  }

  NodePtr node(const std::string& type, const YAML::Node& map, const YAML::Mark& mark) {
    auto made = std::make_shared<Node>();
    made->type = type;
    made->place = place(mark, type.size());
    if (map.IsNull()) return made;
    if (!map.IsMap()) {
      error(map.Mark(), "a " + type + " has fields, as in clockRate: 100");
      return made;
    }
    const NodeSchema* schema = schemas_.find(type);
    for (const auto& entry : map) {
      const std::string name = entry.first.Scalar();
      if (name == "type" && type != "Topic") continue;  // the output's own
      Field field;
      field.name = name;
      field.place = place(entry.first.Mark(), name.size());
      const FieldSpec* spec = schema ? schemas_.find_field(*schema, name) : nullptr;
      // A field that is not there is told of by the check.
      if (spec || !schema) field.value = value(entry.second, spec);
      field.value.place = place(entry.second.Mark(), 1);
      made->fields.push_back(std::move(field));
    }
    return made;
  }

  Value value(const YAML::Node& from, const FieldSpec* spec) {
    Value out;
    const FieldType type = spec ? single(spec->type) : FieldType::kString;
    // The numbers of one value are no list of values.
    const bool is_one = spec && spec->type == type &&
                        (type == FieldType::kVec2f || type == FieldType::kVec3f ||
                         type == FieldType::kRotation || type == FieldType::kColor);
    out.bracketed = from.IsSequence() && !is_one;
    std::vector<YAML::Node> items;
    if (from.IsSequence()) {
      for (const YAML::Node& item : from) items.push_back(item);
    } else {
      items.push_back(from);
    }
    if (items.empty()) return out;
    for (const YAML::Node& item : items) {
      out.offsets.push_back(offset(item.Mark()));
      if (type == FieldType::kNode) {
        out.kind = Value::Kind::kNodes;
        out.nodes.push_back(node(spec->allowed, item, item.Mark()));
      } else if (!item.IsScalar()) {
        error(item.Mark(), "a word or a number is expected here");
      } else {
        scalar(item, type, out);
      }
    }
    return out;
  }

  void scalar(const YAML::Node& item, FieldType type, Value& out) {
    bool flag = false;
    double number = 0;
    if (type == FieldType::kBool && YAML::convert<bool>::decode(item, flag)) {
      out.kind = Value::Kind::kBools;
      out.numbers.push_back(flag ? 1 : 0);
    } else if (type != FieldType::kString && YAML::convert<double>::decode(item, number)) {
      out.kind = Value::Kind::kNumbers;
      out.numbers.push_back(number);
    } else {
      out.kind = Value::Kind::kStrings;  // where a number should be, the check says so
      out.strings.push_back(item.Scalar());
    }
  }

  std::uint32_t offset(const YAML::Mark& mark) const {
    return mark.is_null() ? 0 : static_cast<std::uint32_t>(mark.pos);
  }
  Place place(const YAML::Mark& mark, std::size_t length) const {
    return {source_, offset(mark), static_cast<std::uint32_t>(length)};
  }
  void error(const YAML::Mark& mark, const std::string& message, const std::string& hint = {}) {
    diagnostics_.error(place(mark, 1), message, hint);
  }

  const SchemaRegistry& schemas_;
  Diagnostics& diagnostics_;
  std::shared_ptr<const SourceText> source_;
};

}  // namespace

OutputSettings read_output_settings(const std::filesystem::path& file, SchemaRegistry& schemas,
                                    Diagnostics& diagnostics) {
  OutputSettings out;
  std::vector<NodePtr> nodes = Reader(file, schemas, diagnostics).read();
  if (diagnostics.has_errors()) return out;
  wbt::LoadOptions options;
  options.schemas = &schemas;
  wbt::Checker(options, diagnostics).world(nodes);
  if (diagnostics.has_errors()) return out;
  for (const NodePtr& node : nodes) {
    const wbt::NodeView view(*node, schemas);
    if (schemas.is_a(node->type, "Output")) {
      out.outputs.push_back(node);
      continue;
    }
    if (node->type != "Publishing") {
      diagnostics.error(node->place, "a " + node->type + " is no output",
                        "outputs extend Output: see `protobeam info nodes`");
      continue;
    }
    out.publishing = publish_settings(view);
    for (const NodePtr& topic : view.nodes("topics")) {
      if (topic) out.publishing->topics.push_back(topic_settings(wbt::NodeView(*topic, schemas)));
    }
    for (const NodePtr& one : view.nodes("namedPoses")) {
      if (!one) continue;
      const wbt::NodeView pose(*one, schemas);
      if (const auto problem = problem_with(pose, out.publishing->named_poses))
        diagnostics.error(pose.place(problem->field), problem->text);
      out.publishing->named_poses.push_back(named_pose_settings(pose));
    }
  }
  return out;
}

}  // namespace protobeam
