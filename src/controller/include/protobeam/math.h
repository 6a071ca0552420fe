/* Functions of <math.h> that give the same bits on every machine.

   Those of the C library choose code by whether the processor has fused multiply-add, and the two
   round differently in the last place; a robot that is driven by them drives another way on another
   machine. These are the functions that Protobeam itself computes with. They are within 1 unit in
   the last place; special values are those of C99, annex F; errno is left alone. What is exact is not
   here, since it is the same everywhere: sqrt, fabs, floor, fmod, remainder.

   Compile with -ffp-contract=off, or the compiler may fuse multiplications and additions of yours
   when it is told to use the processor at hand (-march=native). */
#ifndef PROTOBEAM_MATH_H
#define PROTOBEAM_MATH_H

#ifdef __cplusplus
extern "C" {
#endif

double pb_sin(double x);
double pb_cos(double x);
double pb_tan(double x);
double pb_asin(double x);
double pb_acos(double x);
double pb_atan(double x);
double pb_atan2(double y, double x);
double pb_sinh(double x);
double pb_cosh(double x);
double pb_tanh(double x);
double pb_exp(double x);
double pb_log(double x);
double pb_log10(double x);
double pb_pow(double x, double y);
double pb_cbrt(double x);
double pb_hypot(double x, double y);

#ifdef __cplusplus
}
#endif

#endif
