// Which variables a text sees.
#pragma once

#include <map>
#include <memory>
#include <set>
#include <string>
#include <vector>

#include "mvsim/xml.h"

namespace protobeam::mvsim {

using Variables = std::map<std::string, std::string>;

/// Variables of one include, loop, vehicle or sensor; they hide those around them.
struct Frame {
  Variables values;
  std::shared_ptr<Frame> parent;
};

/// The files that are being included, innermost first.
struct OpenFile {
  const XmlFile* file = nullptr;
  std::shared_ptr<const OpenFile> parent;
  std::size_t depth = 1;
};

/// The context of a text: the variables in scope, and what messages about it say.
struct Scope {
  std::shared_ptr<const XmlFile> file;
  std::shared_ptr<const OpenFile> open_files;
  std::shared_ptr<Frame> frame;  ///< may be null
  /// World variables as they were where a class was written; null outside of classes.
  std::shared_ptr<const Variables> at_class;
  std::shared_ptr<const Instantiation> chain;

  Scope with(Variables values) const {
    Scope inner = *this;
    inner.frame = std::make_shared<Frame>(Frame{std::move(values), frame});
    return inner;
  }
};

/// World variables: one set for the whole world, in the order of the text.
class WorldVariables {
 public:
  const Variables& values() const { return *values_; }
  /// As they are now; later changes do not show in it.
  std::shared_ptr<const Variables> snapshot() const { return values_; }
  void set(const std::string& name, const std::string& value) {
    if (values_.use_count() > 1) values_ = std::make_shared<Variables>(*values_);
    (*values_)[name] = value;
    broken_.erase(name);
  }
  /// A variable whose value has a mistake: its uses are not reported again.
  void set_broken(const std::string& name) { broken_.insert(name); }
  bool is_broken(const std::string& name) const { return broken_.count(name) > 0; }

 private:
  std::shared_ptr<Variables> values_ = std::make_shared<Variables>();
  std::set<std::string> broken_;
};

/// The variable of that name: frames from the innermost, those at the class, the world's.
const std::string* find_variable(const std::string& name, const Scope& scope,
                                 const WorldVariables& world);
/// The names that a text could have meant.
std::vector<std::string> variable_names(const Scope& scope, const WorldVariables& world);

}  // namespace protobeam::mvsim
