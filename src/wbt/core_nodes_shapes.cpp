// Shapes: how things look and where their surfaces are.
#include "wbt/node_tables.h"

namespace protobeam::wbt {
namespace {

void add_appearances(SchemaRegistry& schemas) {
  const Range unit = Range::between(0, 1);
  // Ours; Webots has no word for what a lidar's intensity depends on. See docs/lidar-models.md.
  const FieldSpec lidar_reflectance{
      "lidarReflectance", kFloat, "-1", "", unit.or_special(-1),
      "Share of a lidar's light that is scattered evenly; -1: by rule from the look"};
  const FieldSpec lidar_retroreflectance{
      "lidarRetroreflectance", kFloat, "0", "", Range::at_least(0),
      "Light back to a lidar, in that of a white wall: about 200 to 2000 for road signs"};
  schemas.add(
      {"Appearance",
       "",
       "Look of a shape, the old way.",
       {{"material", kNode, "NULL", "", {}, "Colours", "Material"},
        {"texture", kNode, "NULL", "", {}, "Picture on the surface", "ImageTexture"},
        {"textureTransform", kNode, "NULL", "", {}, "How the picture lies", "TextureTransform"},
        {"name", kString, "\"appearance\"", "", {}, "Name"},
        lidar_reflectance,
        lidar_retroreflectance}});
  schemas.add({"Material",
               "",
               "Colours of an Appearance.",
               {{"ambientIntensity", kFloat, "0.2", "", unit, "Share of ambient light"},
                {"diffuseColor", kColor, "0.8 0.8 0.8", "", unit, "Colour"},
                {"emissiveColor", kColor, "0 0 0", "", unit, "Colour of its own light"},
                {"shininess", kFloat, "0.2", "", unit, "Sharpness of highlights"},
                {"specularColor", kColor, "0 0 0", "", unit, "Colour of highlights"},
                {"transparency", kFloat, "0", "", unit, "1: invisible"}}});
  const auto map = [](const char* name, const char* meaning) {
    return FieldSpec{name, kNode, "NULL", "", {}, meaning, "ImageTexture"};
  };
  schemas.add(
      {"PBRAppearance",
       "",
       "Look of a shape by physical properties.",
       {{"baseColor", kColor, "1 1 1", "", unit, "Colour"},
        map("baseColorMap", "Picture of the colour"),
        {"transparency", kFloat, "0", "", unit, "1: invisible"},
        {"roughness", kFloat, "0", "", unit, "0: mirror, 1: chalk"},
        map("roughnessMap", "Picture of the roughness"),
        {"metalness", kFloat, "1", "", unit, "0: insulator, 1: metal"},
        map("metalnessMap", "Picture of the metalness"),
        {"IBLStrength", kFloat, "1", "", Range::at_least(0), "Share of the background's light"},
        map("normalMap", "Picture of small bumps"),
        {"normalMapFactor", kFloat, "1", "", Range::at_least(0), "Strength of the bumps"},
        map("occlusionMap", "Picture of shaded corners"),
        {"occlusionMapStrength", kFloat, "1", "", Range::at_least(0), "Strength of the shade"},
        {"emissiveColor", kColor, "0 0 0", "", unit, "Colour of its own light"},
        map("emissiveColorMap", "Picture of its own light"),
        {"emissiveIntensity", kFloat, "1", "", Range::at_least(0), "Strength of its own light"},
        {"textureTransform", kNode, "NULL", "", {}, "How the pictures lie", "TextureTransform"},
        {"name", kString, "\"PBRAppearance\"", "", {}, "Name"},
        lidar_reflectance,
        lidar_retroreflectance,
        ignored(map("environmentMap", "Before R2019b: reflected surroundings"))}});
  schemas.add({"ImageTexture",
               "",
               "A picture file.",
               {{"url", kStrings, "[ ]", "", {}, "File, relative to the text that names it"},
                {"repeatS", kBool, "TRUE", "", {}, "Repeats across"},
                {"repeatT", kBool, "TRUE", "", {}, "Repeats upwards"},
                {"filtering", kInt, "4", "", Range::between(0, 5), "Smoothing at a distance"}}});
  schemas.add({"TextureTransform",
               "",
               "How a picture lies on a surface.",
               {{"center", kVec2, "0 0", "", {}, "Centre of rotation and scale"},
                {"rotation", kFloat, "0", "rad", {}, "Turn"},
                {"scale", kVec2, "1 1", "", {}, "Factor"},
                {"translation", kVec2, "0 0", "", {}, "Shift"}}});
}

void add_round_shapes(SchemaRegistry& schemas) {
  const Range positive = Range::positive();
  const FieldSpec bottom{"bottom", kBool, "TRUE", "", {}, "With the lower end"};
  const FieldSpec side{"side", kBool, "TRUE", "", {}, "With the side"};
  const FieldSpec top{"top", kBool, "TRUE", "", {}, "With the upper end"};
  const auto subdivision = [](const char* value, double min) {
    return FieldSpec{"subdivision",
                     kInt,
                     value,
                     "",
                     Range::at_least(min),
                     "Facets around; the more, the rounder"};
  };
  schemas.add({"Sphere",
               "",
               "A ball about the origin.",
               {{"radius", kFloat, "1", "m", positive, "Radius"},
                {"subdivision", kInt, "1", "", Range::at_least(0), "The more, the rounder"},
                {"ico", kBool, "TRUE", "", {}, "Made of triangles of nearly one size"}}});
  schemas.add({"Cylinder",
               "",
               "A cylinder about the z axis, centred.",
               {{"height", kFloat, "2", "m", positive, "Length along z"},
                {"radius", kFloat, "1", "m", positive, "Radius"},
                bottom,
                side,
                top,
                subdivision("36", 3)}});
  schemas.add({"Capsule",
               "",
               "A cylinder about the z axis with half balls at its ends.",
               {{"height", kFloat, "2", "m", positive, "Length of the cylinder, without the caps"},
                {"radius", kFloat, "1", "m", positive, "Radius"},
                bottom,
                side,
                top,
                subdivision("12", 3)}});
  schemas.add({"Cone",
               "",
               "A cone about the z axis, its tip up, centred.",
               {{"bottomRadius", kFloat, "1", "m", positive, "Radius of the base"},
                {"height", kFloat, "2", "m", positive, "Length along z"},
                side,
                bottom,
                subdivision("12", 3)}});
}

void add_face_sets(SchemaRegistry& schemas) {
  const FieldSpec coord{"coord", kNode, "NULL", "", {}, "The points", "Coordinate"};
  const FieldSpec color{"color", kNode, "NULL", "", {}, "Colour of each point", "Color"};
  schemas.add(
      {"Coordinate", "", "A list of points.", {{"point", kVec3s, "[ ]", "m", {}, "The points"}}});
  schemas.add({"Normal",
               "",
               "A list of directions.",
               {{"vector", kVec3s, "[ ]", "", {}, "The directions"}}});
  schemas.add({"TextureCoordinate",
               "",
               "A list of places on a picture.",
               {{"point", kVec2s, "[ ]", "", {}, "The places, 0..1"}}});
  schemas.add({"Color",
               "",
               "A list of colours.",
               {{"color", kColors, "[ ]", "", Range::between(0, 1), "The colours"}}});
  schemas.add(
      {"IndexedFaceSet",
       "",
       "Faces between points.",
       {coord,
        {"normal", kNode, "NULL", "", {}, "Directions of the surface", "Normal"},
        {"texCoord", kNode, "NULL", "", {}, "Places on the picture", "TextureCoordinate"},
        {"solid", kBool, "TRUE", "", {}, "Kept from VRML97"},
        {"ccw", kBool, "TRUE", "", {}, "Corners run counterclockwise seen from outside"},
        {"convex", kBool, "TRUE", "", {}, "No face has a dent"},
        {"normalPerVertex", kBool, "TRUE", "", {}, "A direction for each corner, not each face"},
        {"coordIndex", kInts, "[ ]", "", Range::at_least(-1), "Corners of each face, then -1"},
        {"normalIndex", kInts, "[ ]", "", Range::at_least(-1), "Directions at the corners"},
        {"texCoordIndex", kInts, "[ ]", "", Range::at_least(-1), "Picture places at the corners"},
        {"creaseAngle", kFloat, "0", "rad", Range::at_least(0),
         "Edges flatter than this look smooth"}}});
  schemas.add(
      {"IndexedLineSet",
       "",
       "Lines between points for the eye; sensors do not see them.",
       {coord,
        {"coordIndex", kInts, "[ ]", "", Range::at_least(-1), "Points of each line, then -1"}}});
  schemas.add({"PointSet", "", "Dots; sensors do not see them.", {coord, color}});
}

}  // namespace

void add_shape_nodes(SchemaRegistry& schemas) {
  const FieldSpec shadows{"castShadows", kBool, "TRUE", "", {}, "Throws shadows"};
  const FieldSpec pickable{"isPickable", kBool, "TRUE", "", {}, "Can be picked with a mouse"};
  schemas.add({"Shape",
               "",
               "A surface with a look.",
               {{"appearance", kNode, "NULL", "", {}, "The look", "Appearance|PBRAppearance"},
                {"geometry", kNode, "NULL", "", {}, "The surface", kGeometry},
                shadows,
                pickable}});
  schemas.add({"CadShape",
               "",
               "A mesh file with its own looks.",
               {{"url", kStrings, "[ ]", "", {}, "A .dae or .obj file"},
                {"ccw", kBool, "TRUE", "", {}, "Corners run counterclockwise seen from outside"},
                {"name", kString, "\"\"", "", {}, "Only the parts whose mesh or node is called so; empty: all"},
                shadows,
                pickable}});
  add_appearances(schemas);
  schemas.add({"Box",
               "",
               "A box, centred.",
               {{"size", kVec3, "2 2 2", "m", Range::positive(), "Lengths of its edges"}}});
  add_round_shapes(schemas);
  schemas.add({"Plane",
               "",
               "A rectangle in the plane z = 0; for collisions it has no end.",
               {{"size", kVec2, "1 1", "m", Range::positive(), "Lengths along x and y"}}});
  schemas.add(
      {"ElevationGrid",
       "",
       "A terrain: heights over a grid in x and y, its corner at the origin.",
       {{"height", kFloats, "[ ]", "m", {}, "Heights, x running fastest"},
        {"xDimension", kInt, "0", "", Range::at_least(0), "Grid points along x"},
        {"xSpacing", kFloat, "1", "m", Range::positive(), "Distance along x"},
        {"yDimension", kInt, "0", "", Range::at_least(0), "Grid points along y"},
        {"ySpacing", kFloat, "1", "m", Range::positive(), "Distance along y"},
        {"thickness", kFloat, "1", "m", Range::at_least(0), "Depth of the ground for collisions"},
        former({"zDimension", kInt, "0", "", Range::at_least(0), "Before R2022a"}, "yDimension"),
        former({"zSpacing", kFloat, "1", "m", Range::positive(), "Before R2022a"}, "ySpacing"),
        ignored({"color", kNode, "NULL", "", {}, "Before R2019b: colours", "Color"}),
        ignored(
            {"colorPerVertex", kBool, "TRUE", "", {}, "Before R2019b: of corners, not faces"})}});
  add_face_sets(schemas);
  schemas.add({"Mesh",
               "",
               "A mesh file.",
               {{"url", kStrings, "[ ]", "", {}, "A .dae, .stl or .obj file"},
                {"ccw", kBool, "TRUE", "", {}, "Corners run counterclockwise seen from outside"},
                {"name", kString, "\"\"", "", {}, "Only the parts whose mesh or node is called so; empty: all"},
                {"materialIndex", kInt, "-1", "", Range::at_least(-1),
                 "Only the parts with this material; -1: all"}}});
}

}  // namespace protobeam::wbt
