// From a world file to its expanded, checked tree. All mistakes of a file in one run.
#pragma once

#include <filesystem>
#include <functional>
#include <string>
#include <vector>

#include "base/diagnostics.h"
#include "base/field_table.h"
#include "base/named_files.h"
#include "wbt/document.h"
#include "wbt/node.h"

namespace protobeam::wbt {

/// Adds the node types of the language that the simulator itself implements (Solid, Shape,
/// HingeJoint, ...), and those that Webots knows but we do not simulate.
void add_core_schemas(SchemaRegistry& schemas);

/// A field that gets another value than the text gives it (wbt/field_settings.h).
struct FieldSetting {
  std::string path;    ///< "CAR.maxSpeed", "robot/lidar.maxRange"
  std::string value;   ///< as a world has it: "20", "0 0 1", "\"text\"", "TRUE"
  std::string origin;  ///< how messages name where it comes from: "--set"
};

struct LoadOptions {
  SchemaRegistry* schemas = nullptr;  ///< never null
  /// Where PROTOs are looked for by name when their EXTERNPROTO is a network or webots:// address
  /// or is missing: the catalogue, then --proto-path folders, then the cache; searched recursively.
  /// The project's own protos/ (beside worlds/) comes first.
  std::vector<std::filesystem::path> proto_path;
  /// What a message about an unknown node says of plugins: where they were looked for. May be empty.
  std::function<std::string()> where_types;
  bool lenient = false;                     ///< unknown nodes and fields are warnings
  double template_seconds = 5;              ///< a template may run so long
  std::size_t template_bytes = 512u << 20;  ///< ... and use so much memory
  std::size_t max_file_bytes = 64u << 20;
  std::size_t max_nodes = 2'000'000;  ///< of the expanded tree
  /// Gets the addresses of all EXTERNPROTO lines and url fields, also when there are errors; may be
  /// null.
  std::vector<NamedAddress>* addresses = nullptr;
  /// The lock file beside the world says what is behind addresses. False: set_addressed_files() has
  /// said it.
  bool use_lock_file = true;
  /// What stands there for a DEF that USE names and the text does not have; null for none. May be
  /// empty.
  std::function<NodePtr(const std::string& def)> defined_outside;
  /// Of two for one field the last one counts. Each must name a field of the world.
  std::vector<FieldSetting> settings;
};

struct LoadedWorld {
  std::filesystem::path file;     ///< as given
  std::filesystem::path project;  ///< project_folder()
  std::string version;            ///< of the header, "R2025a"
  std::vector<NodePtr> nodes;     ///< expanded and checked; empty after errors
  std::vector<ExternProto> externs;  ///< its EXTERNPROTO lines
};

/// The folder above worlds/ or protos/ that holds `file`; else the one above the file's own if it has
/// folders controllers or protos and the file's own has none; else the file's own.
std::filesystem::path project_folder(const std::filesystem::path& file);

/// Reads, expands and checks a world. With errors in `diagnostics` the tree must not be used.
LoadedWorld load_world(const std::filesystem::path& file, const LoadOptions& options,
                       Diagnostics& diagnostics);

/// The same of a world that is parsed already, or that was made from another language; with `settings`
/// its nodes are changed.
LoadedWorld expand_world(const Document& document, const LoadOptions& options,
                         Diagnostics& diagnostics);

/// Nodes of a document that are to stand in that field of a node of that type; owner "": at the top of a
/// world. Expanded and checked; empty after errors. A WorldInfo among them is left out.
std::vector<NodePtr> expand_nodes(const Document& document, const std::string& owner,
                                  const std::string& field, const LoadOptions& options,
                                  Diagnostics& diagnostics);

/// Checks and completes the value of one field of a node of that type. False with errors.
bool check_field(const std::string& owner, Field& field, const LoadOptions& options,
                 Diagnostics& diagnostics);

/// Checks a world or a PROTO by itself (a PROTO is instantiated with its defaults).
void check_file(const std::filesystem::path& file, const LoadOptions& options,
                Diagnostics& diagnostics);

/// The PROTO instantiated with its defaults (for `info devices`); null with errors.
NodePtr load_proto(const std::filesystem::path& file, const LoadOptions& options,
                   Diagnostics& diagnostics);

/// The tree as a person would write it: instances of PROTOs by their parameters, a node that was
/// written before by USE. What stands in no PROTO comes back as it is.
std::string to_source_text(const std::vector<NodePtr>& nodes);
/// With header and EXTERNPROTO lines.
std::string to_source_text(const LoadedWorld& world);

/// Writes a tree as text that parses to the same tree (numbers with all digits that matter).
std::string to_text(const std::vector<NodePtr>& nodes, std::string_view version = "R2025a");

}  // namespace protobeam::wbt
