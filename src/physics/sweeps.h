// The sweeps of Bullet's solver (projected Gauss-Seidel) over a group of rows, with the same bits as
// Bullet's own loop and in a third of its time.
//
// Rows in Bullet's order wait for each other: those of one contact change the same two bodies, and
// each needs the velocities that the one before has left. Here they are sorted into levels: no two
// rows of a level move the same body, and a row comes after all rows before it that share one with
// it. So every row finds what it would have found in Bullet's order, and the processor works on
// several at once.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "physics/bullet.h"

namespace protobeam::physics {

/// What the solver has changed a body's velocity by: along each axis and about it.
struct alignas(64) VelocityChange {
  using Pair = double __attribute__((vector_size(16)));
  Pair axis[3] = {};
};

/// What does not change from sweep to sweep: 256 bytes, for sweeps wait for memory most of all.
struct alignas(64) SweepRow {
  /// Along each axis: of body A its velocity and rotation, then of B.
  using Quad = double __attribute__((vector_size(32)));
  Quad along[3];     ///< velocity of the row by those of the bodies
  Quad response[3];  ///< of the bodies to an impulse
  double rhs, cfm, inverse_diagonal, diagonal;
  union {
    double lower;     ///< N s
    double friction;  ///< of a row of friction: times the impulse of its contact ...
  };
  union {
    double upper;
    std::size_t contact;  ///< ... which of all rows that is
  };
  /// Bytes from the first VelocityChange; to write: those of a body that does not move are where
  /// nobody reads.
  std::uint32_t a, b, write_a, write_b;
};
static_assert(sizeof(SweepRow) == 256);

class Sweeps {
 public:
  using Bodies = btAlignedObjectArray<btSolverBody>;

  /// Forgets all rows and takes what the bodies' velocities have changed by so far.
  void begin(const Bodies& bodies);
  /// Rows that are solved in this order, after those of earlier calls. They must stay where they are
  /// until end().
  void add_joints(btConstraintArray& rows) { add(rows, Limits::kOwn); }
  void add_contacts(btConstraintArray& rows) { add(rows, Limits::kContact); }
  /// Of the contacts that were added before.
  void add_friction(btConstraintArray& rows) { add(rows, Limits::kByImpulse); }
  void add_rolling_friction(btConstraintArray& rows) { add(rows, Limits::kByImpulseAtMostOne); }
  /// One sweep over all rows; the largest error that a row has removed, squared: (m/s)^2.
  double sweep();
  /// Writes impulses and velocities back.
  void end(Bodies& bodies) const;

 private:
  enum class Limits : std::uint8_t {
    kOwn,
    kContact,            ///< pushes only
    kByImpulse,          ///< friction times the impulse of the contact
    kByImpulseAtMostOne  ///< the same, with an impulse of at most 1 N s: Bullet's rolling friction
  };
  struct Pass {
    std::size_t begin, end;  ///< in rows_
    Limits limits;
  };

  void add(btConstraintArray& rows, Limits limits);
  /// Sorts rows by levels: level_ of each row, begin_of_level_ of those there are.
  void find_levels(const btConstraintArray& rows);

  const Bodies* bodies_ = nullptr;
  std::vector<char> moves_;              ///< of each body
  std::vector<VelocityChange> changes_;  ///< and one that nobody reads
  std::vector<SweepRow> rows_;
  std::vector<double> impulses_;          ///< of each row, N s
  std::vector<btSolverConstraint*> of_;  ///< Bullet's
  std::vector<Pass> passes_;
  std::vector<std::size_t> contacts_;  ///< where in rows_ those of Bullet's contacts are
  std::vector<int> level_of_body_;       ///< of its next row
  std::vector<int> level_, begin_of_level_;
};

}  // namespace protobeam::physics
