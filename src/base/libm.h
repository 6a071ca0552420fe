// Functions of angles, exponentials and logarithms that give the same bits on every machine.
//
// Those of glibc do not: sin, cos, tan, asin, acos, atan, atan2, exp, log, pow and others choose
// code with or without fused multiply-add when the program starts, and the two round differently.
// Use the ones here wherever a number may end up in a result; docs/conventions.md has the rule, and
// a test looks for others. What is exact needs no replacement: sqrt, floor, fmod, remainder, ldexp,
// abs.
//
// They are SLEEF's scalar functions without fused multiply-add (Sleef_cinz_*_purec; N. Shibata and
// F. Petrogalli, "SLEEF: A Portable Vectorized Library of C Standard Mathematical Functions", IEEE
// TPDS 31(6), 2020). Errors are those that it states, in units in the last place. Special values
// are those of C99, annex F; errno is left alone.
#pragma once

namespace protobeam::libm {

double sin(double x);  ///< 1.0 ulp, as the others without a note
double cos(double x);
double tan(double x);
double asin(double x);
double acos(double x);
double atan(double x);
double atan2(double y, double x);
double sinh(double x);  ///< +-inf outside of +-709
double cosh(double x);
double tanh(double x);
double asinh(double x);
double acosh(double x);
double atanh(double x);
double exp(double x);
double exp2(double x);
double exp10(double x);
double expm1(double x);
double log(double x);
double log2(double x);
double log10(double x);
double log1p(double x);
double pow(double x, double y);
float pow(float x, float y);
double cbrt(double x);
double erf(double x);
double erfc(double x);             ///< 1.5 ulp
double hypot(double x, double y);  ///< 1.5 ulp; neither overflows nor underflows on the way
double hypot(double x, double y, double z);

}  // namespace protobeam::libm
