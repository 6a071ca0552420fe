// From XML to the expanded tree: include, variable, for, if, classes and their instances.
#pragma once

#include <map>
#include <vector>

#include "mvsim/element.h"
#include "mvsim/files.h"
#include "mvsim/substitution.h"

namespace protobeam::mvsim {

class Expander {
 public:
  Expander(const LoadOptions& options, FileLibrary& files, Diagnostics& diagnostics);

  /// The children of a world's root, in the order of the text, loops round by round.
  void world(const std::shared_ptr<const XmlFile>& file, Element& root);
  /// The roots of a definition file, as if a world included it with nothing given.
  std::vector<Element> definitions(const std::shared_ptr<const XmlFile>& file);
  /// The classes that had no instance, in the order of the text, each under its own name.
  std::vector<Element> unused_classes();

 private:
  struct Class {
    const xml::Element* node = nullptr;
    Scope scope;
    bool used = false;
  };
  enum class Where { kWorld, kInside };
  using Elements = std::vector<Element>;

  Scope file_scope(const std::shared_ptr<const XmlFile>& file) const;
  void all(const std::vector<xml::Element>& nodes, const Scope& scope, Where where, Elements& out);
  void one(const xml::Element& node, const Scope& scope, Where where, Elements& out);
  void include(const xml::Element& node, const Scope& scope, Where where, Elements& out);
  void variable(const xml::Element& node, const Scope& scope);
  void loop(const xml::Element& node, const Scope& scope, Where where, Elements& out);
  void condition(const xml::Element& node, const Scope& scope, Where where, Elements& out);

  /// An element with its attributes and text.
  Element element(const xml::Element& node, const Scope& scope);
  void plain(const xml::Element& node, const Scope& scope, Elements& out);
  void sensor(const xml::Element& node, const Scope& scope, Where where, Elements& out);
  void register_class(const xml::Element& node, const Scope& scope);
  void instance(const xml::Element& node, const Scope& scope, Elements& out);
  void merge_class(Class& from, const std::string& name, const Scope& scope, Element& to);
  /// Its name, or the one it gets because it has none.
  std::string entity_name(Element& element);

  const xml::Attribute* wanted(const xml::Element& node, const std::string& name,
                               const Scope& scope);
  void only(const xml::Element& node, std::initializer_list<const char*> known, const Scope& scope);
  bool integer(const xml::Element& node, const std::string& name, const Scope& scope,
               long long& value);
  void assign(const std::string& name, const std::string& value, const Scope& scope);
  /// Counts an element or a round; false, with one error, when there are too many.
  bool count(const Place& place, const Scope& scope);
  bool stopped();

  const LoadOptions& options_;
  FileLibrary& files_;
  Diagnostics& diagnostics_;
  WorldVariables variables_;
  RandomSource random_, aside_;  ///< of the world; of classes that are only looked at
  Substitution substitution_, substitution_aside_;
  Substitution* values_ = &substitution_;
  std::map<std::string, Class> classes_;  ///< by "vehicle:class NAME"
  std::vector<std::string> class_order_;
  std::map<std::string, std::map<std::string, Place>> names_;  ///< given ones, by tag
  std::map<std::string, int> unnamed_;
  std::size_t elements_ = 0, depth_ = 0;
  bool stopped_ = false;
};

}  // namespace protobeam::mvsim
