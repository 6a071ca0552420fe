#ifndef WEBOTS_CONTACT_POINT_H
#define WEBOTS_CONTACT_POINT_H

/* Where a Solid touches another one. */
typedef struct {
  double point[3]; /* m, in the world */
  int node_id;     /* of the Solid whose boundingObject it is */
} WbContactPoint;

#endif /* WEBOTS_CONTACT_POINT_H */
