// Tree to tree: PROTOs replaced by their bodies, IS by values, USE by the node that it names.
#pragma once

#include <deque>
#include <map>
#include <memory>
#include <set>
#include <string>
#include <unordered_map>
#include <vector>

#include "base/diagnostics.h"
#include "wbt/document.h"
#include "wbt/load.h"
#include "wbt/resolve.h"
#include "wbt/template.h"
#include "wbt/template_cache.h"

namespace protobeam::wbt {

/// Values of a PROTO's parameters for one instance, in the order of its interface.
struct Bindings {
  std::shared_ptr<const Document> document;
  std::vector<Value> values;
  std::vector<bool> given;  ///< written at the instance, not the default
  std::vector<int> uses;    ///< IS links so far: nodes are copied from the second one on
  std::shared_ptr<ProtoInstance> instance;  ///< what the made node keeps
};

class Expander {
 public:
  Expander(const LoadOptions& options, ProtoLibrary& library, std::filesystem::path world,
           std::filesystem::path project, Diagnostics& diagnostics);

  std::vector<NodePtr> world(const Document& document);
  /// A PROTO with its defaults; null after errors.
  NodePtr proto(const std::shared_ptr<const Document>& document);

 private:
  /// What DEF and IS mean at a place: names end with the file.
  struct Defined {
    NodePtr node;
    std::size_t size = 1;
    int height = 1;
    /// Of what may stand in one place only, when lenient; and what its name meant before.
    std::shared_ptr<const Node> raw = nullptr;
    std::shared_ptr<const Defined> before = nullptr;
  };
  struct Scope {
    const Document& document;
    std::shared_ptr<const Instantiation> chain;
    Bindings* bindings = nullptr;  ///< null outside PROTO bodies
    const std::vector<std::string>* def_names = nullptr;
    std::map<std::string, Defined, std::less<>> defs;
  };

  /// A PROTO's body after its template ran.
  struct RenderedBody {
    NodePtr root;
    std::vector<std::string> def_names;
  };
  /// What an expanded node was made from.
  struct Made {
    std::weak_ptr<const Node> node;
    std::shared_ptr<const Bindings> bindings;
  };

  NodePtr node(const Node& raw, Scope& scope);
  NodePtr used(const Node& raw, Scope& scope);
  NodePtr built_in(const Node& raw, Scope& scope, const NodeSchema& schema);
  bool is_turned(const Document& proto, const Scope& outside) const;
  bool is_younger(const Document& proto, const Scope& outside) const;  ///< than R2022a's new axes
  NodePtr instance(const Node& raw, Scope& scope, std::shared_ptr<const Document> proto);
  void unknown(const Node& raw, Scope& scope);
  void skip(const Node& raw, Scope& scope);
  bool value(const Value& raw, Scope& scope, Value& out);
  ParameterLink link_of(const Field& field, const Scope& scope) const;
  bool linked(const Field& field, Scope& scope, const FieldType* wanted, Value& out);
  bool bind(const Node& raw, Scope& outside, Scope& inside, Bindings& bindings);
  class DefaultNames;
  void bind_given(const Node& raw, Scope& outside, const Scope& inside, Bindings& bindings,
                  bool turned, DefaultNames& names);
  void unknown_parameter(const Field& field, const ProtoInterface& proto, const Scope& outside);
  bool bind_default(std::size_t index, Scope& inside, Bindings& bindings, bool younger);
  void restrict(const Parameter& parameter, Value& value, const Scope& scope, bool is_default);
  bool name_matches(const Node& node, const Value& allowed) const;
  std::shared_ptr<const Node> body(Bindings& bindings, const Place& used_at, Scope& scope);
  /// Out of the cache, or by the engine. False with an error.
  bool render(const TemplateRequest& request, bool individual, RenderedText& out);
  std::shared_ptr<const RenderedBody> render(const Bindings& bindings, const Place& used_at,
                                             const Scope& scope);
  const Bindings* made_by(const Node& node) const;
  bool count(std::size_t nodes, const Place& place,
             const std::shared_ptr<const Instantiation>& chain);
  bool enter(const Place& place, const Scope& scope);
  Value copied(const Value& value);

  const LoadOptions& options_;
  ProtoLibrary& library_;
  std::filesystem::path world_;
  std::filesystem::path project_;
  Diagnostics& diagnostics_;
  std::size_t count_ = 0;
  int depth_ = 0;
  int deepest_ = 0;
  bool full_ = false;
  bool too_deep_ = false;
  std::string coordinate_system_ = "ENU";
  std::unique_ptr<TemplateEngine> engine_;
  std::unique_ptr<TemplateCache> templates_;
  std::unordered_map<std::string, std::shared_ptr<const RenderedBody>> rendered_;
  int instances_with_id_ = 0;
  std::unordered_map<const Node*, Made> instances_;  ///< nodes inside of parameters
  bool in_turned_ = false;  ///< in parameters of a PROTO that is turned (turn_instance())
  int binding_ = 0;                                  ///< parameters around what is expanded
  std::unordered_map<std::string, int> unknown_;     ///< already reported
  std::set<std::string> skipped_;                    ///< fields: already reported
  std::set<std::string> listed_;                     ///< PROTOs whose fields a message has listed
};

}  // namespace protobeam::wbt
