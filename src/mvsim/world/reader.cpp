#include "mvsim/world/reader.h"

#include "mvsim/expression.h"

namespace protobeam::mvsim {

const Text* Reader::find(const char* name) const {
  if (form_ == Form::kAttributes) return element_.attribute(name);
  const Element* child = element_.child(name);
  return child ? &child->text : nullptr;
}

std::string Reader::subject(const char* name) const {
  return form_ == Form::kAttributes ? std::string("'").append(name) + "' of <" + element_.tag + ">"
                                    : std::string("<").append(name) + "> of <" + element_.tag + ">";
}

void Reader::error(const Place& place, std::string message, std::string hint) const {
  diagnostics_.error(place, std::move(message), std::move(hint), element_.chain);
}

void Reader::warning(const Place& place, std::string message, std::string hint) const {
  diagnostics_.warning(place, std::move(message), std::move(hint), element_.chain);
}

template <class T, class Read>
Given<T> Reader::read(const char* name, T fallback, Read read) const {
  Given<T> out{std::move(fallback), element_.place, false};
  const Text* text = find(name);
  if (!text) return out;
  out.place = text->place;
  if (auto value = read(ValueReader(subject(name), element_.chain, diagnostics_), *text)) {
    out.value = std::move(*value);
    out.written = true;
  }
  return out;
}

Given<double> Reader::number(const char* name, double fallback) const {
  return read<double>(name, fallback, [](const auto& r, const Text& t) { return r.number(t); });
}

Given<int> Reader::integer(const char* name, int fallback) const {
  return read<int>(name, fallback, [](const auto& r, const Text& t) { return r.integer(t); });
}

Given<double> Reader::degrees(const char* name, double fallback) const {
  return read<double>(name, fallback, [](const auto& r, const Text& t) { return r.degrees(t); });
}

Given<bool> Reader::boolean(const char* name, bool fallback) const {
  return read<bool>(name, fallback, [](const auto& r, const Text& t) { return r.boolean(t); });
}

Given<Color> Reader::color(const char* name, Color fallback) const {
  return read<Color>(name, fallback, [](const auto& r, const Text& t) { return r.color(t); });
}

Given<Vec3> Reader::point(const char* name, const Vec3& fallback) const {
  return read<Vec3>(name, fallback, [](const auto& r, const Text& t) { return r.point3d(t); });
}

Given<std::string> Reader::text(const char* name, std::string fallback) const {
  return read<std::string>(name, std::move(fallback), [](const auto&, const Text& t) {
    return t.broken ? std::nullopt : std::optional(t.value);
  });
}

std::optional<Given<std::vector<double>>> Reader::numbers(const char* name) const {
  auto out = read<std::vector<double>>(name, {},
                                       [](const auto& r, const Text& t) { return r.numbers(t); });
  return out.written ? std::optional(std::move(out)) : std::nullopt;
}

std::optional<Given<Pose2d>> Reader::pose2d(const char* name) const {
  auto out = read<Pose2d>(name, {}, [](const auto& r, const Text& t) { return r.pose2d(t); });
  return out.written ? std::optional(out) : std::nullopt;
}

std::optional<Given<Pose3d>> Reader::pose3d(const char* name) const {
  auto out = read<Pose3d>(name, {}, [](const auto& r, const Text& t) { return r.pose3d(t); });
  return out.written ? std::optional(out) : std::nullopt;
}

std::optional<Given<Matrix>> Reader::matrix(const char* name) const {
  auto out = read<Matrix>(name, {}, [](const auto& r, const Text& t) { return r.matrix(t); });
  return out.written ? std::optional(std::move(out)) : std::nullopt;
}

Given<double> Reader::limited(const char* name, double fallback,
                              bool (*good)(double, double, double), double least, double most,
                              const std::string& wanted) const {
  Given<double> out = number(name, fallback);
  if (!out.written || good(out.value, least, most)) return out;
  error(out.place, subject(name) + " must be " + wanted + ", got " + to_text(out.value));
  out.value = fallback;
  return out;
}

Given<double> Reader::positive(const char* name, double fallback) const {
  return limited(
      name, fallback, [](double value, double, double) { return value > 0; }, 0, 0,
      "greater than 0");
}

Given<double> Reader::at_least(const char* name, double least, double fallback) const {
  return limited(
      name, fallback, [](double value, double low, double) { return value >= low; }, least, 0,
      "at least " + to_text(least));
}

Given<double> Reader::between(const char* name, double least, double most, double fallback) const {
  return limited(
      name, fallback,
      [](double value, double low, double high) { return value >= low && value <= high; }, least,
      most, "in [" + to_text(least) + ", " + to_text(most) + "]");
}

}  // namespace protobeam::mvsim
