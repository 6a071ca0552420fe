// Node types that Webots knows and we do not simulate: files that use them load, with a warning.
// Those that extend Solid stay as plain Solids with their children and shapes (cameras keep their
// fields too, for the viewer); others are left out. Where a plugin has the type, its table counts.
#include "wbt/node_tables.h"

namespace protobeam::wbt {
namespace {

constexpr const char* kMeaning = "Known from Webots; not simulated.";

void add(SchemaRegistry& schemas, const char* name, const char* base,
         std::vector<FieldSpec> fields) {
  schemas.add({name, base, kMeaning, std::move(fields), true});
}

FieldSpec text(const char* name, const char* value) { return {name, kString, value, "", {}, ""}; }
FieldSpec texts(const char* name) { return {name, kStrings, "[ ]", "", {}, ""}; }
FieldSpec number(const char* name, const char* value) { return {name, kFloat, value, "", {}, ""}; }
FieldSpec whole(const char* name, const char* value) { return {name, kInt, value, "", {}, ""}; }
FieldSpec flag(const char* name, const char* value) { return {name, kBool, value, "", {}, ""}; }
FieldSpec child(const char* name) { return {name, kNode, "NULL", "", {}, ""}; }
FieldSpec nodes(const char* name) { return {name, kNodes, "[ ]", "", {}, ""}; }
FieldSpec vec2(const char* name, const char* value) { return {name, kVec2, value, "", {}, ""}; }
FieldSpec vec3(const char* name, const char* value) { return {name, kVec3, value, "", {}, ""}; }
FieldSpec vec3s(const char* name) { return {name, kVec3s, "[ ]", "", {}, ""}; }
FieldSpec color(const char* name, const char* value) { return {name, kColor, value, "", {}, ""}; }
FieldSpec colors(const char* name) { return {name, kColors, "[ ]", "", {}, ""}; }

void add_imagers(SchemaRegistry& schemas) {
  add(schemas, "Camera", "Solid",
      {text("name", "\"camera\""),
       number("fieldOfView", "0.7854"),
       whole("width", "64"),
       whole("height", "64"),
       text("projection", "\"planar\""),
       flag("spherical", "FALSE"),
       number("near", "0.01"),
       number("far", "0"),
       number("exposure", "1"),
       flag("antiAliasing", "FALSE"),
       number("ambientOcclusionRadius", "0"),
       number("bloomThreshold", "-1"),
       number("motionBlur", "0"),
       number("noise", "0"),
       text("noiseMaskUrl", "\"\""),
       child("lens"),
       child("focus"),
       child("zoom"),
       child("recognition"),
       child("lensFlare"),
       text("type", "\"color\""),
       text("compositor", "\"\""),
       vec2("windowPosition", "0 0"),
       number("pixelSize", "1"),
       number("colorNoise", "0")});
  add(schemas, "RangeFinder", "Solid",
      {text("name", "\"range-finder\""), number("fieldOfView", "0.7854"), whole("width", "64"),
       whole("height", "64"), text("projection", "\"planar\""), flag("spherical", "FALSE"),
       number("near", "0.01"), number("minRange", "0.01"), number("maxRange", "1"),
       number("motionBlur", "0"), number("noise", "0"), number("resolution", "-1"), child("lens"),
       text("compositor", "\"\""), vec2("windowPosition", "0 0"), number("pixelSize", "1")});
  add(schemas, "Radar", "Solid",
      {text("name", "\"radar\""), number("minRange", "1"), number("maxRange", "50"),
       number("horizontalFieldOfView", "0.78"), number("verticalFieldOfView", "0.1"),
       number("minAbsoluteRadialSpeed", "0"), number("minRadialSpeed", "1"),
       number("maxRadialSpeed", "-1"), number("cellDistance", "0"), number("cellSpeed", "0"),
       number("rangeNoise", "0"), number("speedNoise", "0"), number("angularNoise", "0"),
       number("antennaGain", "20"), number("frequency", "24"), number("transmittedPower", "1"),
       number("minDetectableSignal", "-100"), flag("occlusion", "FALSE")});
  const Range not_negative = Range::at_least(0);
  schemas.add({"Focus",
               "",
               "What a camera is focused on. It is told to controllers; images are sharp everywhere.",
               {{"focalDistance", kFloat, "0", "m", not_negative, "Distance that it starts with"},
                {"focalLength", kFloat, "0", "m", not_negative, "Of the lens"},
                {"maxFocalDistance", kFloat, "0", "m", not_negative, "Farthest that can be set"},
                {"minFocalDistance", kFloat, "0", "m", not_negative, "Nearest that can be set"}}});
  schemas.add({"Lens",
               "",
               "Distortion of an image, which moves what it shows: with (x, y) from the centre in widths "
               "and heights of the image and r2 = x2 + y2, the inverse of Brown's model as Webots has it.",
               {{"center", kVec2, "0.5 0.5", "", {}, "Centre: from the left, from below"},
                {"radialCoefficients", kVec2, "0 0", "", {}, "Of r2 and r4"},
                {"tangentialCoefficients", kVec2, "0 0", "", {}, "Brown's p1 and p2"}}});
  schemas.add({"Zoom",
               "",
               "The fields of view that a camera can be set to.",
               {{"maxFieldOfView", kFloat, "1.5", "rad", Range::positive(), "Widest"},
                {"minFieldOfView", kFloat, "0.5", "rad", Range::positive(), "Narrowest"}}});
  add(schemas, "LensFlare", "",
      {number("transparency", "0.4"), number("scale", "1.5"), number("bias", "-0.9"),
       number("dispersal", "0.6"), number("haloWidth", "0.4"), number("chromaDistortion", "2"),
       whole("samples", "5"), whole("blurIterations", "2")});
  schemas.add({"Recognition",
               "",
               "Makes a camera find the Solids that have recognitionColors.",
               {{"maxRange", kFloat, "100", "m", not_negative, "Objects that are farther are not found"},
                {"maxObjects", kInt, "-1", "", Range::between(0, 4096).or_special(-1),
                 "The largest in the image, when there are more; -1: 256"},
                {"occlusion", kInt, "1", "", Range::between(0, 2),
                 "0: sees through everything; 1: the middle of an object must be visible; 2: the box of "
                 "the pixels that show it"},
                without_effect({"frameColor", kColor, "1 0 0", "", Range::between(0, 1),
                                "Of frames in a window"}),
                without_effect({"frameThickness", kInt, "1", "", {}, "Of frames in a window"}),
                {"segmentation", kBool, "FALSE", "", {},
                 "There is a second image with the first recognitionColors of what each pixel shows"},
                // Ours; Webots' programs switch recognition on.
                {"fromStart", kBool, "FALSE", "", {},
                 "With each image objects are found, and segments with segmentation, without a program"},
                {"boxes", kString, "\"visible\"", "", {},
                 "Boxes with occlusion 2: of the pixels that show an object, or of all of it once one "
                 "does; oriented: that, and its box in its own axes",
                 "visible|full|oriented"},
                {"segmentationColors", kString, "\"recognitionColors\"", "", {},
                 "Or a colour for each label, or for each instance of it; labels are models that are "
                 "numbers from 1 to 255",
                 "recognitionColors|labels|instances"}}});
}

void add_other_devices(SchemaRegistry& schemas) {
  const FieldSpec table = vec3s("lookupTable");
  const FieldSpec resolution = number("resolution", "-1");
  add(schemas, "Compass", "Solid",
      {text("name", "\"compass\""), table, flag("xAxis", "TRUE"), flag("yAxis", "TRUE"),
       flag("zAxis", "TRUE"), resolution});
  add(schemas, "Altimeter", "Solid",
      {text("name", "\"altimeter\""), number("accuracy", "0"), resolution});
  add(schemas, "LightSensor", "Solid",
      {text("name", "\"light sensor\""), table, color("colorFilter", "1 1 1"),
       flag("occlusion", "FALSE"), resolution});
  add(schemas, "LED", "Solid",
      {text("name", "\"led\""), colors("color"), flag("gradual", "FALSE")});
  add(schemas, "Speaker", "Solid", {text("name", "\"speaker\"")});
  add(schemas, "Microphone", "Solid",
      {text("name", "\"microphone\""), number("aperture", "-1"), number("sensitivity", "-50")});
  add(schemas, "Pen", "Solid",
      {text("name", "\"pen\""), color("inkColor", "0 0 0"), number("inkDensity", "0.5"),
       number("leadSize", "0.002"), number("maxDistance", "0"), flag("write", "TRUE")});
  add(schemas, "Muscle", "",
      {text("name", "\"muscle\""), number("volume", "0.01"), vec3("startOffset", "0 0 0"),
       vec3("endOffset", "0 0 0"), colors("color"), flag("castShadows", "TRUE"),
       flag("visible", "TRUE")});
}

void add_things(SchemaRegistry& schemas) {
  add(schemas, "Skin", "Pose",
      {vec3("scale", "1 1 1"), text("name", "\"skin\""), text("model", "\"\""), texts("modelUrl"),
       nodes("appearance"), nodes("bones"), flag("castShadows", "TRUE")});
  add(schemas, "Billboard", "Group", {});
}

}  // namespace

void add_webots_nodes(SchemaRegistry& schemas) {
  add_imagers(schemas);
  add_other_devices(schemas);
  add_things(schemas);
}

}  // namespace protobeam::wbt
