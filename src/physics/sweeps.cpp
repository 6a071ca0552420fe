#include "physics/sweeps.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "base/clones.h"

namespace protobeam::physics {
namespace {

using Quad = SweepRow::Quad;

VelocityChange& at(VelocityChange* first, std::uint32_t bytes) {
  return *reinterpret_cast<VelocityChange*>(reinterpret_cast<char*>(first) + bytes);
}

std::uint32_t bytes_of_change(int body) {
  return static_cast<std::uint32_t>(body) * static_cast<std::uint32_t>(sizeof(VelocityChange));
}

/// As btSequentialImpulseConstraintSolver does it, operation by operation. The error that it has
/// removed, in m/s.
PROTOBEAM_INLINE double solve(const SweepRow& row, double lower, double upper, double& impulse,
                              VelocityChange* changes) {
  const VelocityChange& a = at(changes, row.a);
  const VelocityChange& b = at(changes, row.b);
  Quad change_of[3];
  for (int k = 0; k < 3; ++k)
    change_of[k] = __builtin_shufflevector(a.axis[k], b.axis[k], 0, 1, 2, 3);
  const Quad along = row.along[0] * change_of[0] + row.along[1] * change_of[1] +
                     row.along[2] * change_of[2];
  double change = row.rhs - impulse * row.cfm;
  change -= (along[0] + along[1]) * row.inverse_diagonal;
  change -= (along[2] + along[3]) * row.inverse_diagonal;
  const double sum = impulse + change;
  const double limited = sum < lower ? lower : sum > upper ? upper : sum;
  change = limited == sum ? change : limited - impulse;
  impulse = limited;
  VelocityChange& to_a = at(changes, row.write_a);
  VelocityChange& to_b = at(changes, row.write_b);
  const Quad times{change, change, change, change};
  for (int k = 0; k < 3; ++k) {
    const Quad to = change_of[k] + row.response[k] * times;
    to_a.axis[k] = __builtin_shufflevector(to, to, 0, 1);
    to_b.axis[k] = __builtin_shufflevector(to, to, 2, 3);
  }
  return std::abs(change * row.diagonal);
}

PROTOBEAM_CLONES double sweep_own(const SweepRow* rows, double* impulses, std::size_t count,
                                  VelocityChange* changes) {
  double error = 0;
  for (std::size_t i = 0; i < count; ++i) {
    const SweepRow& row = rows[i];
    error = std::max(error, solve(row, row.lower, row.upper, impulses[i], changes));
  }
  return error;
}

/// `pressing`: the impulses of all rows; `most`: the largest of them that counts, N s.
PROTOBEAM_CLONES double sweep_friction(const SweepRow* rows, double* impulses, std::size_t count,
                                       const double* pressing, double most,
                                       VelocityChange* changes) {
  double error = 0;
  for (std::size_t i = 0; i < count; ++i) {
    const SweepRow& row = rows[i];
    const double pressed = pressing[row.contact];
    if (!(pressed > 0)) continue;
    const double limit = std::min(row.friction * pressed, row.friction * most);
    error = std::max(error, solve(row, -limit, limit, impulses[i], changes));
  }
  return error;
}

}  // namespace

void Sweeps::begin(const Bodies& bodies) {
  bodies_ = &bodies;
  rows_.clear();
  impulses_.clear();
  of_.clear();
  passes_.clear();
  contacts_.clear();
  const auto count = static_cast<std::size_t>(bodies.size());
  moves_.resize(count);
  changes_.resize(count + 1);
  for (int i = 0; i < bodies.size(); ++i) {
    const btSolverBody& body = bodies[i];
    moves_[i] = body.m_originalBody && !body.internalGetInvMass().isZero();
    for (int k = 0; k < 3; ++k) {
      changes_[i].axis[k][0] = body.getDeltaLinearVelocity()[k];
      changes_[i].axis[k][1] = body.getDeltaAngularVelocity()[k];
    }
  }
}

void Sweeps::find_levels(const btConstraintArray& rows) {
  level_of_body_.assign(moves_.size(), 0);
  level_.resize(static_cast<std::size_t>(rows.size()));
  begin_of_level_.assign(1, 0);
  for (int i = 0; i < rows.size(); ++i) {
    const int a = rows[i].m_solverBodyIdA, b = rows[i].m_solverBodyIdB;
    const int level = std::max(moves_[a] ? level_of_body_[a] : 0, moves_[b] ? level_of_body_[b] : 0);
    if (moves_[a]) level_of_body_[a] = level + 1;
    if (moves_[b]) level_of_body_[b] = level + 1;
    level_[i] = level;
    if (static_cast<int>(begin_of_level_.size()) < level + 2) begin_of_level_.push_back(0);
    ++begin_of_level_[level + 1];
  }
  for (std::size_t i = 1; i < begin_of_level_.size(); ++i)
    begin_of_level_[i] += begin_of_level_[i - 1];
}

void Sweeps::add(btConstraintArray& rows, Limits limits) {
  if (rows.size() == 0) return;
  find_levels(rows);
  const Bodies& bodies = *bodies_;
  const std::uint32_t unread = bytes_of_change(bodies.size());
  const std::size_t first = rows_.size();
  const auto count = static_cast<std::size_t>(rows.size());
  rows_.resize(first + count);
  impulses_.resize(first + count);
  of_.resize(first + count);
  if (limits == Limits::kContact) contacts_.resize(count);
  for (int i = 0; i < rows.size(); ++i) {
    btSolverConstraint& c = rows[i];
    const std::size_t place = first + static_cast<std::size_t>(begin_of_level_[level_[i]]++);
    const int a = c.m_solverBodyIdA, b = c.m_solverBodyIdB;
    const btVector3& mass_a = bodies[a].internalGetInvMass();
    const btVector3& mass_b = bodies[b].internalGetInvMass();
    SweepRow& row = rows_[place];
    for (int k = 0; k < 3; ++k) {
      row.along[k] = Quad{c.m_contactNormal1[k], c.m_relpos1CrossNormal[k], c.m_contactNormal2[k],
                          c.m_relpos2CrossNormal[k]};
      row.response[k] = Quad{c.m_contactNormal1[k] * mass_a[k], c.m_angularComponentA[k],
                             c.m_contactNormal2[k] * mass_b[k], c.m_angularComponentB[k]};
    }
    row.rhs = c.m_rhs;
    row.cfm = c.m_cfm;
    row.inverse_diagonal = c.m_jacDiagABInv;
    row.diagonal = c.m_jacDiagABInv > 0 ? 1. / c.m_jacDiagABInv : 0;
    if (limits == Limits::kOwn || limits == Limits::kContact) {
      row.lower = c.m_lowerLimit;
      row.upper = limits == Limits::kOwn ? c.m_upperLimit : std::numeric_limits<double>::infinity();
    } else {
      row.friction = c.m_friction;
      row.contact = contacts_[c.m_frictionIndex];
    }
    if (limits == Limits::kContact) contacts_[i] = place;
    impulses_[place] = c.m_appliedImpulse;
    of_[place] = &c;
    row.a = bytes_of_change(a);
    row.b = bytes_of_change(b);
    row.write_a = moves_[a] ? row.a : unread;
    row.write_b = moves_[b] ? row.b : unread;
  }
  passes_.push_back({first, rows_.size(), limits});
}

double Sweeps::sweep() {
  double error = 0;
  for (const Pass& pass : passes_) {
    const SweepRow* const rows = rows_.data() + pass.begin;
    double* const impulses = impulses_.data() + pass.begin;
    const std::size_t count = pass.end - pass.begin;
    double of_pass = 0;
    switch (pass.limits) {
      case Limits::kOwn:
      case Limits::kContact:
        of_pass = sweep_own(rows, impulses, count, changes_.data());
        break;
      case Limits::kByImpulse:
        of_pass = sweep_friction(rows, impulses, count, impulses_.data(),
                                 std::numeric_limits<double>::max(), changes_.data());
        break;
      case Limits::kByImpulseAtMostOne:
        of_pass = sweep_friction(rows, impulses, count, impulses_.data(), 1, changes_.data());
        break;
    }
    error = std::max(error, of_pass);
  }
  return error * error;
}

void Sweeps::end(Bodies& bodies) const {
  for (std::size_t i = 0; i < of_.size(); ++i) of_[i]->m_appliedImpulse = impulses_[i];
  for (int i = 0; i < bodies.size(); ++i) {
    for (int k = 0; k < 3; ++k) {
      bodies[i].internalGetDeltaLinearVelocity()[k] = changes_[i].axis[k][0];
      bodies[i].internalGetDeltaAngularVelocity()[k] = changes_[i].axis[k][1];
    }
  }
}

}  // namespace protobeam::physics
