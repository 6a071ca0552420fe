// Models that are included, by the files that hold them.
#include <gmock/gmock.h>

#include <cstring>

#include "base/named_files.h"
#include "codec/image_bytes.h"
#include "tests/unit/sdf/world_text.h"

namespace protobeam::sdf {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

std::string box_model(const std::string& name, const std::string& more = {}) {
  return "<sdf version=\"1.6\">\n" + model(name, "<link name=\"a\"/>" + more) + "</sdf>";
}
std::string config(const std::string& sdf) { return "<model><name>x</name>" + sdf + "</model>"; }

class SdfFiles : public WorldTest {
 protected:
  void write(const std::string& file, const std::string& text) {
    std::filesystem::create_directories((folder_.path() / file).parent_path());
    folder_.write(file, text);
  }
  void write_model(const std::string& folder, const std::string& text) {
    write(folder + "/model.config", config("<sdf version=\"1.6\">model.sdf</sdf>"));
    write(folder + "/model.sdf", text);
  }
  AllowedFilesScope allowed_;
};

TEST_F(SdfFiles, ModelsAreIncludedWithAnotherNameAndPose) {
  write_model("models/crate", box_model("crate", "<pose>9 9 9 0 0 0</pose>"));
  const auto document = *read(world(
      "<include><uri>model://crate</uri></include>"
      "<include><uri>model://crate</uri><name>second</name><pose>1 2 3 0 0 0</pose><static>true"
      "</static></include><include><uri>models/crate</uri><name>third</name></include>"));
  EXPECT_THAT(numbers(node(document, "Solid", "crate"), "translation"), ElementsAre(9, 9, 9));
  EXPECT_TRUE(find(document.nodes.at(4), "Physics"));
  EXPECT_THAT(numbers(node(document, "Solid", "second"), "translation"), ElementsAre(1, 2, 3));
  EXPECT_FALSE(find(document.nodes.at(5), "Physics"));
  EXPECT_EQ(node(document, "Solid", "third").type, "Solid");
}

TEST_F(SdfFiles, SdfOneTwoIsOneThreeUnderAnotherRoot) {
  const std::string text = "<gazebo version=\"1.2\">" +
                           model("crate", "<pose>1 2 3 0 0 0</pose><link name=\"a\"/>") +
                           "</gazebo>";
  write_model("models/crate", text);
  node(*read(text), "Solid", "crate");
  EXPECT_EQ(diagnostics_.to_string(), "");
  const auto document = read(
      "<gazebo version='1.2'><world name=\"w\"><include><uri>model://crate</uri></include></world>"
      "</gazebo>");
  EXPECT_THAT(numbers(node(*document, "Solid", "crate"), "translation"), ElementsAre(1, 2, 3));
  EXPECT_EQ(diagnostics_.to_string(), "");
}

TEST_F(SdfFiles, APlacementFrameIsWhereThePoseIs) {
  write_model("models/crate", box_model("crate",
                                        "<frame name=\"top\"><pose>0 0 2 0 0 0</pose>"
                                        "</frame>"));
  const auto document =
      *read(world("<include><uri>model://crate</uri><placement_frame>top</placement_frame>"
                  "<pose>1 0 5 0 0 0</pose></include>"));
  EXPECT_THAT(numbers(node(document, "Solid", "crate"), "translation"), ElementsAre(1, 0, 3));
}

TEST_F(SdfFiles, MergedModelsArePartsOfTheirHolder) {
  write_model("models/arm",
              "<sdf version=\"1.9\">" +
                  model("arm", heavy("hand", 2, "1 0 0 0 0 0") +
                                   "<joint name=\"own\" type=\"fixed\"><parent>hand</parent><child>"
                                   "thumb</child></joint>" +
                                   heavy("thumb", 0.5, "1 1 0 0 0 0")) +
                  "</sdf>");
  load(world(model("m", heavy("body", 1, "0 0 0 0 0 0") +
                            "<include merge=\"true\"><uri>model://arm</uri><pose>0 0 5 0 0 0</pose>"
                            "</include><joint name=\"j\" type=\"fixed\"><parent>body</parent>"
                            "<child>hand</child></joint>")));
  EXPECT_EQ(diagnostics_.to_string(), "");
  EXPECT_DOUBLE_EQ(mass("m"), 3.5);
  EXPECT_LT((pose("thumb").p - Vec3(1, 1, 5)).norm(), 1e-9);
}

TEST_F(SdfFiles, LooksAreThoseOfTheirScripts) {
  write_model("models/sign", box_model("sign"));
  write("models/sign/materials/textures/stop.png", "");
  write("models/sign/materials/scripts/sign.material", R"(// of a sign
material Sign/Back : Sign/Front
{
  technique { pass { diffuse 0.1 0.2 0.3 0.5
    emissive 0 1 0 } }
}
material Sign/Front
{
  receive_shadows on  /* material Sign/None { } */
  technique
  {
    pass main
    {
      ambient 0.5 0.5 0.5 1
      texture_unit
      {
        texture stop.png
        scale 0.5 0.25
      }
    }
    pass later { diffuse 1 0 0
    }
  }
}
)");
  const auto look = [&](const std::string& name, const std::string& uris) {
    const auto document = read(world(
        model("m", heavy("b", 1, "0 0 0 0 0 0",
                         "<visual name=\"v\"><geometry><box/></geometry><material><script>" + uris +
                             "<name>" + name + "</name></script></material></visual>"))));
    return document ? node(*document, "PBRAppearance") : wbt::Node();
  };
  const std::string both =
      "<uri>model://sign/materials/scripts</uri><uri>model://sign/materials/textures/</uri>";
  const wbt::Node back = look("Sign/Back", both);
  EXPECT_THAT(numbers(back, "baseColor"), ElementsAre(0.1, 0.2, 0.3));
  EXPECT_THAT(numbers(back, "emissiveColor"), ElementsAre(0, 1, 0));
  EXPECT_THAT(numbers(back, "transparency"), ElementsAre(0.5));
  for (const std::string& uris :
       {both, std::string("<uri>model://sign/materials/scripts/sign.material</uri>")}) {
    const wbt::Node front = look("Sign/Front", uris);
    EXPECT_THAT(numbers(front, "baseColor"), ElementsAre(1, 1, 1));
    EXPECT_THAT(front.find("baseColorMap")->value.nodes.at(0)->find("url")->value.strings.at(0),
                testing::EndsWith("models/sign/materials/textures/stop.png"));
    EXPECT_THAT(numbers(*front.find("textureTransform")->value.nodes.at(0), "scale"),
                ElementsAre(2, 4));
    EXPECT_EQ(diagnostics_.to_string(), "");
  }
  look("Sign/None", both);
  EXPECT_THAT(
      diagnostics_.to_string(),
      HasSubstr("the <script> 'Sign/None' of a <material> has no effect; the shape is grey"));
  look("Gazebo/Greeen", both);
  EXPECT_THAT(diagnostics_.to_string(), HasSubstr("did you mean 'Gazebo/Green'?"));
}

TEST_F(SdfFiles, AScriptWithoutANameIsCalledAsItsTextSays) {
  const auto document = *read(world(
      model("m", heavy("b", 1, "0 0 0 0 0 0",
                       "<visual name=\"v\"><geometry><box/></geometry><material><script>Gazebo/Blue"
                       "</script></material></visual>"))));
  EXPECT_THAT(numbers(node(document, "PBRAppearance"), "baseColor"), ElementsAre(0, 0, 1));
  EXPECT_EQ(diagnostics_.to_string(), "");
}

TEST_F(SdfFiles, PartsOfMeshesAreWhereTheFileHasThemOrAboutTheOrigin) {
  // Two tetrahedra; the second, u <= v + w and so on, from (4, 0, 0) to (6, 2, 2).
  const std::string four = "f {0} {2} {1}\nf {0} {1} {3}\nf {1} {2} {3}\nf {2} {0} {3}\n";
  write("pair.obj", "o near\nv 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\n" +
                        fmt::format(fmt::runtime(four), 1, 2, 3, 4) +
                        "o far\nv 4 0 0\nv 6 0 2\nv 6 2 0\nv 4 2 2\n" +
                        fmt::format(fmt::runtime(four), 5, 6, 7, 8));
  const auto seen_ahead = [&](const std::string& submesh) {
    load(world(
        model("m", "<static>true</static>" +
                       heavy("b", 1, "0 0 0 0 0 0",
                             "<visual name=\"v\"><geometry><mesh><uri>pair.obj</uri><scale>2 1 1"
                             "</scale>" +
                                 submesh + "</mesh></geometry></visual>")) +
        model("eye",
              "<static>true</static><pose>-20 0.2 0.1 0 0 0</pose><link name=\"e\">"
              "<sensor name=\"s\" "
              "type=\"gpu_lidar\"><update_rate>10</update_rate><lidar><scan><horizontal>"
              "<samples>1</samples></horizontal></scan><range><min>0.1</min><max>100"
              "</max></range></lidar></sensor></link>")));
    run(0.3);
    float range = 0;
    std::memcpy(&range, device("s").data.data() + device("s").model->layout().channels.at(0).offset,
                sizeof range);
    return static_cast<double>(range);
  };
  EXPECT_NEAR(seen_ahead(""), 20, 1e-4);
  EXPECT_NEAR(seen_ahead("<submesh><name>far</name></submesh>"), 28.2, 1e-4);
  EXPECT_EQ(diagnostics_.to_string(), "");
  // Of its middle, which is at x = 10.
  EXPECT_NEAR(seen_ahead("<submesh><name>far</name><center>true</center></submesh>"), 18.2, 1e-4);
  // gz-rendering, Ogre2MeshFactory::LoadImpl(): no part of another name is there.
  EXPECT_TRUE(std::isinf(seen_ahead("<submesh><name>gone</name></submesh>")));
  EXPECT_THAT(diagnostics_.to_string(),
              testing::HasSubstr("nothing in it is called 'gone'; the shape is left out"));
}

TEST_F(SdfFiles, StaticModelsInOthersStand) {
  // As in the worlds of AWS RoboMaker: each model includes one that is static.
  write_model("models/wall",
              "<sdf version=\"1.6\">" +
                  model("wall", "<static>1</static>" + heavy("w", 5, "0 0 1 0 0 0")) + "</sdf>");
  const std::string wall = "<include><uri>model://wall</uri></include>";
  load(world(model("a", "<pose>1 0 0 0 0 0</pose>" + wall) +
             model("b", wall + heavy("ball", 1, "2 0 3 0 0 0"))));
  EXPECT_EQ(diagnostics_.to_string(), "");
  run(0.5);
  EXPECT_LT((pose("a").p - Vec3(1, 0, 1)).norm(), 1e-9);
  EXPECT_LT((pose("b").p - Vec3(0, 0, 1)).norm(), 1e-9);
  EXPECT_LT(pose("b::ball").p.z(), 3 - 1);
}

TEST_F(SdfFiles, TheNewestVersionOfAModelIsTaken) {
  write("models/m/model.config", config("<sdf version=\"1.4\">old.sdf</sdf>"
                                        "<sdf version=\"1.10\">new.sdf</sdf>"
                                        "<sdf version=\"1.6\">middle.sdf</sdf>"));
  write("models/m/new.sdf", box_model("new"));
  const auto document = *read(world("<include><uri>model://m</uri></include>"));
  EXPECT_EQ(node(document, "Solid", "new").type, "Solid");
}

TEST_F(SdfFiles, ModelsAreFoundByTheVariablesOfGazebo) {
  for (const char* variable :
       {"GAZEBO_MODEL_PATH", "GZ_SIM_RESOURCE_PATH", "IGN_GAZEBO_RESOURCE_PATH", "SDF_PATH"}) {
    TemporaryFolder other;
    std::filesystem::create_directories(other.path() / "far");
    other.write("far/model.sdf", box_model("far"));
    options_.environment = [&](const std::string& name) {
      return name == variable ? std::optional("/nowhere:" + other.path().string()) : std::nullopt;
    };
    EXPECT_TRUE(read(world("<include><uri>model://far</uri></include>")).has_value())
        << variable << diagnostics_.to_string();
    // Fuel's models are taken where they are; nothing is fetched.
    EXPECT_TRUE(
        read(world("<include><uri>https://fuel.gazebosim.org/1.0/o/models/far/3</uri></include>"))
            .has_value())
        << diagnostics_.to_string();
  }
}

TEST_F(SdfFiles, PackagesAreGivenByTheUser) {
  TemporaryFolder other;
  other.write("model.sdf", box_model("far"));
  options_.packages["far"] = other.path();
  EXPECT_TRUE(read(world("<include><uri>model://far</uri></include>")).has_value())
      << diagnostics_.to_string();
}

TEST_F(SdfFiles, FilesOfAModelLieBesideIt) {
  write_model("models/crate", box_model("crate",
                                        "<link name=\"b\"><visual name=\"v\"><geometry><mesh><uri>"
                                        "meshes/a.stl</uri></mesh></geometry></visual></link>"));
  EXPECT_THAT(messages(world("<include><uri>model://crate</uri></include>")),
              HasSubstr("looked for " + at("models/crate/meshes/a.stl")));
}

TEST_F(SdfFiles, ModelsThatIncludeThemselvesAreErrors) {
  write_model("models/a",
              "<sdf version=\"1.6\"><model name=\"a\"><include><uri>model://b</uri>"
              "</include></model></sdf>");
  write_model("models/b",
              "<sdf version=\"1.6\"><model name=\"b\"><include><uri>model://a</uri>"
              "</include></model></sdf>");
  EXPECT_THAT(messages(world("<include><uri>model://a</uri></include>")),
              HasSubstr("models/b/model.sdf:1:50: error: 'model://a' includes itself"));
}

TEST_F(SdfFiles, IncludesThatMultiplyAreErrors) {
  options_.limits.elements = 5000;
  for (int i = 0; i < 15; ++i) {
    const std::string one = fmt::format("<include><uri>model://m{}</uri></include>", i + 1);
    write_model(fmt::format("models/m{}", i),
                "<sdf version=\"1.6\"><model name=\"m\">" + one + one + "</model></sdf>");
  }
  write_model("models/m15", box_model("end"));
  EXPECT_THAT(messages(world("<include><uri>model://m0</uri></include>")),
              HasSubstr("more than 5000 elements with those of included models"));
}

TEST_F(SdfFiles, FilesOutsideOfTheProjectAreNotRead) {
  TemporaryFolder other;
  const auto secret = other.write("secret.sdf", box_model("secret"));
  EXPECT_THAT(messages(world("<include><uri>file://" + secret.string() + "</uri></include>")),
              HasSubstr("is not read"));
  write("models/m/model.config", config("<sdf version=\"1.6\">" + secret.string() + "</sdf>"));
  EXPECT_THAT(messages(world("<include><uri>model://m</uri></include>")), HasSubstr("is not read"));
}

TEST_F(SdfFiles, WhatIsMissingIsAWarningToWhoIsLenient) {
  options_.lenient = true;
  EXPECT_TRUE(read(world("<include><uri>model://nowhere</uri></include>")).has_value());
  EXPECT_THAT(diagnostics_.to_string(), HasSubstr("warning: there is no package 'nowhere'"));
}

TEST_F(SdfFiles, HeightmapsLieAsInGazebo) {
  // The first row is in the north, the first column in the west.
  constexpr int kSide = 33;
  std::vector<std::uint8_t> pixels;
  for (int row = 0; row < kSide; ++row) {
    for (int column = 0; column < kSide; ++column) {
      const bool west = column < 8;
      const std::uint8_t grey = west && row < 8 ? 255 : west && row > 24 ? 120 : 0;
      pixels.push_back(grey);
    }
  }
  folder_.write("h.png", encode_png(pixels, kSide, kSide, PixelOrder::kGrey));
  const auto box = [](const std::string& name, const std::string& pose) {
    return model(name, heavy("l", 1, pose,
                             "<collision name=\"c\"><geometry><box><size>0.5 0.5 0.5</size></box>"
                             "</geometry></collision>"));
  };
  load(world(model("t",
                   "<static>1</static><link name=\"l\"><collision name=\"c\"><geometry>"
                   "<heightmap><uri>h.png</uri><size>20 20 3</size></heightmap></geometry>"
                   "</collision></link>") +
             box("high", "-8.5 8.5 4 0 0 0") + box("middle", "-8.5 -8.5 4 0 0 0")));
  run(3);
  EXPECT_NEAR(pose("high").p.z(), 3 + 0.25, 1e-3);
  EXPECT_NEAR(pose("middle").p.z(), 3 * 120.0 / 255 + 0.25, 1e-3);
}

TEST_F(SdfFiles, SunAndGroundAreThereAnyway) {
  const auto document =
      *read(world("<include><uri>model://sun</uri></include><include><uri>"
                  "https://fuel.gazebosim.org/1.0/OpenRobotics/models/Ground "
                  "Plane</uri></include>"));
  EXPECT_EQ(node(document, "Solid", "ground_plane").type, "Solid");
  EXPECT_EQ(document.nodes.at(4)->type, "DirectionalLight");
}

}  // namespace
}  // namespace protobeam::sdf
