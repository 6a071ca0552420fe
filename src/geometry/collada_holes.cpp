#include "geometry/collada_holes.h"

#include <algorithm>
#include <charconv>
#include <map>
#include <optional>
#include <string_view>
#include <utility>
#include <vector>

#include "geometry/collada_text.h"
#include "geometry/holed_polygon.h"

namespace protobeam {
namespace {

using collada::attribute;
using collada::is_tag;

/// The numbers up to the next tag; nothing where there is something else.
template <class Number>
std::optional<std::vector<Number>> numbers_at(std::string_view text, std::size_t begin) {
  std::vector<Number> out;
  const char* at = text.data() + begin;
  const char* const end = text.data() + std::min(text.find('<', begin), text.size());
  for (;;) {
    while (at != end && collada::kSpace.find(*at) != std::string_view::npos) ++at;
    if (at == end) return out;
    Number number = 0;
    const auto [after, failed] = std::from_chars(at, end, number);
    if (failed != std::errc()) return std::nullopt;
    out.push_back(number);
    at = after;
  }
}

class HoleCutter {
 public:
  explicit HoleCutter(std::string_view text) : text_(text) {}

  /// The text without holes; nothing when it has none.
  std::optional<std::string> run() {
    std::string out;
    std::size_t copied = 0;
    for (std::size_t at = text_.find('<'); at != text_.npos; at = text_.find('<', at + 1)) {
      if (is_tag(text_, at + 1, "source")) sources_[attribute(text_, at, "id")] = at;
      if (is_tag(text_, at + 1, "vertices")) vertices_[attribute(text_, at, "id")] = at;
      if (!is_tag(text_, at + 1, "polygons") || collada::is_empty(text_, at)) continue;
      const std::size_t end = text_.find("</polygons>", at);
      if (end == text_.npos) break;
      const std::string whole = without_holes(at, end);
      if (!whole.empty()) {
        out.append(text_, copied, at - copied).append(whole);
        copied = end;
      }
      at = end;
    }
    if (copied == 0) return std::nullopt;
    return out.append(text_, copied);
  }

 private:
  /// The <polygons> from `begin` to its end tag, which counts its polygons; "" as it is.
  std::string without_holes(std::size_t begin, std::size_t end) {
    const std::string_view count = attribute(text_, begin, "count");
    std::size_t polygons = 0;
    if (std::from_chars(count.data(), count.data() + count.size(), polygons).ec != std::errc())
      return "";
    read_inputs(begin);
    std::string out;
    const auto behind_count = static_cast<std::size_t>(count.data() + count.size() - text_.data());
    std::size_t copied = behind_count;
    const std::string_view element = text_.substr(0, end);
    for (std::size_t at = element.find("<ph>", begin); at != element.npos;
         at = element.find("<ph>", copied)) {
      const std::size_t last = element.find("</ph>", at);
      if (last == element.npos) return "";
      const auto [triangles, number] = triangles_of(text_.substr(at, last - at));
      if (number == 0) return "";
      polygons += number - 1;
      out.append(text_, copied, at - copied).append(triangles);
      copied = last + std::string_view("</ph>").size();
    }
    if (copied == behind_count) return "";
    out.append(text_, copied, end - copied);
    return std::string(text_.substr(begin, behind_count - count.size() - begin)) +
           std::to_string(polygons) + out;
  }

  /// What the corners of the <polygons> at `begin` are.
  void read_inputs(std::size_t begin) {
    stride_ = 1;
    positions_ = nullptr;
    for (std::size_t at = text_.find('<', begin + 1); at != text_.npos;
         at = text_.find('<', at + 1)) {
      if (is_tag(text_, at + 1, "p") || is_tag(text_, at + 1, "ph") || text_[at + 1] == '/') return;
      if (!is_tag(text_, at + 1, "input")) continue;
      const std::string_view offset = attribute(text_, at, "offset");
      std::size_t place = 0;
      std::from_chars(offset.data(), offset.data() + offset.size(), place);
      if (place >= kMostInputs) return;
      stride_ = std::max(stride_, place + 1);
      if (attribute(text_, at, "semantic") != "VERTEX") continue;
      vertex_ = place;
      positions_ = positions_of(attribute(text_, at, "source"));
    }
  }

  /// Of the <vertices> with that address; null when there are none.
  const std::vector<double>* positions_of(std::string_view address) {
    if (!address.starts_with('#')) return nullptr;
    const auto vertices = vertices_.find(address.substr(1));
    if (vertices == vertices_.end()) return nullptr;
    const std::size_t end = text_.find("</vertices>", vertices->second);
    for (std::size_t at = text_.find("<input", vertices->second); at < end;
         at = text_.find("<input", at + 1)) {
      if (attribute(text_, at, "semantic") != "POSITION") continue;
      const std::string_view source = attribute(text_, at, "source");
      const auto found = sources_.find(source.substr(std::min<std::size_t>(1, source.size())));
      return found == sources_.end() ? nullptr : floats_of(found->second);
    }
    return nullptr;
  }

  const std::vector<double>* floats_of(std::size_t source) {
    const auto [at, added] = floats_.try_emplace(source);
    if (added) {
      const std::size_t array = text_.find("<float_array", source);
      const std::size_t begin = array == text_.npos ? array : text_.find('>', array);
      if (begin != text_.npos)
        at->second = numbers_at<double>(text_, begin + 1).value_or(std::vector<double>());
    }
    return &at->second;
  }

  /// A <p> for each, and their number; 0 where that cannot be.
  std::pair<std::string, std::size_t> triangles_of(std::string_view polygon) const {
    if (!positions_) return {};
    std::vector<std::size_t> indices;  // of all loops, `stride_` for a corner
    std::vector<Vec3> corners;
    std::vector<std::size_t> ends;  // of the loops among the corners
    for (std::size_t at = polygon.find('<'); at != polygon.npos; at = polygon.find('<', at + 1)) {
      const bool outline = is_tag(polygon, at + 1, "p");
      if (!outline && !is_tag(polygon, at + 1, "h")) continue;
      const std::size_t begin = polygon.find('>', at);
      const auto loop =
          begin == polygon.npos ? std::nullopt : numbers_at<std::size_t>(polygon, begin + 1);
      if (!loop || loop->size() % stride_ != 0 || outline != ends.empty()) return {};
      for (std::size_t i = 0; i < loop->size(); i += stride_) {
        const std::size_t vertex = (*loop)[i + vertex_];
        if (vertex >= positions_->size() / 3) return {};
        const double* p = positions_->data() + 3 * vertex;
        corners.emplace_back(p[0], p[1], p[2]);
      }
      indices.insert(indices.end(), loop->begin(), loop->end());
      ends.push_back(corners.size());
    }
    std::string out;
    const auto triangles = triangles_with_holes(corners, ends);
    for (const auto& triangle : triangles) {
      out += "<p>";
      for (const std::size_t corner : triangle) {
        for (std::size_t i = 0; i < stride_; ++i)
          out.append(std::to_string(indices[corner * stride_ + i])).append(" ");
      }
      out += "</p>";
    }
    return {out, triangles.size()};
  }

  static constexpr std::size_t kMostInputs = 64;
  std::string_view text_;
  std::map<std::string_view, std::size_t> sources_, vertices_;  ///< places of their tags by ids
  std::map<std::size_t, std::vector<double>> floats_;           ///< by the places of the sources
  std::size_t stride_ = 1, vertex_ = 0;
  const std::vector<double>* positions_ = nullptr;  ///< of the polygons at hand
};

}  // namespace

void cut_holes(std::string& text) {
  if (text.find("<h>") == text.npos) return;
  if (auto without = HoleCutter(text).run()) text = std::move(*without);
}

}  // namespace protobeam
