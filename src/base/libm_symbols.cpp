// The symbols of libm, for a whole process: a program that has this file among its sources gives
// the libraries that it loads (plugins and what they load, Bullet, Assimp, GeographicLib, muParser,
// JavaScriptCore, libstdc++) the functions of base/libm.h where they ask for sin, pow or sincos.
//
// Why: those libraries compute numbers that end up in results, and glibc's functions round
// differently on machines with and without fused multiply-add (base/libm.h). They ask for them by
// name through the dynamic linker, which looks at the program first; a symbol of the program
// without a version answers requests with one. protobeam and protobeam-template do this.
//
// - Calls that a library's header made inline (btSin of Bullet) are calls in our own objects; they
// find
//   these definitions when the program is linked.
// - sincos() is what GCC makes of sin and cos of the same angle. It answers with the same two
// values,
//   so that a library computes the same however it was compiled; SLEEF's own sincos would not.
// - JavaScriptCore calls these functions from its interpreter and from compiled code alike. What it
//   computes without them is exact: sqrt, floor, and powers with whole exponents from 0 to 1000,
//   which are products.
// - Functions of single precision were measured to be the same with and without fused multiply-add,
//   but nothing says so; they are here as well.
//
// What this does not reach:
// - functions that a library holds inside: Embree's (results take only which triangle was hit from
//   it) and Mesa's (pictures of the viewer are no results);
// - calls inside libm itself, for functions that are not here (lgamma, tgamma, Bessel functions);
// - long double, which runs on the x87 unit;
// - controllers, which are processes of their own (protobeam/math.h is for them);
// - the aliases __sin_finite and so on of glibc before 2.31: no library of Debian 12 asks for them.
#include <sleef.h>

#include "base/libm.h"

// <cmath> is not included: it declares the same names, and may define some of them inline.
#define SAME_1(name) \
  double name(double x) { return protobeam::libm::name(x); }
#define SAME_2(name) \
  double name(double x, double y) { return protobeam::libm::name(x, y); }
#define SINGLE_1(name) \
  float name##f(float x) { return Sleef_cinz_##name##f1_u10purec(x); }

extern "C" {

SAME_1(sin);
SAME_1(cos);
SAME_1(tan);
SAME_1(asin);
SAME_1(acos);
SAME_1(atan);
SAME_1(sinh);
SAME_1(cosh);
SAME_1(tanh);
SAME_1(asinh);
SAME_1(acosh);
SAME_1(atanh);
SAME_1(exp);
SAME_1(exp2);
SAME_1(exp10);
SAME_1(expm1);
SAME_1(log);
SAME_1(log2);
SAME_1(log10);
SAME_1(log1p);
SAME_1(cbrt);
SAME_1(erf);
SAME_1(erfc);
SAME_2(atan2);
SAME_2(pow);
SAME_2(hypot);

void sincos(double x, double* sine, double* cosine) {
  *sine = protobeam::libm::sin(x);
  *cosine = protobeam::libm::cos(x);
}

SINGLE_1(sin);
SINGLE_1(cos);
SINGLE_1(tan);
SINGLE_1(asin);
SINGLE_1(acos);
SINGLE_1(atan);
SINGLE_1(sinh);
SINGLE_1(cosh);
SINGLE_1(tanh);
SINGLE_1(asinh);
SINGLE_1(acosh);
SINGLE_1(atanh);
SINGLE_1(exp);
SINGLE_1(exp2);
SINGLE_1(exp10);
SINGLE_1(expm1);
SINGLE_1(log);
SINGLE_1(log2);
SINGLE_1(log10);
SINGLE_1(log1p);
SINGLE_1(cbrt);

float atan2f(float y, float x) { return Sleef_cinz_atan2f1_u10purec(y, x); }
float powf(float x, float y) { return Sleef_cinz_powf1_u10purec(x, y); }
float hypotf(float x, float y) { return Sleef_cinz_hypotf1_u05purec(x, y); }
float erff(float x) { return Sleef_cinz_erff1_u10purec(x); }
float erfcf(float x) { return Sleef_cinz_erfcf1_u15purec(x); }
void sincosf(float x, float* sine, float* cosine) {
  *sine = Sleef_cinz_sinf1_u10purec(x);
  *cosine = Sleef_cinz_cosf1_u10purec(x);
}

}  // extern "C"
