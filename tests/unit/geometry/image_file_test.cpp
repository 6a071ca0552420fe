// jpeglib.h uses size_t and FILE without including anything.
// clang-format off
#include <cstddef>
#include <cstdio>
#include <jpeglib.h>
// clang-format on

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <zlib.h>

#include <cstdlib>

#include "geometry/files.h"
#include "tests/support/temporary_folder.h"

namespace protobeam {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;

std::string image_error(const std::filesystem::path& path) {
  return message_of<std::runtime_error>([&] { load_image(path); });
}

Image noise_image(int width, int height, int channels) {
  Image image{width, height, channels, {}};
  unsigned state = 1;
  for (int i = 0; i < width * height * channels; ++i) {
    state = state * 1664525u + 1013904223u;
    image.pixels.push_back(static_cast<std::uint8_t>(state >> 24));
  }
  return image;
}

TEST(ImageFile, PngGivesTheSamePixelsBack) {
  const TemporaryFolder folder;
  for (const int channels : {1, 3, 4}) {
    const Image image = noise_image(37, 21, channels);
    save_png(image, folder / "a.png");
    const auto back = load_image(folder / "a.png");
    EXPECT_EQ(back->width, 37);
    EXPECT_EQ(back->height, 21);
    EXPECT_EQ(back->channels, channels);
    EXPECT_EQ(back->pixels, image.pixels);
  }
}

/// Signature, IHDR, IDAT with a stored deflate block and IEND, put together by hand from the PNG
/// specification (W3C, 2003): one red pixel over one blue one.
const unsigned char kTwoPixels[] = {
    0x89, 'P',  'N',  'G',  13,  10,  26,  10,  //
    0,    0,    0,    13,   'I', 'H', 'D', 'R', 0,    0,    0,    1,    0,    0,    0,    2,
    8,    2,    0,    0,    0,                                                                   //
    0x16, 0xe3, 0x21, 0x70,                                                                      //
    0,    0,    0,    19,   'I', 'D', 'A', 'T', 0x78, 0x01, 1,    8,    0,    0xf7, 0xff,        //
    0,    255,  0,    0,    0,   0,   0,   255, 0x08, 0x00, 0x01, 0xff, 0xf0, 0xe2, 0x8c, 0xde,  //
    0,    0,    0,    0,    'I', 'E', 'N', 'D', 0xae, 0x42, 0x60, 0x82};

TEST(ImageFile, RowZeroOfAPngIsOnTop) {
  const TemporaryFolder folder;
  const auto path =
      folder.write("two.png", {reinterpret_cast<const char*>(kTwoPixels), std::size(kTwoPixels)});
  const auto image = load_image(path);
  EXPECT_EQ(image->width, 1);
  EXPECT_EQ(image->height, 2);
  EXPECT_EQ(image->pixels, (std::vector<std::uint8_t>{255, 0, 0, 0, 0, 255}));
}

/// Image editors write profiles that libpng finds wrong; the pixels are whole.
TEST(ImageFile, APngWithAFaultyColourProfileGivesItsPixels) {
  const TemporaryFolder folder;
  std::string png{reinterpret_cast<const char*>(kTwoPixels), std::size(kTwoPixels)};
  std::string profile{"iCCPICC Profile"};
  profile += std::string(2, '\0') + "not deflated";
  const std::size_t size = profile.size() - 4;
  const auto crc =
      crc32(0, reinterpret_cast<const Bytef*>(profile.data()), static_cast<uInt>(profile.size()));
  std::string chunk;
  for (int shift = 24; shift >= 0; shift -= 8) chunk += static_cast<char>(size >> shift);
  chunk += profile;
  for (int shift = 24; shift >= 0; shift -= 8) chunk += static_cast<char>(crc >> shift);
  png.insert(33, chunk);  // behind IHDR
  EXPECT_EQ(load_image(folder.write("profile.png", png))->pixels,
            (std::vector<std::uint8_t>{255, 0, 0, 0, 0, 255}));
}

std::string jpeg_of(int width, int height, unsigned char r, unsigned char g, unsigned char b) {
  jpeg_compress_struct info{};
  jpeg_error_mgr errors{};
  info.err = jpeg_std_error(&errors);
  jpeg_create_compress(&info);
  unsigned char* bytes = nullptr;
  unsigned long size = 0;
  jpeg_mem_dest(&info, &bytes, &size);
  info.image_width = static_cast<JDIMENSION>(width);
  info.image_height = static_cast<JDIMENSION>(height);
  info.input_components = 3;
  info.in_color_space = JCS_RGB;
  jpeg_set_defaults(&info);
  jpeg_start_compress(&info, TRUE);
  std::vector<unsigned char> row;
  for (int i = 0; i < width; ++i) row.insert(row.end(), {r, g, b});
  unsigned char* rows = row.data();
  for (int i = 0; i < height; ++i) jpeg_write_scanlines(&info, &rows, 1);
  jpeg_finish_compress(&info);
  jpeg_destroy_compress(&info);
  std::string result(reinterpret_cast<char*>(bytes), size);
  std::free(bytes);
  return result;
}

TEST(ImageFile, JpegGivesItsColour) {
  const TemporaryFolder folder;
  const auto image = load_image(folder.write("a.jpg", jpeg_of(40, 30, 200, 100, 50)));
  EXPECT_EQ(image->width, 40);
  EXPECT_EQ(image->height, 30);
  ASSERT_EQ(image->channels, 3);
  EXPECT_NEAR(image->pixels[0], 200, 3);
  EXPECT_NEAR(image->pixels[1], 100, 3);
  EXPECT_NEAR(image->pixels[2], 50, 3);
}

TEST(ImageFile, DamagedFilesAreRefusedByNameAndReason) {
  const TemporaryFolder folder;
  EXPECT_THAT(image_error(folder / "none.png"),
              AllOf(HasSubstr("none.png"), HasSubstr("No such file")));
  EXPECT_THAT(image_error(folder.write("empty.png", "")),
              HasSubstr("empty.png: the file is empty"));
  EXPECT_THAT(image_error(folder.write("text.png", "hello")),
              HasSubstr("neither PNG nor JPEG nor PGM"));
  EXPECT_THAT(image_error(folder.path()), HasSubstr("Is a directory"));
  EXPECT_THAT(image_error("/dev/zero"), HasSubstr("not a regular file"));
}

TEST(ImageFile, TruncatedFilesAreRefusedWhereverTheyEnd) {
  const TemporaryFolder folder;
  save_png(noise_image(16, 16, 3), folder / "whole.png");
  const std::string png = read_bytes(folder / "whole.png");
  const std::string jpeg = jpeg_of(40, 30, 200, 100, 50);
  for (std::size_t size = 0; size + 16 < png.size(); size += 7) {  // without IEND it is still whole
    EXPECT_NE(image_error(folder.write("a.png", png.substr(0, size))), "") << size;
  }
  for (std::size_t size = 0; size + 2 < jpeg.size(); size += 7) {  // without EOI as well
    EXPECT_NE(image_error(folder.write("a.jpg", jpeg.substr(0, size))), "") << size;
  }
}

TEST(ImageFile, APictureOfImpossibleSizeIsRefusedBeforeMemoryIsTaken) {
  const TemporaryFolder folder;
  std::string jpeg = jpeg_of(8, 8, 1, 2, 3);
  const std::size_t frame = jpeg.find("\xff\xc0");
  ASSERT_NE(frame, std::string::npos);
  for (std::size_t i = 5; i < 9; ++i) jpeg[frame + i] = '\xff';  // 65535 x 65535
  EXPECT_NE(image_error(folder.write("huge.jpg", jpeg)), "");
}

TEST(SavePng, LeavesNothingWhenItCannotWrite) {
  const TemporaryFolder folder;
  const Image image = noise_image(8, 8, 3);
  const auto error = [&](const std::filesystem::path& path) {
    return message_of<std::runtime_error>([&] { save_png(image, path); });
  };
  EXPECT_THAT(error(folder / "missing/a.png"),
              AllOf(HasSubstr("missing/a.png"), HasSubstr("No such file or directory")));
  EXPECT_THAT(error("/dev/full"), HasSubstr("cannot write /dev/full: No space left on device"));
  EXPECT_THAT(error(folder.path()), HasSubstr("Is a directory"));
  EXPECT_TRUE(folder.empty());
}

TEST(SavePng, RefusesAPictureWithoutItsPixels) {
  const TemporaryFolder folder;
  EXPECT_THROW(save_png(Image{4, 4, 3, {}}, folder / "a.png"), std::runtime_error);
  EXPECT_TRUE(folder.empty());
}

}  // namespace
}  // namespace protobeam
