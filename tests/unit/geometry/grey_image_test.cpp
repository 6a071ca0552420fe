#include "geometry/grey_image.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <png.h>

#include "geometry/files.h"
#include "tests/support/temporary_folder.h"

namespace protobeam {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

std::string pgm_error(const std::string& bytes) {
  return message_of<std::runtime_error>([&] { decode_pgm(bytes, "a.pgm"); });
}

TEST(Pgm, PlainAndRawFilesHoldTheSameLevels) {
  const GreyImage plain = decode_pgm("P2\n# drawn by hand\n3 2\n9\n0 1 2\n3 4 9\n", "a.pgm");
  EXPECT_EQ(plain.width, 3);
  EXPECT_EQ(plain.height, 2);
  EXPECT_EQ(plain.max, 9);
  EXPECT_THAT(plain.levels, ElementsAre(0, 1, 2, 3, 4, 9));
  const GreyImage raw = decode_pgm(std::string("P5 3 2 9\n\0\1\2\3\4\x09", 15), "a.pgm");
  EXPECT_EQ(raw.levels, plain.levels);
}

TEST(Pgm, LevelsAbove255AreTwoBytesMostSignificantFirst) {
  const GreyImage image = decode_pgm(std::string("P5 2 1 65535\n\x01\x02\xff\xff", 17), "a.pgm");
  EXPECT_THAT(image.levels, ElementsAre(0x0102, 65535));
}

TEST(Pgm, BrokenFilesSayWhatIsWrong) {
  EXPECT_THAT(pgm_error("P5 3"), HasSubstr("a.pgm: the file ends too early"));
  EXPECT_THAT(pgm_error("P5 3 x 255\n"), HasSubstr("the height is not a number"));
  EXPECT_THAT(pgm_error("P5 3 2 255\nabc"), HasSubstr("the file ends too early"));
  EXPECT_THAT(pgm_error("P5 3 2 0\n"), HasSubstr("the largest grey level is 0"));
  EXPECT_THAT(pgm_error("P5 3 2 70000\n"), HasSubstr("above 65535"));
  EXPECT_THAT(pgm_error("P5 0 2 255\n"), HasSubstr("impossible size 0 x 2"));
  EXPECT_THAT(pgm_error("P5 268435456 268435456 255\n"), HasSubstr("impossible size"));
  EXPECT_THAT(pgm_error("P2 2 1 9\n3 12\n"), HasSubstr("above 9"));
  EXPECT_THAT(pgm_error(std::string("P5 1 1 9\n\x20", 10)), HasSubstr("above 9"));
  EXPECT_THAT(pgm_error("P6 1 1 9\nabc"), HasSubstr("not a PGM file"));
}

TEST(GreyImage, SixteenBitPngKeepsItsDepth) {
  const TemporaryFolder folder;
  const std::uint16_t levels[] = {0, 1, 256, 40000, 65534, 65535};
  png_bytep rows[2];
  std::vector<png_byte> bytes;
  for (const std::uint16_t level : levels) {
    bytes.push_back(static_cast<png_byte>(level >> 8));
    bytes.push_back(static_cast<png_byte>(level & 0xff));
  }
  for (int i = 0; i < 2; ++i) rows[i] = bytes.data() + 6 * i;
  const auto path = folder / "deep.png";
  std::FILE* file = std::fopen(path.c_str(), "wb");
  png_structp png = png_create_write_struct(PNG_LIBPNG_VER_STRING, nullptr, nullptr, nullptr);
  png_infop info = png_create_info_struct(png);
  png_init_io(png, file);
  png_set_IHDR(png, info, 3, 2, 16, PNG_COLOR_TYPE_GRAY, PNG_INTERLACE_NONE, 0, 0);
  png_set_gAMA(png, info, 0.45455);  // a curve for the eye, which heights must not follow
  png_write_info(png, info);
  png_write_image(png, rows);
  png_write_end(png, info);
  png_destroy_write_struct(&png, &info);
  std::fclose(file);
  const GreyImage image = load_grey_image(path);
  EXPECT_EQ(image.max, 65535);
  EXPECT_THAT(image.levels, ElementsAre(0, 1, 256, 40000, 65534, 65535));
}

TEST(GreyImage, ColoursCountByTheirLuma) {
  const TemporaryFolder folder;
  save_png({3, 1, 3, {255, 0, 0, 0, 255, 0, 0, 0, 255}}, folder / "a.png");
  EXPECT_THAT(load_grey_image(folder / "a.png").levels, ElementsAre(76, 150, 29));
}

TEST(ImageFile, ReadsPgmInEightBits) {
  const TemporaryFolder folder;
  const auto image = load_image(folder.write("a.pgm", "P2 3 1 1000\n0 500 1000\n"));
  EXPECT_EQ(image->channels, 1);
  EXPECT_THAT(image->pixels, ElementsAre(0, 128, 255));
}

}  // namespace
}  // namespace protobeam
