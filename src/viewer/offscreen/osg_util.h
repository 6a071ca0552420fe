// Poses as OSG's types, and OSG's messages in our log.
#pragma once

#include <osg/Matrixd>
#include <osg/Vec3d>
#include <osg/Vec4>

#include "base/math.h"

namespace protobeam::viewer {

inline osg::Vec3d osg_vector(const Vec3& v) { return {v.x(), v.y(), v.z()}; }

inline osg::Quat osg_rotation(const Quat& R) { return {R.x(), R.y(), R.z(), R.w()}; }

/// Takes coordinates in B to coordinates in A. OSG multiplies rows from the left.
inline osg::Matrixd osg_matrix(const Pose& X_AB) {
  osg::Matrixd m;
  m.makeRotate(osg_rotation(X_AB.R));
  m.setTrans(osg_vector(X_AB.p));
  return m;
}

/// World to eye coordinates (x right, y up, looks along -z) of a camera that looks along +x of C.
inline osg::Matrixd view_matrix(const Pose& X_WC) {
  const osg::Matrixd eye_from_camera(0, 0, -1, 0,  //
                                     -1, 0, 0, 0,  //
                                     0, 1, 0, 0,   //
                                     0, 0, 0, 1);
  return osg_matrix(X_WC.inverse()) * eye_from_camera;
}

/// OSG prints on stdout and stderr by itself. After this call its warnings are debug lines of the
/// log. Any number of calls, from any thread.
void quiet_osg();

}  // namespace protobeam::viewer
