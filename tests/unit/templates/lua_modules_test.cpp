// The functions of Lua's modules against the C++ library, Eigen and hand-made figures.
#include <cmath>
#include <sstream>

#include "base/math.h"
#include "tests/unit/templates/render.h"

namespace protobeam::wbt {
namespace {

/// Numbers that an expression of Lua gives: itself, those in a list, or the members x y z a w.
std::vector<double> lua_numbers_of(const std::string& code, const std::string& setup) {
  const std::string flat =
      " local function flat(...) local out = {} for _, v in ipairs {...} do "
      "if type(v) == 'table' then "
      "for _, k in ipairs {'x', 'y', 'z', 'a', 'w'} do out[#out + 1] = v[k] and flat(v[k]) end "
      "for _, w in ipairs(v) do out[#out + 1] = flat(w) end "
      "else out[#out + 1] = string.format('%.17g', v) end end return table.concat(out, ' ') end ";
  std::vector<double> numbers;
  std::istringstream text(lua_value_of("flat(" + code + ")", flat + setup));
  for (double number = 0; text >> number;) numbers.push_back(number);
  return numbers;
}

void expect_numbers(const std::vector<double>& actual, const std::vector<double>& expected,
                    double tolerance = 1e-13) {
  ASSERT_EQ(actual.size(), expected.size());
  for (std::size_t i = 0; i < actual.size(); ++i)
    EXPECT_NEAR(actual[i], expected[i], tolerance) << i;
}

/// x' = (1140671485 x + 12820163) mod 2^24 in double precision.
double lua_lcg(double state) { return std::fmod(1140671485.0 * state + 12820163.0, 16777216.0); }

TEST(LuaWbrandom, IsTheDocumentedGenerator) {
  const double a = lua_lcg(12345), b = lua_lcg(a), c = lua_lcg(b), d = lua_lcg(c), e = lua_lcg(d),
               f = lua_lcg(e);
  const double most = 16777215.0;
  expect_numbers(
      lua_numbers_of(
          "r.real(), r.real(10), r.real(-2, 4), r.integer(), r.integer(9), r.integer(-3, 3)",
          "local r = require('wbrandom') r.seed(12345)"),
      {a / most, 10 * b / most, -2 + 6 * c / most, d, 1 + std::fmod(e, 9), std::fmod(f, 7) - 3});
}

TEST(LuaWbrandom, BeginsAtZeroAndTakesAnId) {
  expect_numbers(lua_numbers_of("require('wbrandom').integer()", ""), {lua_lcg(0)}, 0);
  expect_numbers(lua_numbers_of("r.integer()", "local r = require('wbrandom') r.seed(context.id)"),
                 {lua_lcg(7)}, 0);
  EXPECT_EQ(lua_value_of("r.real() >= 0 and 'inside' or 'outside'",
                         "r = require('wbrandom') r.seed(-5.5)"),
            "inside");
  EXPECT_FALSE(render_lua("%{ require('wbrandom').seed('x') }%").ok);
}

TEST(LuaWbrandom, AWholeNumberUpToOneBoundBeginsWithOne) {
  EXPECT_EQ(
      lua_value_of("low .. ' ' .. high",
                   "local r = require('wbrandom') low, high = 99, 0 for i = 1, 10000 do "
                   "local n = r.integer(6) low, high = math.min(low, n), math.max(high, n) end"),
      "1 6");
}

TEST(LuaWbvector2, CalculatesAsOnPaper) {
  const std::string setup =
      "local v = require('wbvector2') local a, b = {x = 3, y = 4}, {x = 1, y = -2} ";
  expect_numbers(
      lua_numbers_of("v.add(a, b), v.minus(a, b), v.multiply(a, 2), v.norm(a), v.distance(a, b), "
                     "v.cross(a, b), v.dot(a, b), v.normalize(a), v.atan2(a), v.angle(a, b)",
                     setup),
      {4, 2, 2, 6, 6, 8, 5, std::sqrt(40.0), -10, -5, 0.6, 0.8, std::atan2(3.0, 4.0),
       std::atan2(2.0, 6.0)});
  EXPECT_EQ(lua_value_of("tostring(v.equal(a, {x = 3, y = 4})) .. tostring(v.equal(a, b))", setup),
            "truefalse");
}

TEST(LuaWbvector2, SegmentsMeetOnlyWithinBoth) {
  const std::string setup =
      "local v = require('wbvector2') local function p(x, y) return {x = x, y = y} end "
      "local meet = v.intersection ";
  expect_numbers(lua_numbers_of("meet(p(0, 0), p(4, 4), p(0, 4), p(4, 0)), "
                                "meet(p(1, 0), p(1, 3), p(0, 2), p(5, 2))",
                                setup),
                 {2, 2, 1, 2});
  EXPECT_EQ(lua_value_of("tostring(meet(p(0, 0), p(1, 1), p(0, 4), p(4, 0))) .. "
                         "tostring(meet(p(0, 0), p(1, 1), p(1, 0), p(2, 1))) .. "
                         "tostring(meet(p(1, 0), p(1, 3), p(0, 5), p(5, 5)))",
                         setup),
            "nilnilnil");
}

TEST(LuaWbvector3, CalculatesAsOnPaper) {
  const std::string setup =
      "local v = require('wbvector3') local a = {x = 1, y = 2, z = 2} "
      "local b = {x = 0, y = -1, z = 4} ";
  const Vec3 a(1, 2, 2), b(0, -1, 4), cross = a.cross(b);
  expect_numbers(
      lua_numbers_of("v.add(a, b), v.minus(a, b), v.multiply(a, -2), v.norm(a), v.distance(a, b), "
                     "v.cross(a, b), v.dot(a, b), v.normalize(a)",
                     setup),
      {1, 1, 6, 1, 3, -2, -2, -4, -4, 3, (a - b).norm(), cross.x(), cross.y(), cross.z(), a.dot(b),
       1 / 3.0, 2 / 3.0, 2 / 3.0});
  EXPECT_EQ(
      lua_value_of("tostring(v.equal(a, {x = 1, y = 2, z = 2})) .. tostring(v.equal(a, b))", setup),
      "truefalse");
  EXPECT_FALSE(render_lua("%{ require('wbvector3').normalize({x = 0, y = 0, z = 0}) }%").ok);
}

const char* const kLuaRotations =
    "local w = require('wbrotation') local v = {x = 0.3, y = -4, z = 2} "
    "local function r() return {x = 1, y = -2, z = 0.5, a = 2.1} end "
    "local function s() return {x = 0, y = 1, z = 1, a = -0.7} end ";

TEST(LuaWbrotation, QuaternionsAndMatricesAreEigens) {
  const Quat q = axis_angle(Vec3(1, -2, 0.5), 2.1);
  expect_numbers(lua_numbers_of("w.toquaternion(r())", kLuaRotations),
                 {q.x(), q.y(), q.z(), q.w()});
  const Mat3 m = q.toRotationMatrix();
  expect_numbers(lua_numbers_of("w.tomatrix3(r())", kLuaRotations),
                 {m(0, 0), m(0, 1), m(0, 2), m(1, 0), m(1, 1), m(1, 2), m(2, 0), m(2, 1), m(2, 2)});
  const Vec3 axis = Vec3(1, -2, 0.5).normalized();
  const std::vector<double> expected{axis.x(), axis.y(), axis.z(), 2.1};
  expect_numbers(lua_numbers_of("w.fromquaternion(w.toquaternion(r()))", kLuaRotations), expected);
  expect_numbers(lua_numbers_of("w.frommatrix3(w.tomatrix3(r()))", kLuaRotations), expected);
  // Three quarters of a revolution: the quaternion keeps them, the matrix cannot.
  expect_numbers(
      lua_numbers_of("w.fromquaternion {w = math.cos(2.4), x = 0, y = math.sin(2.4), z = 0},"
                     "w.frommatrix3(w.tomatrix3 {x = 0, y = 1, z = 0, a = 4.8})",
                     kLuaRotations),
      {0, 1, 0, 4.8, 0, -1, 0, 2 * kPi - 4.8});
  expect_numbers(lua_numbers_of("w.fromquaternion {w = 1, x = 0, y = 0, z = 0}", kLuaRotations),
                 {0, 1, 0, 0});
}

TEST(LuaWbrotation, HalfTurnsKeepTheirAxis) {
  for (const char* axis : {"x = 1, y = 0, z = 0", "x = 0, y = 1, z = 0", "x = 0, y = 0, z = 1",
                           "x = 0.6, y = 0.8, z = 0"}) {
    const std::string turn = std::string("{") + axis + ", a = math.pi}";
    expect_numbers(
        lua_numbers_of("w.tomatrix3(w.frommatrix3(w.tomatrix3(" + turn + ")))", kLuaRotations),
        lua_numbers_of("w.tomatrix3(" + turn + ")", kLuaRotations), 1e-9);
  }
}

TEST(LuaWbrotation, CombinesAndTurnsVectorsAsEigen) {
  const Quat r = axis_angle(Vec3(1, -2, 0.5), 2.1), s = axis_angle(Vec3(0, 1, 1), -0.7);
  const Vec3 v(0.3, -4, 2), both = r * (s * v), once = r * v;
  expect_numbers(lua_numbers_of("w.rotatevector3byrotation(w.combine(r(), s()), v)", kLuaRotations),
                 {both.x(), both.y(), both.z()});
  for (const char* way :
       {"w.rotatevector3byrotation(r(), v)", "w.rotatevector3bymatrix3(w.tomatrix3(r()), v)",
        "w.rotatevector3byquaternion(w.toquaternion(r()), v)"}) {
    expect_numbers(lua_numbers_of(way, kLuaRotations), {once.x(), once.y(), once.z()});
  }
}

TEST(LuaWbrotation, NormalizesWhatItIsGiven) {
  expect_numbers(lua_numbers_of("w.normalize(t), t", std::string(kLuaRotations) +
                                                         "local t = {x = 0, y = 0, z = -2, a = 7}"),
                 {0, 0, -1, 7 - 2 * kPi, 0, 0, -1, 7 - 2 * kPi});
  expect_numbers(lua_numbers_of("w.normalize {x = 0, y = 0, z = 0, a = -20}", kLuaRotations),
                 {0, 1, 0, -20 + 6 * kPi});
  EXPECT_EQ(lua_value_of("tostring(w.isidentity {x = 1, y = 0, z = 0, a = 0}) .. "
                         "tostring(w.isidentity(r())) .. tostring(w.equal(r(), r())) .. "
                         "tostring(w.equal(r(), s())) .. tostring(w.isvalid(r())) .. "
                         "tostring(w.isvalid {x = 0, y = 0, z = 0, a = 1})",
                         kLuaRotations),
            "truefalsetruefalsetruefalse");
}

const char* const kLuaGeometry =
    "local g = require('wbgeometry') local function p(x, y) return {x = x, y = y} end "
    "local square = {p(0, 0), p(2, 0), p(2, 2), p(0, 2)} "
    "local arrow = {p(0, 0), p(4, 0), p(4, 4), p(2, 1), p(0, 4)} ";

TEST(LuaWbgeometry, CirclesCloseAndLieOnTheirRadius) {
  expect_numbers(lua_numbers_of("g.circle(2, 4, 1, 1, math.pi / 2)", kLuaGeometry),
                 {1, 3, -1, 1, 1, -1, 3, 1, 1, 3}, 1e-12);
}

TEST(LuaWbgeometry, PointsAreInsideByTheEdgesToTheirRight) {
  EXPECT_EQ(
      lua_value_of("s",
                   std::string(kLuaGeometry) +
                       "s = '' for _, q in ipairs {p(1, 1), p(2, 1), p(0, 1), p(3, 1), p(1, 2), "
                       "p(1, 0)} do s = s .. (g.ispointinpolygon(q.x, q.y, square) and 1 or 0) end "
                       "s = s .. (g.ispointinpolygon(2, 2, arrow) and 1 or 0) "
                       ".. (g.ispointinpolygon(0.5, 2, arrow) and 1 or 0) "
                       ".. (g.ispointinpolygon(0, 0, {p(0, 0), p(1, 1)}) and 1 or 0)"),
      "110010010");
}

TEST(LuaWbgeometry, FindsTheNearestPointAndTheOrder) {
  expect_numbers(lua_numbers_of("g.findclosest2Dpointinarray(p(1.9, 1.2), square), "
                                "g.findclosest2Dpointinarray(p(5, 6), {})",
                                kLuaGeometry),
                 {2, 2, 5, 6});
  EXPECT_EQ(lua_value_of("tostring(g.islistclockwise2D(square)) .. "
                         "tostring(g.islistclockwise2D {p(0, 2), p(2, 2), p(2, 0), p(0, 0)}) .. "
                         "tostring(g.islistclockwise2D {p(0, 0), p(1, 1), p(2, 2)})",
                         kLuaGeometry),
            "truefalsefalse");
}

/// A uniform cubic B-spline of collinear, evenly spaced points is the line itself.
TEST(LuaWbgeometry, CurvesGoFromTheFirstPointToTheLast) {
  expect_numbers(lua_numbers_of("g.bspline3D({{x = 0, y = 0, z = 1}, {x = 2, y = 4, z = 1}, "
                                "{x = 4, y = 8, z = 1}}, 2)",
                                kLuaGeometry),
                 {0, 0, 1, 1, 2, 1, 2, 4, 1, 3, 6, 1, 4, 8, 1}, 1e-12);
  // In the plane, a segment before the first point comes in between.
  expect_numbers(lua_numbers_of("g.bspline2D({p(0, 0), p(2, 4), p(4, 8)}, 2)", kLuaGeometry),
                 {0, 0, -1, -2, 0, 0, 1, 2, 2, 4, 3, 6, 4, 8}, 1e-12);
  // A corner at (1, 1): its weights are 1/6, 4/6 and 1/6 at the joint of two segments.
  expect_numbers(lua_numbers_of("g.bspline3D({{x = 0, y = 0, z = 0}, {x = 1, y = 1, z = 0}, "
                                "{x = 2, y = 0, z = 0}}, 1)",
                                kLuaGeometry),
                 {0, 0, 0, 1, 4 / 6.0, 0, 2, 0, 0}, 1e-12);
  // The points that continue the curve stay in the list.
  expect_numbers(
      lua_numbers_of("q[-1], q[0], q[3], q[4], #q",
                     std::string(kLuaGeometry) + "local q = {p(0, 0), p(2, 4)} g.bspline2D(q, 1)"),
      {-4, -8, -2, -4, 4, 8, 6, 12, 4}, 1e-12);
}

TEST(LuaWbcore, CopiesDeepAndCounts) {
  EXPECT_EQ(lua_value_of("a.b[2].c .. copy.b[2].c .. copy.method() .. #copy.b",
                         "local core = require('wbcore') "
                         "local a = setmetatable({b = {1, {c = 2}}}, "
                         "{__index = {method = function() return 'm' end}}) "
                         "local copy = core.deepcopy(a) copy.b[2].c = 3"),
            "23m2");
  EXPECT_EQ(lua_value_of("core.deepcopy(5) .. core.tablelength({}) .. core.tablelength({1, 2, 3})",
                         "local core = require('wbcore')"),
            "503");
}

TEST(LuaWbmath, RoundsAndConverts) {
  expect_numbers(lua_numbers_of("m.round(2.5), m.round(-2.5), m.round(2.4), m.degrees2radians(90), "
                                "m.radians2degrees(math.pi)",
                                "local m = require('wbmath') "),
                 {3, -2, 2, kPi / 2, 180});
  expect_numbers(lua_numbers_of("require('wblimits').maxdouble, require('wblimits').mindouble", ""),
                 {9007199254740992.0, -9007199254740992.0}, 0);
}

TEST(LuaWbstring, SplitsAtPatterns) {
  EXPECT_EQ(
      lua_value_of("table.concat(s('a, b,c', ',%s*'), '|') .. ' ' .. "
                   "table.concat(s(',a,,b,', ','), '|') .. ' ' .. #s('', ',') .. #s('abc', '')",
                   "local s = require('wbstring').split"),
      "a|b|c a||b 01");
}

TEST(LuaWbfile, CutsTheNameOff) {
  EXPECT_EQ(lua_value_of("f('/a/b/c.txt') .. f('C:\\\\x\\\\y.wbt') .. f('/z') .. f('plain')",
                         "local f = require('wbfile').getpathwithoutfilename"),
            "/a/bC:/x");
}

}  // namespace
}  // namespace protobeam::wbt
