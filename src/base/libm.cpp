#include "base/libm.h"

#include <sleef.h>

#include <algorithm>
#include <cmath>

namespace protobeam::libm {

double sin(double x) { return Sleef_cinz_sind1_u10purec(x); }
double cos(double x) { return Sleef_cinz_cosd1_u10purec(x); }
double tan(double x) { return Sleef_cinz_tand1_u10purec(x); }
double asin(double x) { return Sleef_cinz_asind1_u10purec(x); }
double acos(double x) { return Sleef_cinz_acosd1_u10purec(x); }
double atan(double x) { return Sleef_cinz_atand1_u10purec(x); }
double atan2(double y, double x) { return Sleef_cinz_atan2d1_u10purec(y, x); }
double sinh(double x) { return Sleef_cinz_sinhd1_u10purec(x); }
double cosh(double x) { return Sleef_cinz_coshd1_u10purec(x); }
double tanh(double x) {
  // 1 from here on; SLEEF returns that, too, but works first.
  return std::abs(x) > 19 ? std::copysign(1.0, x) : Sleef_cinz_tanhd1_u10purec(x);
}
double asinh(double x) { return Sleef_cinz_asinhd1_u10purec(x); }
double acosh(double x) { return Sleef_cinz_acoshd1_u10purec(x); }
double atanh(double x) { return Sleef_cinz_atanhd1_u10purec(x); }
double exp(double x) { return Sleef_cinz_expd1_u10purec(x); }
double exp2(double x) { return Sleef_cinz_exp2d1_u10purec(x); }
double exp10(double x) { return Sleef_cinz_exp10d1_u10purec(x); }
double expm1(double x) { return Sleef_cinz_expm1d1_u10purec(x); }
double log(double x) { return Sleef_cinz_logd1_u10purec(x); }
double log2(double x) { return Sleef_cinz_log2d1_u10purec(x); }
double log10(double x) { return Sleef_cinz_log10d1_u10purec(x); }
double log1p(double x) { return Sleef_cinz_log1pd1_u10purec(x); }
double pow(double x, double y) {
  // Bullet asks for this for each body without damping in each substep.
  return x == 1 ? 1 : Sleef_cinz_powd1_u10purec(x, y);
}
float pow(float x, float y) { return Sleef_cinz_powf1_u10purec(x, y); }
double cbrt(double x) { return Sleef_cinz_cbrtd1_u10purec(x); }
double erf(double x) { return Sleef_cinz_erfd1_u10purec(x); }
double erfc(double x) { return Sleef_cinz_erfcd1_u15purec(x); }

double hypot(double x, double y) {
  const double square = x * x + y * y;
  // Square roots are exact everywhere; SLEEF's way of keeping clear of the limits takes three times
  // as long. What the squares and their sum are off the root halves, and adds its own rounding.
  if (square > 1e-280 && square < 1e300) return std::sqrt(square);
  return Sleef_cinz_hypotd1_u05purec(x, y);
}

double hypot(double x, double y, double z) {
  const double largest = std::max({std::abs(x), std::abs(y), std::abs(z)});
  if (!(largest > 1e-140 && largest < 1e150)) return hypot(hypot(x, y), z);
  return std::sqrt(x * x + y * y + z * z);
}

}  // namespace protobeam::libm
