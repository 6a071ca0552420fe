#include "geometry/model_check.h"

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <map>
#include <nlohmann/json.hpp>
#include <vector>

namespace protobeam {
namespace {

constexpr int kMaxDepth = 256;
const char* const kTooDeep = "nested more than 256 levels deep";

/// The value of an attribute inside a tag's text, or "".
std::string_view attribute(std::string_view tag, std::string_view name) {
  for (std::size_t at = tag.find(name); at != std::string_view::npos; at = tag.find(name, at + 1)) {
    std::size_t i = at + name.size();
    if (at == 0 || std::strchr(" \t\r\n", tag[at - 1]) == nullptr) continue;
    i = tag.find_first_not_of(" \t\r\n", i);
    if (i == std::string_view::npos || tag[i] != '=') continue;
    i = tag.find_first_not_of(" \t\r\n", i + 1);
    if (i == std::string_view::npos || (tag[i] != '"' && tag[i] != '\'')) continue;
    const std::size_t end = tag.find(tag[i], i + 1);
    if (end != std::string_view::npos) return tag.substr(i + 1, end - i - 1);
  }
  return {};
}

/// Which nodes bring in which others, as children or by reference.
class NodeGraph {
 public:
  void add(std::string from, std::string to) { edges_[std::move(from)].push_back(std::move(to)); }
  /// Written out as a tree it stays small. A cycle never ends; a few nodes that each refer twice
  /// to the next grow exponentially.
  bool finite() {
    return std::all_of(edges_.begin(), edges_.end(),
                       [this](const auto& edge) { return size(edge.first, 0) <= kMaxNodes; });
  }

 private:
  static constexpr std::size_t kMaxNodes = 1'000'000;

  std::size_t size(const std::string& node, int depth) {
    if (depth > kMaxDepth) return kMaxNodes + 1;
    const auto known = sizes_.find(node);
    if (known != sizes_.end()) return known->second;
    std::size_t sum = 1;
    const auto found = edges_.find(node);
    if (found != edges_.end()) {
      for (const std::string& next : found->second) {
        sum += size(next, depth + 1);
        if (sum > kMaxNodes) break;
      }
    }
    return sizes_[node] = sum;
  }

  std::map<std::string, std::vector<std::string>> edges_;
  std::map<std::string, std::size_t> sizes_;
};

const char* const kNotFinite = "its nodes contain themselves, or each other too many times";

/// Walks the tags of an XML text. Malformed XML is left for the parser to report.
std::string check_collada(std::string_view text) {
  std::vector<std::string_view> ids;  // of the open elements; "" for all but nodes with an id
  NodeGraph nodes;
  for (std::size_t at = text.find('<'); at != std::string_view::npos; at = text.find('<', at + 1)) {
    if (text.substr(at, 4) == "<!--") {
      at = text.find("-->", at);
    } else if (text.substr(at, 9) == "<![CDATA[") {
      at = text.find("]]>", at);
    } else if (text.substr(at, 2) == "</") {
      if (!ids.empty()) ids.pop_back();
    } else if (text.substr(at, 2) != "<?" && text.substr(at, 2) != "<!") {
      const std::size_t end = text.find('>', at);
      if (end == std::string_view::npos) break;
      const std::string_view tag = text.substr(at + 1, end - at - 1);
      const std::string_view name = tag.substr(0, tag.find_first_of(" \t\r\n/"));
      const auto parent =
          std::find_if(ids.rbegin(), ids.rend(), [](auto id) { return !id.empty(); });
      std::string_view id;
      if (name == "instance_node" && parent != ids.rend()) {
        std::string_view url = attribute(tag, "url");
        if (url.starts_with('#')) url.remove_prefix(1);
        nodes.add(std::string(*parent), std::string(url));
      } else if (name == "node") {
        id = attribute(tag, "id");
        if (!id.empty() && parent != ids.rend()) nodes.add(std::string(*parent), std::string(id));
      }
      if (!tag.ends_with('/')) ids.push_back(id);
      if (ids.size() > kMaxDepth) return kTooDeep;
    }
    if (at == std::string_view::npos) break;
  }
  return nodes.finite() ? "" : kNotFinite;
}

std::uint32_t word(std::string_view bytes, std::size_t at) {
  std::uint32_t value = 0;
  std::memcpy(&value, bytes.data() + at, sizeof value);
  return value;
}

/// The JSON chunk; what is no JSON gives a discarded value.
nlohmann::json glb_json(std::string_view bytes) {
  return nlohmann::json::parse(bytes.substr(20, word(bytes, 12)), nullptr, false);
}

std::string check_glb(std::string_view bytes) {
  if (bytes.size() < 20 || !bytes.starts_with("glTF")) return "no binary glTF header";
  if (word(bytes, 8) != bytes.size()) {
    return "truncated: the header says " + std::to_string(word(bytes, 8)) +
           " bytes, the file has " + std::to_string(bytes.size());
  }
  const std::size_t length = word(bytes, 12);
  if (length > bytes.size() - 20) return "truncated: the JSON chunk is longer than the file";
  int depth = 0;
  bool quoted = false;
  const std::string_view json = bytes.substr(20, length);
  for (std::size_t i = 0; i < json.size(); ++i) {
    const char c = json[i];
    if (quoted) {
      if (c == '\\') ++i;
      if (c == '"') quoted = false;
    } else if (c == '"') {
      quoted = true;
    } else if (c == '[' || c == '{') {
      if (++depth > kMaxDepth) return kTooDeep;
    } else if (c == ']' || c == '}') {
      --depth;
    }
  }
  const auto document = glb_json(bytes);
  if (!document.is_object()) return "its JSON chunk is malformed";
  NodeGraph graph;
  const auto nodes = document.find("nodes");
  for (std::size_t i = 0; nodes != document.end() && i < nodes->size(); ++i) {
    if (!nodes->is_array() || !(*nodes)[i].is_object() || !(*nodes)[i].contains("children"))
      continue;
    for (const auto& child : (*nodes)[i]["children"]) graph.add(std::to_string(i), child.dump());
  }
  return graph.finite() ? "" : kNotFinite;
}

}  // namespace

std::string reason_to_refuse(std::string_view extension, std::string_view bytes) {
  if (bytes.empty()) return "the file is empty";
  if (extension == ".dae") return check_collada(bytes);
  if (extension == ".glb") return check_glb(bytes);
  return "";
}

std::size_t declared_glb_triangles(std::string_view bytes) {
  const nlohmann::json document = glb_json(bytes);
  const auto member = [](const nlohmann::json& object, const char* name) {
    return object.is_object() ? object.value(name, nlohmann::json()) : nlohmann::json();
  };
  const nlohmann::json accessors = member(document, "accessors");
  std::size_t sum = 0;
  for (const nlohmann::json& mesh : member(document, "meshes")) {
    for (const nlohmann::json& primitive : member(mesh, "primitives")) {
      nlohmann::json accessor = member(primitive, "indices");
      if (accessor.is_null()) accessor = member(member(primitive, "attributes"), "POSITION");
      if (!accessor.is_number_unsigned() || accessor >= accessors.size()) continue;
      const nlohmann::json count = member(accessors[accessor.get<std::size_t>()], "count");
      const nlohmann::json mode = member(primitive, "mode");
      if (!count.is_number_unsigned()) continue;
      const auto n = count.get<std::size_t>();
      if (mode.is_null() || mode == 4) sum += n / 3;
      if ((mode == 5 || mode == 6) && n > 2) sum += n - 2;
    }
  }
  return sum;
}

}  // namespace protobeam
