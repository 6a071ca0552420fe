// Rendered templates of earlier runs. A template sees nothing but its request (the clock stands still,
// random numbers begin by the node's id), so that the same request gives the same text.
#pragma once

#include <optional>

#include "assets/derived_cache.h"
#include "wbt/template.h"

namespace protobeam::wbt {

class TemplateCache {
 public:
  /// Keeps nothing where there is no program to render templates.
  TemplateCache();

  /// `individual`: the template asks for its context.
  std::optional<RenderedText> find(const TemplateRequest& request, bool individual) const;
  void store(const TemplateRequest& request, bool individual, const RenderedText& text);

 private:
  std::string key_of(const TemplateRequest& request, bool individual) const;

  std::string stamp_;  ///< of the programs: what they make of a template may change
  DerivedCache cache_;
};

}  // namespace protobeam::wbt
