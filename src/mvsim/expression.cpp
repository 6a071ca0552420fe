#include "mvsim/expression.h"

#include <muParser.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <charconv>
#include <cmath>
#include <limits>
#include <vector>

#include "base/libm.h"
#include "base/math.h"

namespace protobeam::mvsim {
namespace {

double draw_uniform(void* random) { return static_cast<RandomSource*>(random)->uniform(); }
double draw_gaussian(void* random) { return static_cast<RandomSource*>(random)->gaussian(); }
double draw_between(void* random, double a, double b) { return a + (b - a) * draw_uniform(random); }
double randomize(void* random, double seed) {
  if (!std::isfinite(seed)) return seed;
  const double wrapped = std::fmod(std::floor(seed), 0x1p32);
  static_cast<RandomSource*>(random)->randomize(
      static_cast<std::uint32_t>(static_cast<std::int64_t>(wrapped)));
  return 0;
}

double least(const double* x, int n) { return *std::min_element(x, x + n); }
double greatest(const double* x, int n) { return *std::max_element(x, x + n); }
double sum(const double* x, int n) {
  double total = 0;
  for (int i = 0; i < n; ++i) total += x[i];
  return total;
}
double mean(const double* x, int n) { return sum(x, n) / n; }
double product(const double* x, int n) {
  double total = 1;
  for (int i = 0; i < n; ++i) total *= x[i];
  return total;
}

using One = double (*)(double);
using Two = double (*)(double, double);

const std::pair<const char*, One> kOne[] = {
    {"sin", [](double x) { return libm::sin(x); }},
    {"cos", [](double x) { return libm::cos(x); }},
    {"tan", [](double x) { return libm::tan(x); }},
    {"cot", [](double x) { return 1 / libm::tan(x); }},
    {"sec", [](double x) { return 1 / libm::cos(x); }},
    {"csc", [](double x) { return 1 / libm::sin(x); }},
    {"sinc", [](double x) { return x == 0 ? 1 : libm::sin(x) / x; }},
    {"asin", [](double x) { return libm::asin(x); }},
    {"acos", [](double x) { return libm::acos(x); }},
    {"atan", [](double x) { return libm::atan(x); }},
    {"sinh", [](double x) { return libm::sinh(x); }},
    {"cosh", [](double x) { return libm::cosh(x); }},
    {"tanh", [](double x) { return libm::tanh(x); }},
    {"asinh", [](double x) { return libm::asinh(x); }},
    {"acosh", [](double x) { return libm::acosh(x); }},
    {"atanh", [](double x) { return libm::atanh(x); }},
    {"sqrt", [](double x) { return std::sqrt(x); }},
    {"exp", [](double x) { return libm::exp(x); }},
    {"expm1", [](double x) { return libm::expm1(x); }},
    {"log", [](double x) { return libm::log(x); }},
    {"log2", [](double x) { return libm::log2(x); }},
    {"log10", [](double x) { return libm::log10(x); }},
    {"log1p", [](double x) { return libm::log1p(x); }},
    {"erf", [](double x) { return libm::erf(x); }},
    {"erfc", [](double x) { return libm::erfc(x); }},
    {"abs", [](double x) { return std::abs(x); }},
    {"floor", [](double x) { return std::floor(x); }},
    {"ceil", [](double x) { return std::ceil(x); }},
    {"round", [](double x) { return std::round(x); }},
    {"trunc", [](double x) { return std::trunc(x); }},
    {"int", [](double x) { return std::trunc(x); }},
    {"frac", [](double x) { return x - std::trunc(x); }},
    {"not", [](double x) { return double(x == 0); }},
    {"sgn", [](double x) { return x > 0   ? 1.0
                                  : x < 0 ? -1.0
                                          : 0.0; }},
    {"deg2rad", [](double x) { return x * (kPi / 180); }},
    {"rad2deg", [](double x) { return x * (180 / kPi); }},
};
const std::pair<const char*, Two> kTwo[] = {
    {"atan2", [](double y, double x) { return libm::atan2(y, x); }},
    {"pow", [](double x, double y) { return libm::pow(x, y); }},
    {"root", [](double x, double n) { return libm::pow(x, 1 / n); }},
    {"hypot", [](double x, double y) { return libm::hypot(x, y); }},
    {"logn", [](double x, double base) { return libm::log(x) / libm::log(base); }},
    {"roundn",
     [](double x, double digits) {
       const double scale = libm::pow(10.0, std::trunc(digits));
       return std::round(x * scale) / scale;
     }},
};
const std::pair<const char*, double> kConstants[] = {
    {"pi", kPi},
    {"M_PI", kPi},
    {"M_E", 2.71828182845904523536},
    {"epsilon", std::numeric_limits<double>::epsilon()},
    {"inf", std::numeric_limits<double>::infinity()},
};
const std::array<const char*, 4> kWords = {"and", "or", "xor", "mod"};

std::string lower(std::string_view text) {
  std::string out(text);
  std::transform(out.begin(), out.end(), out.begin(),
                 [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  return out;
}

bool letter(char c) { return std::isalpha(static_cast<unsigned char>(c)) || c == '_'; }
bool digit(char c) { return std::isdigit(static_cast<unsigned char>(c)) != 0; }

}  // namespace

struct Calculator::Impl {
  explicit Impl(RandomSource& random) {
    parser.ClearFun();
    for (const auto& [name, function] : kOne) parser.DefineFun(name, function);
    for (const auto& [name, function] : kTwo) parser.DefineFun(name, function);
    parser.DefineFun("min", least);
    parser.DefineFun("max", greatest);
    parser.DefineFun("sum", sum);
    parser.DefineFun("avg", mean);
    parser.DefineFun("mul", product);
    parser.DefineFun(
        "clamp",
        +[](double low, double x, double high) { return std::min(std::max(x, low), high); });
    parser.DefineFun(
        "inrange",
        +[](double low, double x, double high) { return double(low <= x && x <= high); });
    parser.DefineFun(
        "if", +[](double c, double a, double b) { return c != 0 ? a : b; });
    // Never folded as constants: each call draws.
    parser.DefineFunUserData("rand", draw_uniform, &random, false);
    parser.DefineFunUserData("randn", draw_gaussian, &random, false);
    parser.DefineFunUserData("unifrnd", draw_between, &random, false);
    parser.DefineFunUserData("randomize", randomize, &random, false);
    parser.DefineOprt(
        "%", [](double a, double b) { return std::fmod(a, b); }, mu::prMUL_DIV);
    parser.DefineOprt(
        "mod", [](double a, double b) { return std::fmod(a, b); }, mu::prMUL_DIV);
    parser.DefineOprt(
        "and", [](double a, double b) { return double(a != 0 && b != 0); }, mu::prLAND);
    parser.DefineOprt(
        "or", [](double a, double b) { return double(a != 0 || b != 0); }, mu::prLOR);
    parser.DefineOprt(
        "xor", [](double a, double b) { return double((a != 0) != (b != 0)); }, mu::prLOR);
    for (const auto& [name, value] : parser.GetFunDef()) names.push_back(name);
    for (const auto& [name, value] : kConstants) names.push_back(name);
  }

  bool is_function(const std::string& name) const { return parser.GetFunDef().count(name) > 0; }

  mu::Parser parser;
  std::vector<std::string> names;  ///< of functions and constants
};

namespace {

std::string what_is_wrong(const mu::ParserError& error) {
  const std::string token = error.GetToken();
  switch (error.GetCode()) {
    case mu::ecUNEXPECTED_EOF:
    case mu::ecEMPTY_EXPRESSION:
      return "something is missing at the end";
    case mu::ecMISSING_PARENS:
      return "a ')' is missing";
    case mu::ecUNEXPECTED_PARENS:
      return "unexpected '" + token + "'";
    case mu::ecTOO_MANY_PARAMS:
      return "too many arguments for '" + token + "'";
    case mu::ecTOO_FEW_PARAMS:
      return "too few arguments for '" + token + "'";
    case mu::ecMISSING_ELSE_CLAUSE:
      return "a '?' without its ':'";
    default:
      return token.empty() ? "it is no arithmetic" : "unexpected '" + token + "'";
  }
}

}  // namespace

Calculator::Calculator(RandomSource& random) : impl_(std::make_unique<Impl>(random)) {}
Calculator::~Calculator() = default;

const std::vector<std::string>& Calculator::names() const { return impl_->names; }

std::optional<double> Calculator::evaluate(std::string_view text, const Lookup& variables,
                                           ExpressionError& error) {
  mu::Parser& parser = impl_->parser;
  parser.ClearConst();
  for (const auto& [name, value] : kConstants) parser.DefineConst(name, value);
  std::string expression(text);

  // Names first: muParser would know neither our variables nor what was meant.
  for (std::size_t i = 0; i < expression.size();) {
    if (digit(expression[i]) || expression[i] == '.') {
      std::size_t end = i;
      if (scan_number(std::string_view(expression).substr(i), end)) {
        i += end;
      } else {
        ++i;
      }
      continue;
    }
    if (!letter(expression[i])) {
      ++i;
      continue;
    }
    std::size_t end = i;
    while (end < expression.size() && (letter(expression[end]) || digit(expression[end]))) ++end;
    const std::string name = expression.substr(i, end - i);
    const std::string folded = lower(name);
    const std::size_t next = expression.find_first_not_of(" \t\r\n", end);
    const bool called = next != std::string::npos && expression[next] == '(';
    const auto fail = [&](std::string message, std::string hint) {
      error = {std::move(message), std::move(hint), i, end - i, {}};
    };
    std::optional<std::string> value;
    if (std::find(kWords.begin(), kWords.end(), folded) != kWords.end()) {
      expression.replace(i, name.size(), folded);
    } else if (called && impl_->is_function(folded)) {
      expression.replace(i, name.size(), folded);
    } else if (!called && (value = variables(name))) {
      std::size_t used = 0;
      const auto number = scan_number(*value, used);
      if (!number || value->find_first_not_of(" \t\r\n", used) != std::string::npos) {
        fail("variable '" + name + "' is '" + *value + "', not a number", {});
        return std::nullopt;
      }
      if (impl_->is_function(name) || name.size() > 100) {
        fail("variable '" + name + "' cannot be used by its bare name here",
             "write ${" + name + "}");
        return std::nullopt;
      }
      parser.DefineConst(name, *number);
    } else {
      bool constant = false;
      for (const auto& [known, unused] : kConstants) {
        if (lower(known) != folded || called) continue;
        expression.replace(i, name.size(), known);
        constant = true;
      }
      if (!constant) {
        fail(called ? "unknown function '" + name + "()'" : "unknown name '" + name + "'", {});
        error.unknown = name;
        return std::nullopt;
      }
    }
    i = end;
  }

  double result = 0;
  try {
    parser.SetExpr(expression);
    result = parser.Eval();
  } catch (const mu::ParserError& wrong) {
    error = {what_is_wrong(wrong), {}, 0, 0, {}};
    return std::nullopt;
  }
  if (std::isfinite(result)) return result;
  error = {std::isnan(result) ? "the result is not a number" : "the result is infinite",
           text.find('/') != std::string_view::npos || text.find('%') != std::string_view::npos
               ? "is it a division by zero?"
               : "",
           0,
           0,
           {}};
  return std::nullopt;
}

std::string to_text(double number) {
  char buffer[64];
  const bool whole = number == std::floor(number) && std::abs(number) < 1e15;
  const auto end =
      whole ? std::to_chars(buffer, buffer + sizeof buffer, static_cast<long long>(number))
            : std::to_chars(buffer, buffer + sizeof buffer, number);
  return {buffer, end.ptr};
}

std::optional<double> scan_number(std::string_view text, std::size_t& end) {
  std::size_t begin = text.find_first_not_of(" \t\r\n\v\f");
  if (begin == std::string_view::npos) return std::nullopt;
  bool negative = false;
  if (text[begin] == '+' || text[begin] == '-') negative = text[begin++] == '-';
  if (begin >= text.size() || !(digit(text[begin]) || text[begin] == '.')) return std::nullopt;
  const bool hexadecimal = text.size() > begin + 2 && text[begin] == '0' &&
                           (text[begin + 1] | 0x20) == 'x' &&
                           std::isxdigit(static_cast<unsigned char>(text[begin + 2]));
  double value = 0;
  const auto read =
      std::from_chars(text.data() + begin + (hexadecimal ? 2 : 0), text.data() + text.size(), value,
                      hexadecimal ? std::chars_format::hex : std::chars_format::general);
  if (read.ec != std::errc()) return std::nullopt;
  end = static_cast<std::size_t>(read.ptr - text.data());
  return negative ? -value : value;
}

}  // namespace protobeam::mvsim
