#include "sweep/report.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <limits>
#include <map>

#include "base/whole_file.h"
#include "sweep/plot.h"

namespace protobeam::sweep {
namespace {

constexpr std::size_t kMostPoints = 60;  ///< of a curve; more values are put together
constexpr std::size_t kBins = 24;
constexpr std::size_t kMostFailures = 100;

std::string cell(const std::string& text) {
  if (text.find_first_of(",\"\n\r") == std::string::npos) return text;
  std::string out = "\"";
  for (const char c : text) {
    if (c == '"') out += '"';
    out += c;
  }
  return out + "\"";
}

std::optional<double> number_in(const std::string& text) {
  double value = 0;
  const char* end = text.data() + text.size();
  const auto [at, error] = std::from_chars(text.data(), end, value);
  if (error != std::errc() || at != end || !std::isfinite(value)) return std::nullopt;
  return value;
}

/// The values of a parameter, as the x axis of its curves.
class Values {
 public:
  void look(const std::string& text) {
    const auto number = number_in(text);
    numeric_ &= number.has_value();
    if (number) low_ = std::min(low_, *number), high_ = std::max(high_, *number);
    if (known_.size() <= kMostPoints) known_.emplace(text, 0);
  }
  void settle() {
    binned_ = numeric_ && known_.size() > kMostPoints;
    std::size_t next = 0;
    for (auto& [text, index] : known_) index = next++;
  }
  bool numeric() const { return numeric_; }
  /// There are too many words for a picture.
  bool usable() const { return numeric_ || known_.size() <= kMostPoints; }

  Curve::Point place(const std::string& text) const {
    if (!numeric_) return {static_cast<double>(known_.at(text)), text, {}};
    const double value = *number_in(text);
    if (!binned_) return {value, text, {}};
    const double bins = kBins;
    const double bin = std::min(std::floor((value - low_) / (high_ - low_) * bins), bins - 1);
    const double middle = low_ + (bin + 0.5) / bins * (high_ - low_);
    return {middle, fmt::format("{:.6g}", middle), {}};
  }

 private:
  bool numeric_ = true, binned_ = false;
  double low_ = std::numeric_limits<double>::infinity(), high_ = -low_;
  std::map<std::string, std::size_t> known_;
};

std::string csv_head(const Description& description) {
  std::string out = "id";
  for (const Parameter& parameter : description.parameters) out += "," + parameter.name;
  for (const Metric& metric : description.metrics) out += "," + metric.name;
  return out + ",state,attempts,exit,state_hash,wall,version,machine,message\n";
}

std::string csv_line(const Row& row) {
  std::string out = fmt::format("{}", row.id);
  for (const std::string& value : row.parameters) out += "," + cell(value);
  for (const auto& metric : row.metrics) out += metric ? fmt::format(",{}", *metric) : ",";
  out += fmt::format(",{},{},", row.state, row.attempts);
  if (row.exit) out += fmt::format("{}", *row.exit);
  out += "," + row.state_hash + ",";
  if (row.wall) out += fmt::format("{:.3f}", *row.wall);
  return out + fmt::format(",{},{},{}\n", cell(row.version), cell(row.machine), cell(row.message));
}

/// A curve while it grows: by x, and the same x once.
using Points = std::map<double, Curve::Point>;

}  // namespace

Report write_report(const Manifest& manifest, const std::filesystem::path& out) {
  const Description& description = manifest.description();
  std::filesystem::create_directories(out);
  Report report;
  report.counts = manifest.counts();
  report.differences = manifest.differences();
  const auto written = [&](const std::string& name) {
    report.files.push_back((out / name).string());
    return out / name;
  };
  // Seeds stand for chance: metrics are not drawn over them.
  std::vector<std::size_t> drawn;
  for (std::size_t i = 0; i < description.parameters.size(); ++i) {
    if (description.parameters[i].target != Parameter::Target::kSeed) drawn.push_back(i);
  }
  std::vector<Values> values(description.parameters.size());
  WholeFile runs(written("runs.csv")), failures(written("failures.csv"));
  for (WholeFile* file : {&runs, &failures}) file->add(csv_head(description));
  manifest.for_each([&](const Row& row) {
    runs.add(csv_line(row));
    if (row.state == "failed") {
      failures.add(csv_line(row));
      if (report.failures.size() < kMostFailures) report.failures.push_back(row);
    }
    if (row.state != "done") return;
    for (const std::size_t i : drawn) values[i].look(row.parameters[i]);
  });
  runs.finish();
  failures.finish();
  for (Values& one : values) one.settle();

  const std::size_t metrics = description.metrics.size();
  std::vector<Points> points(drawn.size() * metrics);
  manifest.for_each(
      [&](const Row& row) {
        for (std::size_t p = 0; p < drawn.size(); ++p) {
          const Values& axis = values[drawn[p]];
          if (!axis.usable()) continue;
          const Curve::Point place = axis.place(row.parameters[drawn[p]]);
          for (std::size_t m = 0; m < metrics; ++m) {
            if (!row.metrics[m]) continue;
            points[p * metrics + m]
                .try_emplace(place.x, place)
                .first->second.sample.add(*row.metrics[m]);
          }
        }
      },
      "WHERE state = 'done'");
  WholeFile table(written("curves.csv"));
  table.add("metric,parameter,value,runs,mean,deviation,low95,high95\n");
  for (std::size_t p = 0; p < drawn.size(); ++p) {
    for (std::size_t m = 0; m < metrics; ++m) {
      Curve curve{description.parameters[drawn[p]].name,
                  description.metrics[m].name,
                  values[drawn[p]].numeric(),
                  {}};
      for (const auto& [x, point] : points[p * metrics + m]) curve.points.push_back(point);
      if (curve.points.empty()) continue;
      for (const Curve::Point& point : curve.points) {
        const double half = point.sample.half_width(), mean = point.sample.mean();
        table.add(fmt::format("{},{},{},{},{},{},", curve.metric, curve.parameter,
                              cell(point.label), point.sample.count(), mean,
                              point.sample.deviation()));
        table.add(std::isfinite(half) ? fmt::format("{},{}\n", mean - half, mean + half) : ",\n");
      }
      write_whole_file(written(fmt::format("{}-{}.svg", curve.metric, curve.parameter)),
                       plot_svg(curve));
      report.curves.push_back(std::move(curve));
    }
  }
  table.finish();
  return report;
}

}  // namespace protobeam::sweep
