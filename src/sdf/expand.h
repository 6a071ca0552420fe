// The text of a world or model together with the models that it includes.
#pragma once

#include <filesystem>
#include <memory>

#include "base/diagnostics.h"
#include "urdf/import.h"

namespace protobeam::sdf {

using urdf::Element;
using urdf::Ignored;
using urdf::Options;
using urdf::Resources;
using urdf::Text;

/// The <sdf> element of a file, each <include> replaced by what it names. Names in a model that
/// two things have are made different, with a warning. Null with errors.
std::shared_ptr<const Element> read_expanded(const std::filesystem::path& file,
                                             const Options& options, Resources& resources,
                                             Ignored& ignored, Diagnostics& diagnostics);

/// The same of a text that would lie in that file.
std::shared_ptr<const Element> read_expanded_text(std::string text,
                                                  const std::filesystem::path& file,
                                                  const Options& options, Resources& resources,
                                                  Ignored& ignored, Diagnostics& diagnostics);

}  // namespace protobeam::sdf
