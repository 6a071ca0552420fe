// One world or PROTO file as it was written: header, declarations, interface and the untyped tree.
#pragma once

#include <compare>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "base/diagnostics.h"
#include "wbt/node.h"

namespace protobeam::wbt {

/// Release of the header: R2025a is {2025, 0}, V8.6 is {8, 6}.
struct Version {
  int major = 0, minor = 0;
  auto operator<=>(const Version&) const = default;
};
inline constexpr Version kR2020b{2020, 1}, kR2022a{2022, 0}, kR2022b{2022, 1}, kR2023b{2023, 1},
    kR2025a{2025, 0};
std::string to_string(Version version);

/// `EXTERNPROTO "url/Name.proto"`
struct ExternProto {
  std::string url;
  std::string name;  ///< file name of the url without its extension
  bool importable = false;
  Place place;  ///< of the url
};

/// One line of a PROTO's interface: `field SFFloat height 1`.
struct Parameter {
  enum class Kind : std::uint8_t { kField, kW3dField, kHidden, kDeprecated, kUnconnected };
  Kind kind = Kind::kField;
  FieldType type = FieldType::kNode;
  std::string name;
  Value default_value;
  /// Written in braces after the type; for nodes only the types count.
  std::optional<Value> allowed;
  Place place;  ///< of the name
};

struct ProtoInterface {
  std::string name;
  Place place;  ///< of the name
  std::vector<Parameter> parameters;
  std::uint32_t body_begin = 0, body_end = 0;  ///< bytes between the braces
  bool javascript = false;                     ///< the body holds %< >%
  bool lua = false;                            ///< the body holds %{ }%

  const Parameter* find(std::string_view parameter) const;
};

struct Document {
  std::filesystem::path file;
  std::shared_ptr<const SourceText> source;
  bool has_header = false;
  Version version = kR2025a;
  std::string version_text;       ///< "R2025a"
  std::vector<std::string> info;  ///< comment lines under the header, without '#'
  std::vector<std::string> tags;
  std::vector<ExternProto> externs;
  std::unique_ptr<ProtoInterface> proto;  ///< of a PROTO file
  std::vector<NodePtr> nodes;  ///< a PROTO with templates has none: its body must be rendered first
  std::vector<std::string> def_names;  ///< every DEF of `nodes`, for "USE before DEF"
  bool broken = false;                 ///< errors were reported; what could be understood is here
};

enum class DocumentKind { kWorld, kProto };

/// Reads a text file; null with an error naming the file, at `asked_by` when a text asked for it.
std::shared_ptr<const SourceText> read_source(const std::filesystem::path& file,
                                              std::size_t max_bytes, const Place& asked_by,
                                              Diagnostics& diagnostics);

Document parse_document(std::shared_ptr<const SourceText> source, std::filesystem::path file,
                        DocumentKind kind, Diagnostics& diagnostics,
                        Version without_header = kR2025a);

/// Header, EXTERNPROTO lines, interface and body (of a PROTO with templates: its text as it is).
std::string to_text(const Document& document);

}  // namespace protobeam::wbt
