#ifndef WEBOTS_CAMERA_RECOGNITION_OBJECT_H
#define WEBOTS_CAMERA_RECOGNITION_OBJECT_H

typedef struct {
  int id;
  double position[3];    /* m, in the camera's frame */
  double orientation[4]; /* axis and angle (rad), in the camera's frame */
  double size[2];        /* m, across and up */
  int position_on_image[2];
  int size_on_image[2];
  int number_of_colors;
  double* colors; /* three each, 0 to 1 */
  char* model;
} WbCameraRecognitionObject;

#endif /* WEBOTS_CAMERA_RECOGNITION_OBJECT_H */
