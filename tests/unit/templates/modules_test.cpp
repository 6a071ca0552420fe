// The modules' functions against the C++ library, Eigen and hand-made figures.
#include <cmath>
#include <sstream>

#include "base/math.h"
#include "tests/unit/templates/render.h"

namespace protobeam::wbt {
namespace {

std::vector<double> numbers_of(const std::string& code, const std::string& setup) {
  std::vector<double> numbers;
  std::istringstream text(value_of("[" + code + "].flat().join(' ')", setup));
  for (double number = 0; text >> number;) numbers.push_back(number);
  return numbers;
}

void expect_near(const std::vector<double>& actual, const std::vector<double>& expected,
                 double tolerance = 1e-14) {
  ASSERT_EQ(actual.size(), expected.size());
  for (std::size_t i = 0; i < actual.size(); ++i)
    EXPECT_NEAR(actual[i], expected[i], tolerance) << i;
}

/// x' = (1140671485 x + 12820163) mod 2^24 in double precision.
double lcg(double state) { return std::fmod(1140671485.0 * state + 12820163.0, 16777216.0); }

TEST(Wbrandom, IsTheDocumentedGenerator) {
  const std::string setup = "import * as wbrandom from 'wbrandom.js'; wbrandom.seed(12345);";
  const double a = lcg(12345), b = lcg(a), c = lcg(b), d = lcg(c), e = lcg(d), f = lcg(e);
  const double most = 16777215.0;
  expect_near(
      numbers_of("wbrandom.real(), wbrandom.real(10), wbrandom.real(-2, 4), wbrandom.integer(), "
                 "wbrandom.integer(9), wbrandom.integer(-3, 3)",
                 setup),
      {a / most, 10 * b / most, -2 + 6 * c / most, d, 1 + std::fmod(e, 9), std::fmod(f, 7) - 3});
}

TEST(Wbrandom, StaysInItsInterval) {
  EXPECT_EQ(value_of("low + ' ' + high",
                     "import {integer, seed} from 'wbrandom.js'; seed('99'); let low = 9, high = 0;"
                     "for (let i = 0; i < 10000; ++i) { const n = integer(2, 5); "
                     "low = Math.min(low, n); high = Math.max(high, n); }"),
            "2 5");
  EXPECT_EQ(value_of("low + ' ' + high",
                     "import {integer} from 'wbrandom.js'; let low = 99, high = 0;"
                     "for (let i = 0; i < 10000; ++i) { const n = integer(6); "
                     "low = Math.min(low, n); high = Math.max(high, n); }"),
            "1 6");
  // JavaScript's remainder has the sign of the seed.
  expect_near(numbers_of("real()", "import {real, seed} from 'wbrandom.js'; seed(-5.5);"),
              {lcg(-5.5) / 16777215});
  EXPECT_FALSE(render("%< import {real} from 'wbrandom.js'; real('3'); >%").ok);
  EXPECT_FALSE(render("%< import {seed} from 'wbrandom.js'; seed('x'); >%").ok);
}

TEST(Wbvector2, CalculatesAsOnPaper) {
  const std::string setup =
      "import * as v from 'wbvector2.js'; const a = {x: 3, y: 4}, b = {x: 1, y: -2};"
      "const f = (p) => [p.x, p.y];";
  expect_near(numbers_of("f(v.add(a, b)), f(v.minus(a, b)), f(v.multiply(a, 2)), v.norm(a), "
                         "v.distance(a, b), v.cross(a, b), v.dot(a, b), f(v.normalize(a)), "
                         "v.angle(a, b)",
                         setup),
              {4, 2, 2, 6, 6, 8, 5, std::sqrt(40.0), -10, -5, 0.6, 0.8, std::atan2(6.0, 2.0)});
  EXPECT_EQ(value_of("v.equal(a, {x: 3, y: 4}) + ' ' + v.equal(a, b)", setup), "true false");
}

TEST(Wbvector2, SegmentsMeetOnlyWithinBoth) {
  const std::string setup = "import * as v from 'wbvector2.js'; const p = (x, y) => ({x, y});";
  expect_near(
      numbers_of("Object.values(v.intersection(p(0, 0), p(4, 4), p(0, 4), p(4, 0)))", setup),
      {2, 2});
  expect_near(
      numbers_of("Object.values(v.intersection(p(1, 0), p(1, 3), p(0, 2), p(5, 2)))", setup),
      {1, 2});
  EXPECT_EQ(value_of("v.intersection(p(0, 0), p(1, 1), p(0, 4), p(4, 0)) === null", setup), "true");
  EXPECT_EQ(value_of("v.intersection(p(0, 0), p(1, 1), p(1, 0), p(2, 1)) === null", setup), "true");
}

TEST(Wbvector3, CalculatesAsOnPaper) {
  const std::string setup =
      "import * as v from 'wbvector3.js'; const a = {x: 1, y: 2, z: 2},"
      "b = {x: 0, y: -1, z: 4}; const f = (p) => [p.x, p.y, p.z];";
  const Vec3 a(1, 2, 2), b(0, -1, 4);
  const Vec3 cross = a.cross(b);
  expect_near(numbers_of("f(v.add(a, b)), f(v.minus(a, b)), f(v.multiply(a, -2)), v.norm(a), "
                         "v.distance(a, b), f(v.cross(a, b)), v.dot(a, b), f(v.normalize(a))",
                         setup),
              {1, 1, 6, 1, 3, -2, -2, -4, -4, 3, (a - b).norm(), cross.x(), cross.y(), cross.z(),
               a.dot(b), 1 / 3.0, 2 / 3.0, 2 / 3.0});
  EXPECT_EQ(value_of("v.equal(a, {...a}) + ' ' + v.equal(a, b)", setup), "true false");
}

TEST(TemplateModules, AZeroVectorHasNoDirection) {
  for (const char* zero :
       {"import * as v from 'wbvector2.js'; const n = v.normalize({x: 0, y: 0});",
        "import * as v from 'wbvector3.js';"
        "const n = v.normalize({x: 0, y: 0, z: 0});"}) {
    const Rendering result = render(std::string("%<") + zero + ">%%<= n === null >%");
    EXPECT_EQ(result.out.text, "true");
    EXPECT_THAT(result.diagnostics.to_string(),
                ::testing::HasSubstr("normalize: a zero vector has no direction"));
  }
}

const char* const kRotationSetup =
    "import * as w from 'wbrotation.js'; const r = {x: 1, y: -2, z: 0.5, a: 2.1};"
    "const s = {x: 0, y: 1, z: 1, a: -0.7}; const v = {x: 0.3, y: -4, z: 2};"
    "const f = (p) => [p.x, p.y, p.z], q = (p) => [p.w, p.x, p.y, p.z], g = (p) => [p.x, p.y, p.z, "
    "p.a];";
const Quat kR = axis_angle(Vec3(1, -2, 0.5), 2.1), kS = axis_angle(Vec3(0, 1, 1), -0.7);

TEST(Wbrotation, QuaternionsAndMatricesAreEigens) {
  expect_near(numbers_of("q(w.toQuaternion(r))", kRotationSetup), {kR.w(), kR.x(), kR.y(), kR.z()});
  const Mat3 m = kR.toRotationMatrix();
  expect_near(numbers_of("w.toMatrix3(r)", kRotationSetup),
              {m(0, 0), m(0, 1), m(0, 2), m(1, 0), m(1, 1), m(1, 2), m(2, 0), m(2, 1), m(2, 2)});
  const Vec3 axis = Vec3(1, -2, 0.5).normalized();
  const std::vector<double> expected{axis.x(), axis.y(), axis.z(), 2.1};
  expect_near(numbers_of("g(w.fromQuaternion(w.toQuaternion(r)))", kRotationSetup), expected);
  expect_near(numbers_of("g(w.fromMatrix3(w.toMatrix3(r)))", kRotationSetup), expected);
  expect_near(numbers_of("g(w.fromMatrix3({...w.toMatrix3(r)}))", kRotationSetup), expected);
}

TEST(Wbrotation, HalfTurnsKeepTheirAxis) {
  for (const char* axis :
       {"x: 1, y: 0, z: 0", "x: 0, y: 1, z: 0", "x: 0, y: 0, z: 1", "x: 0.6, y: 0.8, z: 0"}) {
    const std::string turn = std::string("{") + axis + ", a: Math.PI}";
    EXPECT_NEAR(
        numbers_of("Math.abs(w.fromMatrix3(w.toMatrix3(" + turn + ")).a)", kRotationSetup)[0], kPi,
        1e-7);
    expect_near(numbers_of("w.toMatrix3(w.fromMatrix3(w.toMatrix3(" + turn + ")))", kRotationSetup),
                numbers_of("w.toMatrix3(" + turn + ")", kRotationSetup), 1e-9);
  }
}

TEST(Wbrotation, CombinesAndTurnsVectorsAsEigen) {
  const Vec3 v(0.3, -4, 2), both = kR * (kS * v), once = kR * v;
  expect_near(numbers_of("f(w.rotateVector3ByRotation(w.combine(r, s), v))", kRotationSetup),
              {both.x(), both.y(), both.z()});
  for (const char* way :
       {"w.rotateVector3ByRotation(r, v)", "w.rotateVector3ByMatrix3(w.toMatrix3(r), v)",
        "w.rotateVector3ByQuaternion(w.toQuaternion(r), v)"}) {
    expect_near(numbers_of(std::string("f(") + way + ")", kRotationSetup),
                {once.x(), once.y(), once.z()});
  }
}

TEST(Wbrotation, NormalizesAndCompares) {
  expect_near(numbers_of("g(w.normalize({x: 0, y: 0, z: -2, a: 7}))", kRotationSetup),
              {0, 0, -1, 7 - 2 * kPi});
  expect_near(numbers_of("g(w.normalize(t)), g(t), q(w.toQuaternion(t))",
                         std::string(kRotationSetup) + "const t = {x: 0, y: 3, z: 0, a: -20};"),
              {0, 1, 0, 6 * kPi - 20, 0, 1, 0, 6 * kPi - 20, std::cos(3 * kPi - 10), 0,
               std::sin(3 * kPi - 10), 0},
              1e-13);
  // Three quarters of a revolution: the quaternion keeps them.
  expect_near(numbers_of("g(w.fromQuaternion({w: Math.cos(2.4), x: 0, y: Math.sin(2.4), z: 0})), "
                         "g(w.fromQuaternion({w: 1, x: 0, y: 0, z: 0}))",
                         kRotationSetup),
              {0, 1, 0, 4.8, 0, 1, 0, 0});
  EXPECT_EQ(
      value_of("[w.isIdentity({x: 1, y: 0, z: 0, a: 0}), w.isIdentity(r), w.equal(r, {...r}), "
               "w.equal(r, s)].join()",
               kRotationSetup),
      "true,false,true,false");
}

const char* const kGeometrySetup =
    "import * as g from 'wbgeometry.js'; const p = (x, y) => ({x, y}); const f = (a) => [a.x, a.y];"
    "const square = [p(0, 0), p(2, 0), p(2, 2), p(0, 2)];"
    "const arrow = [p(0, 0), p(4, 0), p(4, 4), p(2, 1), p(0, 4)];";

TEST(Wbgeometry, CirclesCloseAndLieOnTheirRadius) {
  expect_near(numbers_of("g.circle(2, 4, p(1, 1), Math.PI / 2).map(f).flat()", kGeometrySetup),
              {1, 3, -1, 1, 1, -1, 3, 1, 1, 3}, 1e-12);
}

TEST(Wbgeometry, KnowsPolygons) {
  EXPECT_EQ(
      value_of(
          "[g.isPoint2InPolygon(p(1, 1), square), g.isPoint2InPolygon(p(3, 1), square), "
          "g.isPoint2InPolygon(p(2, 3), arrow), g.isPoint2InPolygon(p(3.9, 3), arrow), "
          "g.isPoint2InPolygon(p(2, 1), square), g.isPoint2InPolygon(p(0, 1), square), "
          "g.isPoint2InPolygon(p(1, 2), square), g.isPoint2InPolygon(p(1, 0), square), "
          "g.isPoint2ArrayClockwise(square), g.isPoint2ArrayClockwise(square.slice().reverse())"
          "].join()",
          kGeometrySetup),
      "true,false,false,true,true,false,true,false,true,false");
  expect_near(numbers_of("f(g.findClosestPoint2InArray(p(1.4, 1.9), square)), "
                         "f(g.findClosestPoint2InArray(p(5, 6), []))",
                         kGeometrySetup),
              {2, 2, 5, 6});
}

TEST(Wbgeometry, SplinesGoFromEndToEnd) {
  // The uniform cubic B-spline at a knot is (P0 + 4 P1 + P2) / 6; on a straight line it is the
  // line. In the plane, a segment before the first point comes in between.
  expect_near(
      numbers_of("g.bSpline2([p(0, 0), p(6, 6), p(12, 0)], 2).map(f).flat()", kGeometrySetup),
      {0, 0, -3, -3, 0, 0, 3, 2.75, 6, 4, 9, 2.75, 12, 0}, 1e-12);
  expect_near(numbers_of("g.bSpline3([{x: 0, y: 0, z: 1}, {x: 1, y: 2, z: 1}], 4)"
                         ".map((a) => [a.x, a.y, a.z]).flat()",
                         kGeometrySetup),
              {0, 0, 1, 0.25, 0.5, 1, 0.5, 1, 1, 0.75, 1.5, 1, 1, 2, 1}, 1e-12);
  EXPECT_EQ(value_of("square.length", std::string(kGeometrySetup) + "g.bSpline2(square, 3);"), "8");
}

TEST(Wbutility, ChecksKinds) {
  const std::string setup = "import * as u from 'wbutility.js';";
  EXPECT_EQ(
      value_of("[u.isScalar(1), u.isScalar('1'), u.isScalar(NaN), u.isVector2({x: 1, y: 2}), "
               "u.isVector2({x: 1}), u.isVector3({x: 1, y: 2, z: 3}), u.isVector3({x: 1, y: 2}), "
               "u.isAxisAngle({x: 1, y: 2, z: 3, a: 4}), u.isAxisAngle({x: 1, y: 2, z: 3, w: 4}), "
               "u.isQuaternion({w: 4, x: 1, y: 2, z: 3}), u.isQuaternion(4), "
               "u.isMatrix3([1, 2, 3, 4, 5, 6, 7, 8, 9]), u.isMatrix3([1]), "
               "u.isArrayOfPoints([{x: 1, y: 2}], 2), u.isArrayOfPoints([{x: 1, y: 2}], 3), "
               "u.isArrayOfPoints({x: 1, y: 2}, 2)].map(Number).join('')",
               setup),
      "1011010101010100");
}

TEST(Wbutility, CopiesAndConverts) {
  const std::string setup = "import * as u from 'wbutility.js';";
  EXPECT_EQ(
      value_of("a.b[1].c + ' ' + copy.b[1].c + ' ' + Array.isArray(copy.b)",
               setup + "const a = {b: [1, {c: 2}]}; const copy = u.deepCopy(a); copy.b[1].c = 3;"),
      "2 3 true");
  expect_near(numbers_of("u.degreesToRadians(90), u.radiansToDegrees(Math.PI)", setup),
              {kPi / 2, 180});
}

TEST(Wbutility, MessagesAreWarningsAtTheirCall) {
  const Rendering result = render(
      "%< import * as u from 'wbutility.js'; >%\n%<\n"
      "  u.assert(1 > 2, 'one is less');\n  u.assert(true, 'silent');\n"
      "  u.info('note');\n>%");
  EXPECT_TRUE(result.ok);
  ASSERT_EQ(result.diagnostics.warning_count(), 2);
  EXPECT_EQ(result.diagnostics.all()[0].message, "console.error: one is less");
  EXPECT_EQ(result.diagnostics.all()[0].place.to_string(), "Test.proto:3:11");
  EXPECT_EQ(result.diagnostics.all()[1].message, "console.log: note");
}

}  // namespace
}  // namespace protobeam::wbt
