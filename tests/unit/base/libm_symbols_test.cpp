// Libraries that this program loads, and headers that it compiles, get the functions of libm.h.
#include <JavaScriptCore/JavaScript.h>
#include <dlfcn.h>
#include <gtest/gtest.h>
#include <muParser.h>

#include <Eigen/Geometry>
#include <GeographicLib/Math.hpp>
#include <cmath>
#include <fstream>
#include <sstream>
#include <string>
#include <vector>

#include "base/libm.h"
#include "tests/unit/support/paths.h"

namespace protobeam {
namespace {

using Function = double (*)(double);

/// What glibc has under this name.
Function of_glibc(const char* name) {
  static void* const library = dlopen("libm.so.6", RTLD_NOW | RTLD_LOCAL);
  return reinterpret_cast<Function>(dlsym(library, name));
}

/// Arguments for which glibc gives other bits than we do.
std::vector<double> arguments(Function ours, const char* name) {
  std::vector<double> out;
  for (double x = 0.001; x < 1 && out.size() < 20; x += 0.001) {
    if (ours(x) != of_glibc(name)(x)) out.push_back(x);
  }
  EXPECT_GT(out.size(), 3u) << name;
  return out;
}

std::string text(double x) {
  std::ostringstream out;
  out.precision(17);
  out << x;
  return out.str();
}

double of_mu_parser(const std::string& function, double x) {
  mu::Parser parser;
  parser.SetExpr(function + "(x)");
  parser.DefineVar("x", &x);
  return parser.Eval();
}

double of_javascript(const std::string& function, double x, int times) {
  const JSGlobalContextRef context = JSGlobalContextCreate(nullptr);
  const std::string script = "function f(x) { return Math." + function +
                             "(x); } let y; for (let i = 0; i < " + std::to_string(times) +
                             "; ++i) y = f(" + text(x) + "); y";
  const JSStringRef source = JSStringCreateWithUTF8CString(script.c_str());
  const JSValueRef value = JSEvaluateScript(context, source, nullptr, nullptr, 1, nullptr);
  const double y = JSValueToNumber(context, value, nullptr);
  JSStringRelease(source);
  JSGlobalContextRelease(context);
  return y;
}

struct Named {
  const char* name;
  Function ours;
};
const Named kInScripts[] = {{"sin", libm::sin},   {"cos", libm::cos},   {"tan", libm::tan},
                            {"asin", libm::asin}, {"acos", libm::acos}, {"atan", libm::atan},
                            {"exp", libm::exp},   {"sinh", libm::sinh}, {"tanh", libm::tanh}};

TEST(SymbolsOfLibm, AreOursInThisProgram) {
  volatile double angle = 0;
  for (const double x : arguments(libm::sin, "sin")) {
    angle = x;
    EXPECT_EQ(std::sin(angle), libm::sin(x));
    const Eigen::Quaterniond q(Eigen::AngleAxisd(2 * angle, Eigen::Vector3d::UnitZ()));
    EXPECT_EQ(q.z(), libm::sin(x));
    EXPECT_EQ(q.w(), libm::cos(x));  // the pair of calls that GCC makes sincos() of
  }
}

TEST(SymbolsOfLibm, AreOursInMuParser) {
  for (const auto& [name, ours] : kInScripts) {
    for (const double x : arguments(ours, name)) EXPECT_EQ(of_mu_parser(name, x), ours(x)) << name;
  }
}

TEST(SymbolsOfLibm, AreOursInJavaScript) {
  for (const auto& [name, ours] : kInScripts) {
    for (const double x : arguments(ours, name))
      EXPECT_EQ(of_javascript(name, x, 1), ours(x)) << name;
  }
}

// Often enough for all of its compilers.
TEST(SymbolsOfLibm, AreOursInCompiledJavaScript) {
  for (const auto& [name, ours] : kInScripts) {
    const double x = arguments(ours, name).front();
    EXPECT_EQ(of_javascript(name, x, 300000), ours(x)) << name;
  }
}

TEST(SymbolsOfLibm, AreOursInGeographicLib) {
  for (const double x : arguments(libm::atan, "atan")) {
    const double degrees = GeographicLib::Math::atan2d(x, 1.0);
    EXPECT_EQ(degrees, libm::atan2(x, 1.0) / GeographicLib::Math::degree());
  }
}

TEST(SymbolsOfLibm, AreAllExported) {
  std::ifstream list(source_dir() + "/src/base/libm_symbols.list");
  int count = 0;
  void* const program = dlopen(nullptr, RTLD_NOW);
  for (std::string name; std::getline(list, name);) {
    if (name.empty() || name.back() != ';' || name.front() != ' ') continue;
    name = name.substr(2, name.size() - 3);
    ++count;
    Dl_info found{}, here{};
    ASSERT_NE(dladdr(dlsym(program, name.c_str()), &found), 0) << name;
    ASSERT_NE(dladdr(reinterpret_cast<void*>(&of_javascript), &here), 0);
    EXPECT_EQ(found.dli_fbase, here.dli_fbase) << name;
  }
  EXPECT_GT(count, 40);
}

}  // namespace
}  // namespace protobeam
