#include "medium.h"

#include "base/libm.h"

namespace protobeam {
namespace {

/// dB/km, of power, to 1/m.
double per_metre(double db_per_km) { return db_per_km * libm::log(10.0) / 10 / 1000; }

double size_exponent(double visibility) {
  const double km = visibility / 1000;
  if (km < 0.5) return 0;
  if (km < 1) return km - 0.5;
  if (km < 6) return 0.16 * km + 0.34;
  return km < 50 ? 1.3 : 1.6;
}

}  // namespace

double fog_extinction(double visibility, double wavelength) {
  if (!(visibility > 0)) return 0;
  return 3.912 / visibility * libm::pow(wavelength / 550e-9, -size_exponent(visibility));
}

double rain_extinction(double rate) { return per_metre(1.076 * libm::pow(rate, 0.67)); }

double snow_extinction(double rate, double wavelength) {
  return per_metre((5.42e-5 * wavelength * 1e9 + 5.4958776) * libm::pow(rate, 1.38));
}

double dust_extinction(double density) {
  const double grams_per_m3 = 2.6e6, radius = 1e-6;
  return 3 * density / (2 * grams_per_m3 * radius);
}

Medium medium_of(const Atmosphere& a, double wavelength) {
  const double fog = fog_extinction(a.visibility, wavelength), rain = rain_extinction(a.rain),
               snow = snow_extinction(a.snow, wavelength), dust = dust_extinction(a.dust);
  return {fog + rain + snow + dust, fog / 18.8 + rain / 18.8 + snow / 20 + dust / 50};
}

}  // namespace protobeam
