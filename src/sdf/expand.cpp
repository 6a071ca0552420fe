#include "sdf/expand.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <charconv>
#include <iterator>
#include <map>
#include <set>

#include "base/address.h"
#include "base/named_files.h"
#include "sdf/actor.h"
#include "sdf/saved_state.h"
#include "wbt/document.h"
#include "xml/parse.h"

namespace protobeam::sdf {
namespace fs = std::filesystem;
namespace {

constexpr std::size_t kMostIncludes = 20;         // one in the other
constexpr std::string_view kMerged = "(merged)";  // no name of XML

// What most worlds of Gazebo include, for who has not got Gazebo's models.
constexpr std::string_view kSun = R"(<sdf version="1.6"><light name="sun" type="directional">
<pose>0 0 10 0 0 0</pose><cast_shadows>true</cast_shadows><diffuse>0.8 0.8 0.8 1</diffuse>
<specular>0.2 0.2 0.2 1</specular><direction>-0.5 0.1 -0.9</direction></light></sdf>)";
constexpr std::string_view kGround = R"(<sdf version="1.6"><model name="ground_plane">
<static>true</static><link name="link"><collision name="collision"><geometry><plane>
<normal>0 0 1</normal><size>100 100</size></plane></geometry><surface><friction><ode><mu>100</mu>
</ode></friction></surface></collision><visual name="visual"><geometry><plane>
<normal>0 0 1</normal><size>100 100</size></plane></geometry><material>
<ambient>0.7 0.7 0.7 1</ambient><diffuse>0.7 0.7 0.7 1</diffuse></material></visual></link>
</model></sdf>)";

/// The text of a stand-in, or nothing. "Ground Plane" is ground_plane.
std::string_view stand_in(std::string name) {
  for (char& c : name)
    c = c == ' ' ? '_' : static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  if (name == "sun") return kSun;
  return name == "ground_plane" ? kGround : std::string_view();
}

/// The last name of an address: Fuel's end in .../models/Ground Plane, or in a version after it.
std::string last_name(std::string uri) {
  const auto cut = [&] {
    while (uri.ends_with('/')) uri.pop_back();
    const auto slash = uri.rfind('/');
    std::string out = slash == std::string::npos ? uri : uri.substr(slash + 1);
    uri.resize(slash == std::string::npos ? 0 : slash);
    return out;
  };
  std::string name = cut();
  const bool version =
      name == "tip" || (!name.empty() && std::ranges::all_of(name, [](unsigned char c) {
        return std::isdigit(c) != 0;
      }));
  if (version) name = cut();
  return with_spaces(name);
}

Text text_at(const Place& place, std::string value) { return {std::move(value), place, false}; }

void set_attribute(Element& element, const char* name, const Text& text) {
  for (xml::Attribute& one : element.attributes) {
    if (one.name != name) continue;
    one.text = text;
    return;
  }
  element.attributes.push_back({name, text.place, text});
}

void set_child(Element& element, const Element& child) {
  for (Element& one : element.children) {
    if (one.tag != child.tag) continue;
    one = child;
    return;
  }
  element.children.push_back(child);
}

/// 9 of "1.9"; -1 when it is none of SDF.
int minor_version(const Text* version) {
  if (!version || !version->value.starts_with("1.")) return -1;
  const std::string_view digits = std::string_view(version->value).substr(2);
  int out = -1;
  const auto [end, failed] = std::from_chars(digits.data(), digits.data() + digits.size(), out);
  const bool good = failed == std::errc() && (end == digits.data() + digits.size() || *end == '.');
  return good ? out : -1;
}

/// Before SDF 1.7 another element said in which frame an axis is, and before 1.5 it was the model.
void name_axes_frames(Element& element, int minor) {
  for (Element& child : element.children) {
    const bool axis = child.tag == "axis" || child.tag == "axis2";
    const Element* old = axis ? child.child("use_parent_model_frame") : nullptr;
    const bool of_model = old ? old->text.value == "1" || old->text.value == "true" : minor < 5;
    if (axis && minor < 7 && of_model) {
      for (Element& xyz : child.children) {
        if (xyz.tag == "xyz") set_attribute(xyz, "expressed_in", text_at(xyz.place, "__model__"));
      }
    }
    if (!axis) name_axes_frames(child, minor);
  }
}

class Expander {
 public:
  Expander(const Options& options, Resources& resources, Ignored& ignored, Diagnostics& diagnostics)
      : options_(options), resources_(resources), ignored_(ignored), diagnostics_(diagnostics) {}

  std::shared_ptr<const Element> run(const std::shared_ptr<const SourceText>& source,
                                     const fs::path& file) {
    const int before = diagnostics_.error_count();
    auto root = parse(source);
    if (!root) return nullptr;
    auto out = std::make_shared<Element>(*root);
    open_.push_back(canonical(file));
    expand(*out);
    apply_saved_state(*out, ignored_);
    if (diagnostics_.error_count() == before) name_all(*out);
    return diagnostics_.error_count() == before ? out : nullptr;
  }

 private:
  static fs::path canonical(const fs::path& file) {
    std::error_code failed;
    return fs::weakly_canonical(fs::absolute(file, failed), failed);
  }

  xml::Dialect dialect() const {
    return {{options_.limits.nesting, options_.limits.elements}, {}, {}};
  }

  std::shared_ptr<const Element> parse(const std::shared_ptr<const SourceText>& source) {
    auto top = xml::parse_only(source, dialect(), diagnostics_);
    if (!top) return nullptr;
    Element& root = *top;
    if (root.tag == "gazebo") root.tag = "sdf";  // before 1.3
    if (root.tag != "sdf") {
      diagnostics_.error(root.place, fmt::format("an SDF file is an <sdf>, not a <{}>", root.tag),
                         root.tag == "robot" ? "name a file .urdf that holds a robot in URDF" : "");
      return nullptr;
    }
    const Text* version = root.attribute("version");
    const int minor = minor_version(version);
    if (!version) {
      diagnostics_.error(root.place, "an <sdf> needs a version");
    } else if (minor < 2) {
      diagnostics_.error(version->place,
                         fmt::format("SDF 1.2 to 1.12 is read, not '{}'", version->value));
      return nullptr;
    }
    auto out = std::make_shared<Element>(std::move(*top));
    name_axes_frames(*out, minor);
    return out;
  }

  void expand(Element& element) {
    const bool holds = element.tag == "sdf" || element.tag == "world" || element.tag == "model";
    if (!count(element)) return;
    for (Element& child : element.children) {
      if (holds && child.tag == "include") {
        include(child);
      } else {
        expand(child);
      }
      const bool is_seen = child.child("skin") || child.child("link");
      if (element.tag == "world" && child.tag == "actor" && is_seen)
        make_model(child, resources_, ignored_, diagnostics_);
    }
    if (!holds) return;
    std::vector<Element> children;
    for (Element& child : element.children) {
      if (child.tag == kMerged) {
        std::ranges::move(child.children, std::back_inserter(children));
      } else if (child.tag != "include") {
        children.push_back(std::move(child));
      }
    }
    element.children = std::move(children);
  }

  /// False when there are too many, with an error.
  bool count(const Element& element) {
    if (++elements_ <= options_.limits.elements) return true;
    if (elements_ == options_.limits.elements + 1) {
      diagnostics_.error(element.place,
                         fmt::format("more than {} elements with those of included models",
                                     options_.limits.elements));
    }
    return false;
  }

  /// Becomes the model, light or actor; stays an <include> with an error or a warning.
  void include(Element& element) {
    const Element* uri = element.child("uri");
    if (!uri || uri->text.value.empty()) {
      diagnostics_.error(element.place, "an <include> needs a <uri>");
      return;
    }
    fs::path file;
    const auto root = included(uri->text, file);
    if (!root) return;
    const auto is_top = [](const Element& one) {
      return one.tag == "model" || one.tag == "light" || one.tag == "actor";
    };
    const auto top = std::ranges::find_if(root->children, is_top);
    if (top == root->children.end()) {
      diagnostics_.error(uri->text.place,
                         fmt::format("there is no <model> in '{}'", uri->text.value));
      return;
    }
    Element made = *top;
    if (const Element* name = element.child("name"); name && !name->text.value.empty())
      set_attribute(made, "name", name->text);
    for (const Element& child : element.children) {
      if (child.tag == "pose" || child.tag == "static") {
        set_child(made, child);
      } else if (child.tag == "placement_frame") {
        set_attribute(made, "placement_frame", child.text);
      } else if (child.tag == "plugin") {
        made.children.push_back(child);
      } else if (child.tag != "uri" && child.tag != "name") {
        ignored_.add(fmt::format("<{}> of <include>", child.tag), child.place);
      }
    }
    bool merged = false;
    for (const xml::Attribute& one : element.attributes) {
      if (one.name != "merge") ignored_.add(fmt::format("'{}' of <include>", one.name), one.place);
      merged =
          merged || (one.name == "merge" && (one.text.value == "true" || one.text.value == "1"));
    }
    open_.push_back(file);
    expand(made);
    open_.pop_back();
    if (merged && made.tag == "model") merge(made);
    element = std::move(made);
  }

  /// The contents of a model for the model that holds it, relative to a frame where it was.
  void merge(Element& model) {
    const Text* name = model.attribute("name");
    const Text frame = text_at(model.place, "merged_" + (name ? name->value : "model"));
    Element at{"frame", model.place, {}, {}, {}};
    set_attribute(at, "name", frame);
    const auto in_frame = [&](Element& element) {
      if (!element.child("pose"))
        element.children.push_back({"pose", element.place, {}, text_at(element.place, ""), {}});
      for (Element& pose : element.children) {
        if (pose.tag == "pose" && !pose.attribute("relative_to"))
          set_attribute(pose, "relative_to", frame);
      }
    };
    std::vector<Element> out;
    for (Element& child : model.children) {
      if (child.tag == "static") continue;
      if (child.tag == "pose") {
        at.children.push_back(std::move(child));
        continue;
      }
      if (child.tag == "link" || child.tag == "model" ||
          (child.tag == "frame" && !child.attribute("attached_to")))
        in_frame(child);
      rename_model_frame(child, frame);
      out.push_back(std::move(child));
    }
    out.insert(out.begin(), std::move(at));
    model.children = std::move(out);
    model.tag = kMerged;
  }

  static void rename_model_frame(Element& element, const Text& frame) {
    if (element.tag == "model") return;  // it has one of its own
    for (xml::Attribute& one : element.attributes) {
      if (one.text.value == "__model__") one.text = frame;
    }
    for (Element& child : element.children) rename_model_frame(child, frame);
  }

  /// The <sdf> of a model, with its file; null with an error.
  std::shared_ptr<const Element> included(const Text& uri, fs::path& file) {
    const std::string name = last_name(uri.value);
    const bool is_web = uri.value.starts_with("http://") || uri.value.starts_with("https://");
    const bool by_name = is_web || uri.value.starts_with("model://");
    const fs::path known = by_name ? resources_.package(name) : fs::path();
    if (const std::string_view text = stand_in(name); by_name && known.empty() && !text.empty()) {
      file = uri.value;
      return parse(std::make_shared<SourceText>(name + ".sdf", std::string(text)));
    }
    // What Fuel has, but not within itself: a model may be one of Fuel's with changes.
    const bool is_here = is_web && !known.empty() && !is_open_below(known);
    const auto found =
        is_here ? std::optional<fs::path>(known) : resources_.locate(uri, diagnostics_);
    if (!found) return nullptr;
    file = canonical(*found);
    if (const std::string why = why_not_allowed(file); !why.empty()) {
      diagnostics_.error(uri.place, fmt::format("'{}' is not read: {}", uri.value, why));
      return nullptr;
    }
    std::error_code failed;
    if (fs::is_directory(file, failed)) file = model_file(file, uri);
    if (file.empty()) return nullptr;
    if (!fs::is_regular_file(file, failed)) {
      diagnostics_.missing(uri.place, uri.value, fmt::format("there is no model '{}'", uri.value),
                           "looked for " + file.string());
      return nullptr;
    }
    if (std::ranges::find(open_, file) != open_.end()) {
      diagnostics_.error(uri.place,
                         fmt::format("'{}' includes itself, if through others", uri.value));
      return nullptr;
    }
    if (open_.size() > kMostIncludes) {
      diagnostics_.error(uri.place,
                         fmt::format("more than {} models one in the other", kMostIncludes));
      return nullptr;
    }
    const auto [at, added] = texts_.try_emplace(file);
    if (added) {
      const auto source =
          wbt::read_source(file, options_.limits.file_bytes, uri.place, diagnostics_);
      if (source) at->second = parse(source);
    }
    return at->second;
  }

  bool is_open_below(const fs::path& folder) const {
    return std::ranges::any_of(
        open_, [at = canonical(folder)](const fs::path& file) { return file.parent_path() == at; });
  }

  /// What model.config says of the newest SDF; empty with an error.
  fs::path model_file(const fs::path& folder, const Text& uri) {
    const fs::path config = folder / "model.config";
    std::error_code failed;
    if (!fs::exists(config, failed)) {
      if (fs::exists(folder / "model.sdf", failed)) return folder / "model.sdf";
      diagnostics_.missing(uri.place, uri.value, fmt::format("there is no model '{}'", uri.value),
                           "looked for " + config.string());
      return {};
    }
    const auto source =
        wbt::read_source(config, options_.limits.file_bytes, uri.place, diagnostics_);
    const auto top = source ? xml::parse_only(source, dialect(), diagnostics_) : std::nullopt;
    if (!top) return {};
    const Element* best = nullptr;
    int newest = -2;
    for (const Element* one : top->all("sdf")) {
      const int version = minor_version(one->attribute("version"));
      if (version <= newest) continue;
      newest = version;
      best = one;
    }
    if (!best || best->text.value.empty()) {
      diagnostics_.error(top->place, "a model.config needs an <sdf> with a file in it");
      return {};
    }
    const fs::path file = canonical(folder / best->text.value);
    if (const std::string why = why_not_allowed(file); !why.empty()) {
      diagnostics_.error(best->place, fmt::format("'{}' is not read: {}", best->text.value, why));
      return {};
    }
    return file;
  }

  /// libsdformat wants names of siblings to differ, and none of "world" and "__x__".
  void name_all(Element& element) {
    static constexpr std::array kNamed{"world", "model",     "link",   "joint", "frame",
                                       "light", "collision", "visual", "sensor"};
    std::set<std::string, std::less<>> taken;
    for (Element& child : element.children) {
      if (std::ranges::find(kNamed, child.tag) == kNamed.end()) continue;
      const Text* name = child.attribute("name");
      std::string wanted = name ? name->value : "";
      if (wanted.empty()) {
        if (child.tag == "link" || child.tag == "joint" || child.tag == "model")
          diagnostics_.error(child.place, fmt::format("a <{}> needs a name", child.tag));
        wanted = child.tag;
      }
      for (auto at = wanted.find("::"); at != std::string::npos; at = wanted.find("::"))
        wanted.replace(at, 2, "__");
      // Nothing can name these, as a <parent> names a link.
      const bool free = child.tag != "link" && child.tag != "model" && child.tag != "world";
      if (free && (wanted == "world" || (wanted.starts_with("__") && wanted.ends_with("__"))))
        wanted += "_" + child.tag;
      std::string own = wanted;
      for (int n = 2; !taken.insert(own).second; ++n) own = fmt::format("{}_{}", wanted, n);
      if (own != wanted && name) {
        const bool counts = child.tag == "link" || child.tag == "joint";
        if (counts && is_taken_by(element, child, wanted)) {
          diagnostics_.error(name->place,
                             fmt::format("there are two <{}>s '{}'", child.tag, wanted));
        } else if (child.tag == "model") {
          diagnostics_.warning(name->place, fmt::format("there are two '{}'", wanted),
                               fmt::format("this one is called '{}'", own));
        }
      }
      set_attribute(child, "name", text_at(name ? name->place : child.place, own));
      name_all(child);
    }
  }

  static bool is_taken_by(const Element& parent, const Element& before, const std::string& name) {
    for (const Element& one : parent.children) {
      if (&one == &before) return false;
      const Text* other = one.attribute("name");
      if (one.tag == before.tag && other && other->value == name) return true;
    }
    return false;
  }

  const Options& options_;
  Resources& resources_;
  Ignored& ignored_;
  Diagnostics& diagnostics_;
  std::vector<fs::path> open_;  ///< files that are being expanded
  std::map<fs::path, std::shared_ptr<const Element>> texts_;
  std::size_t elements_ = 0;
};

}  // namespace

std::shared_ptr<const Element> read_expanded_text(std::string text, const fs::path& file,
                                                  const Options& options, Resources& resources,
                                                  Ignored& ignored, Diagnostics& diagnostics) {
  return Expander(options, resources, ignored, diagnostics)
      .run(std::make_shared<SourceText>(file.string(), std::move(text)), file);
}

std::shared_ptr<const Element> read_expanded(const fs::path& file, const Options& options,
                                             Resources& resources, Ignored& ignored,
                                             Diagnostics& diagnostics) {
  const auto source = wbt::read_source(file, options.limits.file_bytes, {}, diagnostics);
  return source ? Expander(options, resources, ignored, diagnostics).run(source, file) : nullptr;
}

}  // namespace protobeam::sdf
