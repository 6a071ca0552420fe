#include "camera_declaration.h"

#include "render/projection.h"

namespace protobeam {
namespace {

using enum FieldType;

std::vector<FieldSpec> camera_fields() {
  const Range not_negative = Range::at_least(0);
  std::vector<FieldSpec> fields = {
      {"name", kString, "\"camera\"", "", {}, "Name"},
      {"far", kFloat, "0", "m", not_negative, "What is farther is not seen; 0: no limit"},
      {"exposure", kFloat, "1", "", not_negative,
       "Light is multiplied by it; the response is that of Webots' cameras"},
      {"antiAliasing", kBool, "FALSE", "", {}, "antiAliasingRays rays a pixel instead of one"},
      {"antiAliasingRays", kInt32, "9", "", Range::between(4, 256),
       "Rays a pixel with antiAliasing: the next square is taken"},
      {"rowTime", kFloat, "0", "s", not_negative,
       "From one row to the next: a rolling shutter; 0: all rows at once"},
      {"pixelFormat", kString, "\"bgra8\"", "", {},
       "What the image is made of; bayer_rggb8 has red in its first pixel",
       "bgra8|mono8|bayer_rggb8"},
      {"noise", kFloat, "0", "", not_negative,
       "Standard deviation of each colour of a pixel, in parts of the brightest"},
      {"sensorModel", kString, "\"webots\"", "", {},
       "Webots' curved response with `noise`, or the linear sensor of EMVA 1288 with the fields below",
       "webots|emva1288"},
      {"responsivity", kFloat, "10000", "electrons", Range::positive(),
       "Electrons of a pixel in light of 1 with exposure 1"},
      {"saturationCapacity", kFloat, "10000", "electrons", Range::positive(), "Of a pixel"},
      {"darkNoise", kFloat, "0", "electrons", not_negative, "Standard deviation without light"},
      {"darkCurrent", kFloat, "0", "electrons/s", not_negative, "Electrons without light"},
      {"exposureTime", kFloat, "0.01", "s", not_negative, "In which they come together"},
      {"dsnu", kFloat, "0", "electrons", not_negative,
       "Standard deviation of the pixels' constant offsets"},
      {"prnu", kFloat, "0", "", not_negative,
       "Standard deviation of the pixels' constant gains, of which the mean is 1"},
      {"systemGain", kFloat, "0.0255", "1/electron", Range::positive(), "Numbers an electron"},
      {"blackLevel", kFloat, "0", "", not_negative, "Number without light"},
      {"bitDepth", kInt32, "8", "", Range::between(8, 16),
       "Of the sensor's numbers; images have their upper 8"},
      without_effect({"ambientOcclusionRadius", kFloat, "0", "m", not_negative, "Soft shadows"}),
      without_effect({"bloomThreshold", kFloat, "-1", "", {}, "Glow of bright pixels"}),
      {"motionBlur", kFloat, "0", "ms", not_negative,
       "After so long an image has 1 % of what it showed before"},
      without_effect({"noiseMaskUrl", kString, "\"\"", "", {}, "Noise of a picture"}),
      {"focus", kNode, "NULL", "", {}, "What it is focused on", "Focus"},
      {"zoom", kNode, "NULL", "", {}, "Which fields of view can be set", "Zoom"},
      {"recognition", kNode, "NULL", "", {}, "Finds the Solids with recognitionColors", "Recognition"},
      without_effect({"lensFlare", kNode, "NULL", "", {}, "Reflections within the lens", "LensFlare"}),
      without_effect({"type", kString, "\"color\"", "", {}, "Before R2021a"}),
      without_effect({"compositor", kString, "\"\"", "", {}, "Before R2020a"}),
      without_effect({"windowPosition", kVec2f, "0 0", "", {}, "Before R2020a"}),
      without_effect({"pixelSize", kFloat, "1", "", {}, "Before R2020a"}),
      without_effect({"colorNoise", kFloat, "0", "", {}, "Before R2020a"})};
  const auto shared = render::image_fields();
  fields.insert(fields.begin() + 1, shared.begin(), shared.end());
  return fields;
}

std::vector<ChannelSpec> camera_channels() {
  using enum ElementType;
  return {
      {"image", kUint8, {"height", "width", "channels"}, "", "device", "",
       "blue, green, red, alpha (255) of each pixel, or what pixelFormat says; rows from the top"},
      {"objects", kRecord, {"maxObjects"}, "", "device", "",
       "the first `objectCount` that were recognised",
       {{"positionX", kFloat64, "m"},
        {"positionY", kFloat64, "m"},
        {"positionZ", kFloat64, "m"},
        {"axisX", kFloat64, ""},
        {"axisY", kFloat64, ""},
        {"axisZ", kFloat64, ""},
        {"angle", kFloat64, "rad"},
        {"width", kFloat64, "m"},
        {"height", kFloat64, "m"},
        {"id", kInt32, ""},
        {"column", kInt32, ""},
        {"row", kInt32, ""},
        {"columns", kInt32, ""},
        {"rows", kInt32, ""},
        {"colors", kInt32, ""}}},
      {"objectColors", kFloat64, {"maxObjects", kMostObjectColors, 3}, "", "", "",
       "recognitionColors of each, red, green, blue"},
      {"objectModels", kUint8, {"maxObjects", kLongestModel}, "", "", "", "field model of each, text"},
      {"objectCount", kInt32, {}, "", "", "", "objects that were recognised"},
      {"segmentation", kUint8, {"segmentationHeight", "segmentationWidth", 4}, "", "device", "",
       "blue, green, red, alpha (255): first of the recognitionColors of what each pixel shows, or "
       "what segmentationColors says; black: none"},
      {"stamp", kFloat64, {}, "s", "", "", "when the image was taken; its first row with rowTime"},
      {"orientedBoxes", kFloat64, {"maxOrientedBoxes", 6}, "m", "device", "",
       "of each object: middle of the box around its Shapes, and its size along the object's axes"}};
}

}  // namespace

DeviceType camera_declaration() {
  const Range not_negative = Range::at_least(0), flag = Range::between(0, 1);
  return {
      .node = {"Camera", "Device", "A colour camera.", camera_fields()},
      .channels = camera_channels(),
      .commands = {{"fov",
                    {{"fov", "rad", Range::positive()}},
                    "Sets the horizontal field of view"},
                   {"exposure", {{"exposure", "", not_negative}}, "Sets the exposure"},
                   {"focal distance", {{"distance", "m", not_negative}}, "Sets the focus"},
                   {"recognition",
                    {{"period", "s", not_negative}},
                    "Recognises objects with this period; 0: no longer"},
                   {"segmentation", {{"on", "", flag}}, "Starts or stops the segmentation image"},
                   {"image period",
                    {{"period", "s", not_negative}},
                    "Takes images with this period; 0: with each sample"}},
      .properties = {{"width", "", "pixels of a row"},
                     {"height", "", "rows"},
                     {"channels", "", "bytes of a pixel"},
                     {"fov", "rad", "horizontal field of view at the start"},
                     {"minFov", "rad", "narrowest that can be set"},
                     {"maxFov", "rad", "widest that can be set"},
                     {"near", "m", "nearest distance that is seen"},
                     {"far", "m", "farthest; 0: no limit"},
                     {"exposure", "", "exposure at the start"},
                     {"focalLength", "m", "of the lens; 0: unknown"},
                     {"focalDistance", "m", "focus at the start"},
                     {"minFocalDistance", "m", "nearest focus"},
                     {"maxFocalDistance", "m", "farthest focus"},
                     {"lens", "", "pinhole, Lens, cylindrical or spherical, or the lensModel"},
                     {"intrinsics", "", "fx fy cx cy of a lensModel, pixels"},
                     {"distortion", "", "coefficients of a lensModel"},
                     {"recognition", "", "1 with a Recognition node"},
                     {"maxObjects", "", "most objects in a sample"},
                     {"segmentationWidth", "",
                      "pixels of a row of the segmentation; 0: there is none"},
                     {"segmentationHeight", "", "its rows"},
                     {"maxOrientedBoxes", "", "most oriented boxes in a sample"}},
      .inputs = {Input::kVisibleRays, Input::kAppearance, Input::kHousing},
      .concurrent = true,
      .webots_node = 38,
  };
}

}  // namespace protobeam
