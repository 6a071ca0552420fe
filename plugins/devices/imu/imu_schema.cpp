#include "imu_schema.h"

#include <algorithm>
#include <cmath>
#include <sstream>
#include <stdexcept>
#include <string>

#include "device/values.h"

namespace protobeam {
namespace {

/// A message that the loader shows at the field.
template <typename... Parts>
[[noreturn]] void reject(const std::string& field, const Parts&... parts) {
  std::ostringstream out;
  out << "field '" << field << "' ";
  (out << ... << parts);
  throw std::invalid_argument(out.str());
}

std::string row_text(std::size_t row) { return "row " + std::to_string(row + 1); }

Mat3 read_correlation_root(const Fields& fields, const std::string& name) {
  const auto n = fields.numbers(name);
  if (n.empty()) return Mat3::Identity();
  if (n.size() != 9) reject(name, "needs 9 numbers, a 3 x 3 matrix by rows, got ", n.size());
  Mat3 m;
  m << n[0], n[1], n[2], n[3], n[4], n[5], n[6], n[7], n[8];
  if (m(0, 0) != 1 || m(1, 1) != 1 || m(2, 2) != 1) reject(name, "needs 1 on the diagonal");
  if (m != m.transpose()) reject(name, "must be symmetric");
  const auto root = root_of_correlation(m);
  if (!root) reject(name, "must be positive definite: no three values can be correlated so");
  return *root;
}

/// Identity, plus scale errors on the diagonal, plus the angles beside it.
Mat3 read_gain(const Fields& fields, const std::string& prefix) {
  const std::string name = prefix + "Misalignment";
  const auto n = fields.numbers(name);
  if (!n.empty() && n.size() != 6) {
    reject(name, "needs 6 numbers, those of xy xz yx yz zx zy, got ", n.size());
  }
  Mat3 gain = Mat3::Identity();
  gain.diagonal() += fields.vec3(prefix + "ScaleError");
  if (!n.empty()) {
    gain(0, 1) = n[0], gain(0, 2) = n[1];
    gain(1, 0) = n[2], gain(1, 2) = n[3];
    gain(2, 0) = n[4], gain(2, 1) = n[5];
  }
  return gain;
}

std::vector<Vibration::Row> read_rows(const Fields& fields, const std::string& name) {
  const auto n = fields.numbers(name);
  if (n.size() % 4 != 0) {
    reject(name, "needs rows of 4 numbers, frequency and x y z, got ", n.size(), " numbers");
  }
  std::vector<Vibration::Row> rows;
  for (std::size_t i = 0; i < n.size(); i += 4) {
    rows.push_back({n[i], Vec3(n[i + 1], n[i + 2], n[i + 3])});
    if (!(n[i] >= 0)) reject(name, "has a negative frequency in ", row_text(i / 4), ": ", n[i]);
    if (!(rows.back().value.minCoeff() >= 0)) {
      reject(name, "has a negative value in ", row_text(i / 4), ": ", n[i + 1], " ", n[i + 2], " ",
             n[i + 3]);
    }
  }
  return rows;
}

std::vector<Vibration::Row> read_spectrum(const Fields& fields, const std::string& name) {
  auto rows = read_rows(fields, name);
  if (rows.size() == 1) reject(name, "needs two rows or more: the density lies between them");
  for (std::size_t i = 1; i < rows.size(); ++i) {
    if (!(rows[i].frequency > rows[i - 1].frequency)) {
      reject(name, "must have rising frequencies, got ", rows[i - 1].frequency, " and then ",
             rows[i].frequency, " in ", row_text(i));
    }
  }
  return rows;
}

std::vector<FieldSpec> fields() {
  using enum FieldType;
  const Range not_negative = Range::at_least(0), limit = Range::positive().or_special(-1);
  const Range any = Range::any();
  const char* const correlation =
      "of the random errors of x, y and z: 3 x 3 matrix by rows; empty: independent";
  const char* const misalignment =
      "xy xz yx yz zx zy: what part of the second axis' value the first one reads; empty: none";
  const char* const scale = "of x, y and z: reading / true value - 1";
  const char* const deviation = "standard deviation of each sample, at any sampling period";
  const char* const turn_on = "standard deviation of the bias that stays from the first sample on";
  const char* const turn_on_mean =
      "what that bias is drawn about, of each axis, on either side of 0 by chance";
  const char* const drift = "standard deviation of the bias that is a Gauss-Markov process";
  const char* const drift_time = "correlation time of that process";
  const char* const walk = "random walk of the bias: its standard deviation after one second";
  const char* const range = "each axis saturates at plus and minus this; -1: never";
  const char* const resolution = "smallest step of the output; -1: none";
  const char* const tones = "rows of a frequency (Hz) and the amplitudes along x, y and z";
  const char* const spectrum =
      "power spectral density: rows of a rising frequency (Hz) and the densities along x, y and z";
  const char* const legacy = "MVSim's name";
  return {
      {"name", kString, "\"imu\"", "", any, "name for the controller"},
      {"sensorTranslation", kVec3f, "0 0 0", "m", any,
       "where the axes meet, in the frame of the node"},
      {"sensorRotation", kRotation, "0 0 1 0", "rad", any, "of the axes in the frame of the node"},
      {"measureOrientation", kBool, "TRUE", "", any, "FALSE reports NaN as the orientation"},
      {"orientationNoise", kFloat, "0", "rad", not_negative,
       "standard deviation of a rotation about each axis, each sample"},
      {"orientationReference", kRotation, "0 0 1 0", "rad", any,
       "the frame in which the orientation is told, in east, north and up: pi about 1 1 0 is "
       "north, "
       "east and down"},
      {"orientationFromStart", kBool, "FALSE", "", any,
       "the orientation is told in the frame that the sensor had at the start"},

      {"accelerometerNoiseDensity", kFloat, "0", "m/s^2/sqrt(Hz)", not_negative,
       "white noise: deviation of a sample = density / sqrt(sampling period)"},
      {"accelerometerNoise", kFloat, "0", "m/s^2", not_negative, deviation},
      {"accelerometerTurnOnBias", kFloat, "0", "m/s^2", not_negative, turn_on},
      {"accelerometerTurnOnMean", kFloat, "0", "m/s^2", not_negative, turn_on_mean},
      {"accelerometerDrift", kFloat, "0", "m/s^2", not_negative, drift},
      {"accelerometerDriftTime", kFloat, "100", "s", Range::positive(), drift_time},
      {"accelerometerBiasWalk", kFloat, "0", "m/s^2/sqrt(s)", not_negative, walk},
      {"accelerometerCorrelation", kMFFloat, "[ ]", "", Range::between(-1, 1), correlation},
      {"accelerometerScaleError", kVec3f, "0 0 0", "", any, scale},
      {"accelerometerMisalignment", kMFFloat, "[ ]", "rad", any, misalignment},
      {"accelerometerRange", kFloat, "-1", "m/s^2", limit, range},
      {"accelerometerResolution", kFloat, "-1", "m/s^2", limit, resolution},
      {"accelerometerVibration", kMFFloat, "[ ]", "m/s^2", any, tones},
      {"accelerometerVibrationSpectrum", kMFFloat, "[ ]", "(m/s^2)^2/Hz", any, spectrum},

      {"gyroNoiseDensity", kFloat, "0", "rad/s/sqrt(Hz)", not_negative,
       "white noise: deviation of a sample = density / sqrt(sampling period)"},
      {"gyroNoise", kFloat, "0", "rad/s", not_negative, deviation},
      {"gyroTurnOnBias", kFloat, "0", "rad/s", not_negative, turn_on},
      {"gyroTurnOnMean", kFloat, "0", "rad/s", not_negative, turn_on_mean},
      {"gyroDrift", kFloat, "0", "rad/s", not_negative, drift},
      {"gyroDriftTime", kFloat, "100", "s", Range::positive(), drift_time},
      {"gyroBiasWalk", kFloat, "0", "rad/s/sqrt(s)", not_negative, walk},
      {"gyroCorrelation", kMFFloat, "[ ]", "", Range::between(-1, 1), correlation},
      {"gyroScaleError", kVec3f, "0 0 0", "", any, scale},
      {"gyroMisalignment", kMFFloat, "[ ]", "rad", any, misalignment},
      {"gyroGSensitivity", kMFFloat, "[ ]", "rad/s/(m/s^2)", any,
       "what specific force adds: one number for each axis by its own force, or a 3 x 3 matrix by "
       "rows; empty: nothing"},
      {"gyroRange", kFloat, "-1", "rad/s", limit, range},
      {"gyroResolution", kFloat, "-1", "rad/s", limit, resolution},
      {"gyroVibration", kMFFloat, "[ ]", "rad/s", any, tones},
      {"gyroVibrationSpectrum", kMFFloat, "[ ]", "(rad/s)^2/Hz", any, spectrum},

      {"angular_velocity_white_noise_std_noise", kFloat, "0", "rad/s", not_negative, legacy, "",
       "gyroNoise"},
      {"angular_velocity_std_noise", kFloat, "0", "rad/s", not_negative, legacy, "", "gyroNoise"},
      {"angular_velocity_random_walk_std_noise", kFloat, "0", "rad/s/sqrt(s)", not_negative, legacy,
       "", "gyroBiasWalk"},
      {"linear_acceleration_white_noise_std_noise", kFloat, "0", "m/s^2", not_negative, legacy, "",
       "accelerometerNoise"},
      {"linear_acceleration_std_noise", kFloat, "0", "m/s^2", not_negative, legacy, "",
       "accelerometerNoise"},
      {"linear_acceleration_random_walk_std_noise", kFloat, "0", "m/s^2/sqrt(s)", not_negative,
       legacy, "", "accelerometerBiasWalk"},
      {"orientation_std_noise", kFloat, "0", "rad", not_negative, legacy, "", "orientationNoise"},
      {"measure_orientation", kBool, "TRUE", "", any, legacy, "", "measureOrientation"},
  };
}

}  // namespace

DeviceType imu_declaration() {
  constexpr ElementType kDouble = ElementType::kFloat64;
  return {
      .node = {"Imu", "Device", "Specific force, angular velocity and orientation.", fields()},
      .channels = {{"acceleration",
                    kDouble,
                    {3},
                    "m/s^2",
                    "sensor",
                    "",
                    "specific force: +9.81 along the axis that points up, at rest"},
                   {"angular_velocity",
                    kDouble,
                    {3},
                    "rad/s",
                    "sensor",
                    "",
                    "about x, y and z, relative to the world"},
                   {"orientation",
                    kDouble,
                    {4},
                    "",
                    "east, north, up",
                    "nan",
                    "rotation of the sensor's frame as a quaternion x, y, z, w; w >= 0; in another "
                    "frame by orientationReference and orientationFromStart"},
                   {"acceleration_bias",
                    kDouble,
                    {3},
                    "m/s^2",
                    "sensor",
                    "",
                    "truth: the bias that is part of acceleration"},
                   {"angular_velocity_bias",
                    kDouble,
                    {3},
                    "rad/s",
                    "sensor",
                    "",
                    "truth: the bias that is part of angular_velocity"}},
      .properties = {{"accelerometerRange", "m/s^2", "each axis saturates there; -1: never"},
                     {"gyroRange", "rad/s", "each axis saturates there; -1: never"}},
      .inputs = Input::kMotion,
  };
}

double ImuTriad::limited(double value) const {
  if (range > 0) value = std::clamp(value, -range, range);
  return quantised(value, resolution);
}

ImuTriad read_triad(const Fields& fields, const char* prefix) {
  const std::string p = prefix;
  ImuTriad triad;
  triad.noise.density = fields.number(p + "NoiseDensity");
  triad.noise.deviation = fields.number(p + "Noise");
  triad.noise.turn_on = fields.number(p + "TurnOnBias");
  triad.noise.turn_on_mean = fields.number(p + "TurnOnMean");
  triad.noise.drift_deviation = fields.number(p + "Drift");
  triad.noise.drift_time = fields.number(p + "DriftTime");
  triad.noise.walk = fields.number(p + "BiasWalk");
  triad.noise.correlation_root = read_correlation_root(fields, p + "Correlation");
  triad.gain = read_gain(fields, p);
  triad.range = fields.number(p + "Range");
  triad.resolution = fields.number(p + "Resolution");
  triad.vibration = {read_rows(fields, p + "Vibration"),
                     read_spectrum(fields, p + "VibrationSpectrum")};
  return triad;
}

Mat3 read_g_sensitivity(const Fields& fields) {
  const auto n = fields.numbers("gyroGSensitivity");
  if (n.empty()) return Mat3::Zero();
  if (n.size() == 1) return n[0] * Mat3::Identity();
  if (n.size() != 9) {
    reject("gyroGSensitivity", "needs 1 number or 9, a 3 x 3 matrix by rows, got ", n.size());
  }
  Mat3 m;
  m << n[0], n[1], n[2], n[3], n[4], n[5], n[6], n[7], n[8];
  return m;
}

}  // namespace protobeam
