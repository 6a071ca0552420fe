// protobeam/math.h
#include <protobeam/math.h>

#include "base/libm.h"

namespace libm = protobeam::libm;

double pb_sin(double x) { return libm::sin(x); }
double pb_cos(double x) { return libm::cos(x); }
double pb_tan(double x) { return libm::tan(x); }
double pb_asin(double x) { return libm::asin(x); }
double pb_acos(double x) { return libm::acos(x); }
double pb_atan(double x) { return libm::atan(x); }
double pb_sinh(double x) { return libm::sinh(x); }
double pb_cosh(double x) { return libm::cosh(x); }
double pb_tanh(double x) { return libm::tanh(x); }
double pb_exp(double x) { return libm::exp(x); }
double pb_log(double x) { return libm::log(x); }
double pb_log10(double x) { return libm::log10(x); }
double pb_cbrt(double x) { return libm::cbrt(x); }
double pb_atan2(double y, double x) { return libm::atan2(y, x); }
double pb_pow(double x, double y) { return libm::pow(x, y); }
double pb_hypot(double x, double y) { return libm::hypot(x, y); }
