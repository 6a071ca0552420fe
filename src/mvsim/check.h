// The expanded tree against the vocabulary: unknown tags, attributes without effect, bad values.
#pragma once

#include "mvsim/element.h"
#include "mvsim/options.h"
#include "mvsim/values.h"

namespace protobeam::mvsim {

class TreeChecker {
 public:
  TreeChecker(const LoadOptions& options, Diagnostics& diagnostics)
      : options_(options), diagnostics_(diagnostics) {}

  /// A world's root: reports all mistakes in its children and takes out tags that are given twice.
  void world(Element& root);
  /// An element that could stand in a world. Addresses on the web are not looked for.
  void definition(Element& element);

 private:
  void children(Element& element, const Context& context);
  void attributes(const Element& element, const Context& context);
  void child(Element& element, const Element& parent, const Context& context);
  void leaf(const Element& element, const Element& parent, const Word& word);
  const Context* context_of(const Element& element, const Word& word);
  void drop_repeated(Element& element, const Context& context);
  void same_sensor_names(const Element& vehicle);

  const LoadOptions& options_;
  Diagnostics& diagnostics_;
  bool look_for_files_ = true;
};

}  // namespace protobeam::mvsim
