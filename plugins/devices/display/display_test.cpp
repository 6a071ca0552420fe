// The commands of a Display, as programs send them.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/unit/sim/world_text.h"
#include "tests/unit/support/plugin.h"

namespace protobeam {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

struct Screen {
  std::unique_ptr<DeviceModel> display;
  explicit Screen(const std::string& width = "4", const std::string& height = "2")
      : display(make_sensor("Display", {{"width", width}, {"height", height}})) {}

  std::string send(const char* name, std::vector<double> numbers = {}, std::string bytes = {}) {
    return display->send_command(name, std::move(numbers), std::move(bytes));
  }
  std::vector<int> pixel(std::size_t x, std::size_t y) {
    std::vector<std::byte> bytes(display->layout().size);
    take_sample(*display, SampleInput{}, bytes);
    const std::size_t at = 4 * (y * display->layout().channels[0].shape[1] + x);
    std::vector<int> out;
    for (std::size_t c = 0; c < 4; ++c) out.push_back(static_cast<int>(bytes[at + c]));
    return out;
  }
};

TEST(Display, DrawsWithTheColorThatWasSet) {
  Screen screen;
  EXPECT_EQ(screen.send("color", {0x10a0ff}), "");
  EXPECT_EQ(screen.send("fill rectangle", {1, 0, 2, 1}), "");
  EXPECT_THAT(screen.pixel(1, 0), ElementsAre(0x10, 0xa0, 0xff, 255));
  EXPECT_THAT(screen.pixel(0, 0), ElementsAre(0, 0, 0, 255));
  EXPECT_THAT(screen.pixel(1, 1), ElementsAre(0, 0, 0, 255));
}

TEST(Display, TakesImagesInEveryFormat) {
  const std::pair<int, std::string> formats[] = {{3, "\x01\x02\x03"},
                                                 {4, "\x01\x02\x03\x04"},
                                                 {5, "\x04\x01\x02\x03"},
                                                 {6, "\x03\x02\x01\x04"},
                                                 {7, "\x04\x03\x02\x01"}};
  for (const auto& [format, bytes] : formats) {
    Screen screen;
    EXPECT_EQ(screen.send("image new", {1, 1, 1, static_cast<double>(format)}, bytes), "");
    EXPECT_EQ(screen.send("image paste", {1, 2, 1, 0}), "");
    EXPECT_THAT(screen.pixel(2, 1), ElementsAre(1, 2, 3, format == 3 ? 255 : 4)) << format;
  }
}

TEST(Display, TheClipboardKeepsParts) {
  Screen screen;
  screen.send("draw pixel", {0, 0});
  EXPECT_EQ(screen.send("image copy", {7, 0, 0, 1, 1}), "");
  EXPECT_EQ(screen.send("image paste", {7, 3, 1, 0}), "");
  EXPECT_THAT(screen.pixel(3, 1), ElementsAre(255, 255, 255, 255));
  EXPECT_EQ(screen.send("image delete", {7}), "");
  EXPECT_THAT(screen.send("image paste", {7, 0, 0, 0}), HasSubstr("no image with the number 7"));
}

TEST(Display, SendsImagesToTheProgram) {
  Screen screen;
  screen.send("color", {0x0000ff});
  screen.send("draw pixel", {3, 1});
  EXPECT_EQ(screen.send("image save", {0}), "");
  const auto messages = screen.display->take_messages();
  ASSERT_EQ(messages.size(), 1u);
  EXPECT_THAT(messages[0].numbers, ElementsAre(0, 4, 2));
  ASSERT_EQ(messages[0].bytes.size(), 4u * 4 * 2);
  EXPECT_EQ(static_cast<unsigned char>(messages[0].bytes[4 * 7 + 2]), 255);
  EXPECT_TRUE(screen.display->take_messages().empty());
}

TEST(Display, MistakesAreTold) {
  Screen screen;
  EXPECT_THAT(screen.send("image new", {1, 2, 2, 4}, "abc"), HasSubstr("needs 16 bytes, not 3"));
  EXPECT_THAT(screen.send("image load", {1}, "no picture"), HasSubstr("the image"));
  EXPECT_THAT(screen.send("image save", {3}), HasSubstr("no image with the number 3"));
  EXPECT_THAT(screen.send("attach camera", {1}), HasSubstr("takes no images in colour"));
  EXPECT_NE(screen.send("opacity", {1.5}), "");
  EXPECT_THAT(screen.send("image new", {1, 16384, 16384, 3}, ""), HasSubstr("needs"));
  Screen large("4096", "4096");
  for (int i = 1; i <= 4; ++i) {
    EXPECT_EQ(large.send("image copy", {static_cast<double>(i), 0, 0, 4096, 4096}), "");
  }
  EXPECT_THAT(large.send("image copy", {5, 0, 0, 4096, 4096}), HasSubstr("delete some"));
  EXPECT_THAT(message_of<std::invalid_argument>([] { Screen huge("16384", "16384"); }),
              HasSubstr("field 'width'"));
}

TEST(Display, LiesOverTheImageOfItsCamera) {
  WorldText text;
  Simulation& simulation = text.load(
      "Background { skyColor [ 0 0 1 ] }\n"
      "Robot { name \"r\" controller \"<none>\" children [ Camera { width 4 height 2 } "
      "Display { width 6 height 2 } ] }");
  Device* camera = simulation.find_device("r/camera");
  Device* display = simulation.find_device("r/display");
  ASSERT_NE(camera, nullptr);
  ASSERT_NE(display, nullptr);
  simulation.enable(*camera, 0.008);
  simulation.enable(*display, 0.008);
  EXPECT_EQ(display->model->send_command("color", {0x00ff00}), "");
  EXPECT_EQ(display->model->send_command("draw pixel", {2, 0}), "");
  EXPECT_EQ(display->model->send_command("attach camera", {1}), "");
  EXPECT_EQ(display->model->send_command("color", {0xff0000}), "");
  EXPECT_EQ(display->model->send_command("draw pixel", {0, 0}), "");
  simulation.step();
  const auto pixel = [&](std::size_t x, std::size_t y) {
    const auto image = display->model->channel<std::uint8_t>(display->data, 0);
    const std::size_t at = 4 * (6 * y + x);
    return std::vector<int>(image.begin() + static_cast<std::ptrdiff_t>(at),
                            image.begin() + static_cast<std::ptrdiff_t>(at + 4));
  };
  EXPECT_THAT(pixel(0, 0), ElementsAre(255, 0, 0, 255));
  EXPECT_THAT(pixel(1, 1), ElementsAre(0, 0, 255, 255));  // the sky
  EXPECT_THAT(pixel(2, 0), ElementsAre(0, 255, 0, 255));  // drawn before
  EXPECT_THAT(pixel(5, 0), ElementsAre(0, 0, 0, 0));      // beside the camera's image
  EXPECT_EQ(display->model->send_command("image copy", {1, 1, 1, 1, 1}), "");  // of the sky
  EXPECT_EQ(display->model->send_command("image paste", {1, 5, 1, 0}), "");
  EXPECT_EQ(display->model->send_command("detach camera"), "");
  simulation.step();
  EXPECT_THAT(pixel(1, 1), ElementsAre(0, 0, 0, 0));
  EXPECT_THAT(pixel(5, 1), ElementsAre(0, 0, 255, 255));
  EXPECT_THAT(pixel(0, 0), ElementsAre(255, 0, 0, 255));
}

TEST(Display, LiesOverTheImageOfACameraThatStandsBehindItInTheWorld) {
  WorldText text;
  Simulation& simulation = text.load(
      "Background { skyColor [ 0 0 1 ] }\n"
      "Robot { name \"r\" controller \"<none>\" children [ Display { width 6 height 2 } "
      "Camera { width 4 height 2 } ] }");
  Device& display = *simulation.find_device("r/display");
  simulation.enable(*simulation.find_device("r/camera"), 0.008);
  simulation.enable(display, 0.008);
  EXPECT_EQ(display.model->send_command("attach camera", {2}), "");
  simulation.step();
  const auto image = display.model->channel<std::uint8_t>(display.data, 0);
  EXPECT_THAT(image.first(4), ElementsAre(0, 0, 255, 255));  // the sky, of this step
}

TEST(Display, IsSeenByCamerasOnATexturedShapeOfItsFirstChild) {
  WorldText text;
  text.folder().write("worlds/grey.pgm", "P2\n1 1\n255\n128\n");
  const std::string look =
      "Shape { appearance PBRAppearance { baseColor 0 0 0 roughness 1 metalness 0 emissiveColor 1 "
      "1 1 "
      "emissiveColorMap ImageTexture { url [ \"grey.pgm\" ] } } geometry Box { size 0.01 4 4 } }";
  Simulation& simulation = text.load(
      "Background { skyColor [ 0 0 0 ] }\n"
      "Robot { name \"r\" controller \"<none>\" children [ Camera { width 3 height 3 } "
      "Display { translation 1 0 0 width 8 height 8 children [ Group { children [ Shape { geometry "
      "Sphere { radius 0.001 } } " +
      look + " ] } ] } ] }");
  Device* camera = simulation.find_device("r/camera");
  Device* display = simulation.find_device("r/display");
  simulation.enable(*camera, 0.008);
  const auto seen = [&] {
    simulation.step();
    const auto image = camera->model->channel<std::uint8_t>(camera->data, 0);
    return std::vector<int>(image.begin() + 4 * 2, image.begin() + 4 * 2 + 3);  // blue, green, red
  };
  EXPECT_THAT(seen(), ElementsAre(0, 0, 0));
  display->model->send_command("color", {0x00ff00});
  display->model->send_command("fill rectangle", {0, 0, 8, 8});
  EXPECT_THAT(seen(),
              ElementsAre(0, testing::Gt(150), 0));  // as bright as the camera's curve has it
  display->model->send_command("color", {0xff0000});
  display->model->send_command("fill rectangle", {0, 0, 8, 8});
  EXPECT_THAT(seen(), ElementsAre(0, 0, testing::Gt(150)));
  EXPECT_EQ(simulation.model().pictures.size(), 1u);
}

/// In Webots the picture takes the place of whatever an ImageTexture names (src/webots/nodes/
/// WbDisplay.cpp, WbImageTexture.cpp).
TEST(Display, IsSeenOnAllShapesWithImageTexturesThatNameNoPicture) {
  const std::string looks[] = {
      "Appearance { texture ImageTexture { } material Material { diffuseColor 1 1 1 } }",
      "PBRAppearance { baseColorMap ImageTexture { url [ ] } roughness 1 metalness 0 }",
      "PBRAppearance { baseColor 0 0 0 roughness 1 metalness 0 emissiveColor 1 1 1 "
      "emissiveColorMap ImageTexture { } }"};
  for (const std::string& look : looks) {
    const auto plate = [&](const char* y) {
      return std::string("Pose { translation 0 ") + y + " 0 children [ Shape { appearance " + look +
             " geometry Box { size 0.01 1 1 } } ] } ";
    };
    WorldText text;
    Simulation& simulation = text.load(
        "Background { skyColor [ 0 0 0 ] luminosity 0 }\n"
        "DirectionalLight { direction 1 0 0 intensity 1 }\n"
        "Robot { name \"r\" controller \"<none>\" children [\n"
        "Camera { width 4 height 1 fieldOfView 1.5708 }\n"
        "Display { translation 1 0 0 width 8 height 8 children [ Group { children [ " +
        plate("0.5") + plate("-0.5") + "] } ] } ] }");
    Device& camera = *simulation.find_device("r/camera");
    Device& display = *simulation.find_device("r/display");
    simulation.enable(camera, 0.008);
    display.model->send_command("color", {0x00ff00});
    display.model->send_command("fill rectangle", {0, 0, 8, 8});
    simulation.step();
    const auto image = camera.model->channel<std::uint8_t>(camera.data, 0);
    for (const std::size_t x : {1u, 2u}) {  // left and right: blue, green, red
      const int green = image[4 * x + 1];
      EXPECT_GT(green, 100) << look;
      EXPECT_LT(image[4 * x], green / 4) << look;  // a little of the light is mirrored
      EXPECT_LT(image[4 * x + 2], green / 4) << look;
    }
    EXPECT_EQ(simulation.model().pictures.size(), 1u);
  }
}

}  // namespace
}  // namespace protobeam
