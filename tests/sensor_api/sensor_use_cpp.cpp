// Calls each function of the C++ classes Camera, RangeFinder, Compass, LightSensor and Radar.
#include <cmath>
#include <cstring>
#include <iostream>
#include <webots/Camera.hpp>
#include <webots/Compass.hpp>
#include <webots/LightSensor.hpp>
#include <webots/Node.hpp>
#include <webots/Radar.hpp>
#include <webots/RangeFinder.hpp>
#include <webots/Robot.hpp>

namespace {

int failures = 0;

void check_line(bool good, int line, const char* what) {
  if (good) return;
  std::cout << "line " << line << ": " << what << std::endl;
  ++failures;
}
#define check(condition) check_line((condition), __LINE__, #condition)

bool near(double a, double b) { return std::abs(a - b) < 1e-6; }

void use_camera(webots::Robot& robot) {
  webots::Camera* camera = robot.getCamera("camera");
  check(camera->getNodeType() == webots::Node::CAMERA);
  camera->enable(32);
  check(camera->getSamplingPeriod() == 32);
  check(camera->getWidth() == 60 && camera->getHeight() == 40);
  check(near(camera->getFov(), 1) && near(camera->getMinFov(), 0.5) && near(camera->getMaxFov(), 1.2));
  check(near(camera->getNear(), 0.02) && near(camera->getExposure(), 1));
  check(near(camera->getFocalLength(), 0.01) && near(camera->getFocalDistance(), 1));
  check(near(camera->getMinFocalDistance(), 0.5) && near(camera->getMaxFocalDistance(), 2));
  check(camera->hasRecognition() && camera->hasRecognitionSegmentation());
  camera->recognitionEnable(32);
  check(camera->getRecognitionSamplingPeriod() == 32);
  camera->enableRecognitionSegmentation();
  check(camera->isRecognitionSegmentationEnabled());
  check(camera->getImage() == nullptr && camera->getRecognitionSegmentationImage() == nullptr);
  robot.step(32);
  robot.step(32);
  const unsigned char* image = camera->getImage();
  check(image != nullptr);
  if (image) {
    check(webots::Camera::imageGetRed(image, 60, 30, 20) > 200);
    check(webots::Camera::imageGetGreen(image, 60, 30, 20) < 50);
    check(webots::Camera::imageGetBlue(image, 60, 30, 20) < 50);
    check(webots::Camera::imageGetGray(image, 60, 30, 0) == 0);
    check(webots::Camera::imageGetGrey(image, 60, 30, 20) > 60);
  }
  check(camera->getRecognitionNumberOfObjects() == 1);
  const webots::CameraRecognitionObject* objects = camera->getRecognitionObjects();
  check(objects && std::strcmp(objects[0].model, "red cube") == 0 && near(objects[0].position[0], 2));
  const unsigned char* segments = camera->getRecognitionSegmentationImage();
  check(segments && segments[4 * (20 * 60 + 30) + 2] == 255);
  check(camera->saveImage("image_cpp.png", 100) == 0);
  check(camera->saveImage("image_cpp.JPG", 95) == 0);
  check(camera->saveRecognitionSegmentationImage("segments_cpp.png", 100) == 0);
  camera->setFov(0.6);
  camera->setExposure(0.5);
  camera->setFocalDistance(1.5);
  check(near(camera->getFov(), 0.6) && near(camera->getExposure(), 0.5));
  check(near(camera->getFocalDistance(), 1.5));
  camera->disableRecognitionSegmentation();
  camera->recognitionDisable();
  check(!camera->isRecognitionSegmentationEnabled() && camera->getRecognitionSamplingPeriod() == 0);
  camera->disable();
  check(camera->getSamplingPeriod() == 0);
}

void use_range_finder(webots::Robot& robot) {
  webots::RangeFinder* finder = robot.getRangeFinder("range-finder");
  check(finder->getNodeType() == webots::Node::RANGE_FINDER);
  finder->enable(32);
  check(finder->getSamplingPeriod() == 32);
  check(finder->getWidth() == 20 && finder->getHeight() == 10 && near(finder->getFov(), 0.1));
  check(near(finder->getMinRange(), 0.1) && near(finder->getMaxRange(), 5));
  check(finder->getRangeImage() == nullptr);
  robot.step(32);
  const float* depths = finder->getRangeImage();
  check(depths && webots::RangeFinder::rangeImageGetDepth(depths, 20, 10, 5) < 1.85f);
  check(finder->saveImage("depth_cpp.png", 100) == 0);
  check(finder->saveImage("depth_cpp.jpeg", 100) == 0);
  check(finder->saveImage("depth_cpp.hdr", 100) == 0);
  finder->disable();
  check(finder->getSamplingPeriod() == 0);
}

void use_others(webots::Robot& robot) {
  webots::Compass* compass = robot.getCompass("compass");
  webots::LightSensor* light = robot.getLightSensor("light sensor");
  webots::Radar* radar = robot.getRadar("radar");
  check(compass->getNodeType() == webots::Node::COMPASS);
  check(light->getNodeType() == webots::Node::LIGHT_SENSOR);
  check(radar->getNodeType() == webots::Node::RADAR);
  compass->enable(32);
  light->enable(32);
  radar->enable(32);
  check(compass->getSamplingPeriod() == 32 && light->getSamplingPeriod() == 32 &&
        radar->getSamplingPeriod() == 32);
  check(compass->getLookupTableSize() == 0 && light->getLookupTableSize() == 2);
  compass->getLookupTable();
  check(near(light->getLookupTable()[4], 1000));
  check(near(radar->getMinRange(), 0.5) && near(radar->getMaxRange(), 50));
  check(near(radar->getHorizontalFov(), 0.78) && near(radar->getVerticalFov(), 0.1));
  robot.step(32);
  check(compass->getValues() && near(compass->getValues()[1], 1));
  check(near(light->getValue(), 500));
  check(radar->getNumberOfTargets() == 1);
  check(radar->getTargets() && std::abs(radar->getTargets()[0].distance - 2) < 1e-6);
  compass->disable();
  light->disable();
  radar->disable();
  check(compass->getSamplingPeriod() == 0 && light->getSamplingPeriod() == 0 &&
        radar->getSamplingPeriod() == 0);
}

}  // namespace

int main() {
  webots::Robot robot;
  use_camera(robot);
  use_range_finder(robot);
  use_others(robot);
  return failures ? 1 : 0;
}
