#ifndef WEBOTS_CAMERA_HPP
#define WEBOTS_CAMERA_HPP

#include <webots/camera.h>

#include <string>
#include <webots/Device.hpp>

namespace webots {

typedef WbCameraRecognitionObject CameraRecognitionObject;

class Camera : public Device {
 public:
  using Device::Device;

  virtual void enable(int samplingPeriod) { wb_camera_enable(tag(), samplingPeriod); }
  virtual void disable() { wb_camera_disable(tag()); }
  int getSamplingPeriod() const { return wb_camera_get_sampling_period(tag()); }

  const unsigned char* getImage() const { return wb_camera_get_image(tag()); }
  static unsigned char imageGetRed(const unsigned char* image, int width, int x, int y) {
    return wb_camera_image_get_red(image, width, x, y);
  }
  static unsigned char imageGetGreen(const unsigned char* image, int width, int x, int y) {
    return wb_camera_image_get_green(image, width, x, y);
  }
  static unsigned char imageGetBlue(const unsigned char* image, int width, int x, int y) {
    return wb_camera_image_get_blue(image, width, x, y);
  }
  static unsigned char imageGetGray(const unsigned char* image, int width, int x, int y) {
    return static_cast<unsigned char>(wb_camera_image_get_gray(image, width, x, y));
  }
  static unsigned char imageGetGrey(const unsigned char* image, int width, int x, int y) {
    return imageGetGray(image, width, x, y);
  }
  int getWidth() const { return wb_camera_get_width(tag()); }
  int getHeight() const { return wb_camera_get_height(tag()); }
  double getFov() const { return wb_camera_get_fov(tag()); }
  double getMaxFov() const { return wb_camera_get_max_fov(tag()); }
  double getMinFov() const { return wb_camera_get_min_fov(tag()); }
  virtual void setFov(double fov) { wb_camera_set_fov(tag(), fov); }
  double getExposure() const { return wb_camera_get_exposure(tag()); }
  virtual void setExposure(double exposure) { wb_camera_set_exposure(tag(), exposure); }
  double getFocalLength() const { return wb_camera_get_focal_length(tag()); }
  double getFocalDistance() const { return wb_camera_get_focal_distance(tag()); }
  double getMaxFocalDistance() const { return wb_camera_get_max_focal_distance(tag()); }
  double getMinFocalDistance() const { return wb_camera_get_min_focal_distance(tag()); }
  virtual void setFocalDistance(double distance) { wb_camera_set_focal_distance(tag(), distance); }
  double getNear() const { return wb_camera_get_near(tag()); }
  int saveImage(const std::string& filename, int quality) const {
    return wb_camera_save_image(tag(), filename.c_str(), quality);
  }

  bool hasRecognition() const { return wb_camera_has_recognition(tag()); }
  virtual void recognitionEnable(int samplingPeriod) { wb_camera_recognition_enable(tag(), samplingPeriod); }
  virtual void recognitionDisable() { wb_camera_recognition_disable(tag()); }
  int getRecognitionSamplingPeriod() const { return wb_camera_recognition_get_sampling_period(tag()); }
  int getRecognitionNumberOfObjects() const { return wb_camera_recognition_get_number_of_objects(tag()); }
  const CameraRecognitionObject* getRecognitionObjects() const {
    return wb_camera_recognition_get_objects(tag());
  }
  bool hasRecognitionSegmentation() const { return wb_camera_recognition_has_segmentation(tag()); }
  virtual void enableRecognitionSegmentation() { wb_camera_recognition_enable_segmentation(tag()); }
  virtual void disableRecognitionSegmentation() { wb_camera_recognition_disable_segmentation(tag()); }
  bool isRecognitionSegmentationEnabled() const {
    return wb_camera_recognition_is_segmentation_enabled(tag());
  }
  const unsigned char* getRecognitionSegmentationImage() const {
    return wb_camera_recognition_get_segmentation_image(tag());
  }
  int saveRecognitionSegmentationImage(const std::string& filename, int quality) const {
    return wb_camera_recognition_save_segmentation_image(tag(), filename.c_str(), quality);
  }
};

}  // namespace webots

#endif  // WEBOTS_CAMERA_HPP
