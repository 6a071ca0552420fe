#include "output/channel_file.h"

#include <cerrno>
#include <cstring>
#include <stdexcept>
#include <system_error>

#include "output/numbers.h"

namespace protobeam {
namespace {

constexpr std::size_t kHeaderSize = 512;  // room for the number of frames, known at the end

[[noreturn]] void fail_to_write(const std::filesystem::path& path, int error) {
  throw std::runtime_error("cannot write " + path.string() + ": " +
                           std::generic_category().message(error));
}

/// NumPy's name of a type, little endian.
const char* numpy_type(ElementType type) {
  switch (type) {
    case ElementType::kFloat64:
      return "<f8";
    case ElementType::kFloat32:
      return "<f4";
    case ElementType::kInt32:
      return "<i4";
    case ElementType::kUint32:
      return "<u4";
    case ElementType::kUint16:
      return "<u2";
    case ElementType::kUint8:
      return "|u1";
    case ElementType::kRecord:
      break;
  }
  throw std::logic_error("a record has no single type");
}

template <class T>
void append(std::string& line, const std::byte* at) {
  T value;
  std::memcpy(&value, at, sizeof value);
  append_number(line, value);
}

void append_value(std::string& line, ElementType type, const std::byte* at) {
  switch (type) {
    case ElementType::kFloat64:
      return append<double>(line, at);
    case ElementType::kFloat32:
      return append<float>(line, at);
    case ElementType::kInt32:
      return append<std::int32_t>(line, at);
    case ElementType::kUint32:
      return append<std::uint32_t>(line, at);
    case ElementType::kUint16:
      return append<std::uint16_t>(line, at);
    case ElementType::kUint8:
      return append<std::uint8_t>(line, at);
    case ElementType::kRecord:
      break;
  }
}

/// "[1][0]" of element number `index`.
std::string subscripts(const std::vector<std::size_t>& shape, std::size_t index) {
  std::string out;
  for (std::size_t d = shape.size(); d-- > 0; index /= shape[d]) {
    out.insert(0, "[" + std::to_string(index % shape[d]) + "]");
  }
  return out;
}

}  // namespace

NpyChannelFile::NpyChannelFile(const std::filesystem::path& path, const ChannelLayout& channel)
    : path_(path), channel_(channel), part_(path), out_(part_.path(), std::ios::binary) {
  out_ << header();
  if (!out_) fail_to_write(path_, errno);
}

std::string NpyChannelFile::header() const {
  std::string type;
  if (channel_.type == ElementType::kRecord) {
    for (const Component& component : channel_.components) {
      type += (type.empty() ? "[('" : ", ('") + component.name + "', '" +
              numpy_type(component.type) + "')";
    }
    type += "]";
  } else {
    type = std::string("'") + numpy_type(channel_.type) + "'";
  }
  std::string shape = std::to_string(frames_) + ",";
  for (std::size_t extent : channel_.shape) shape += " " + std::to_string(extent) + ",";
  std::string text = "{'descr': " + type + ", 'fortran_order': False, 'shape': (" + shape + "), }";
  constexpr std::size_t kMagic = 10;
  text.resize(kHeaderSize - kMagic - 1, ' ');
  const auto length = static_cast<std::uint16_t>(kHeaderSize - kMagic);
  std::string out("\x93NUMPY\x01\x00", 8);
  out += static_cast<char>(length & 0xff);
  out += static_cast<char>(length >> 8);
  return out + text + "\n";
}

void NpyChannelFile::add(std::span<const std::byte> elements) {
  out_.write(reinterpret_cast<const char*>(elements.data()),
             static_cast<std::streamsize>(elements.size()));
  if (!out_) fail_to_write(path_, errno);
  ++frames_;
}

void NpyChannelFile::finish() {
  out_.seekp(0);
  out_ << header();
  out_.close();
  if (!out_) fail_to_write(path_, errno);
  if (const int error = part_.finish()) fail_to_write(path_, error);
}

CsvChannelFile::CsvChannelFile(const std::filesystem::path& path, const ChannelLayout& channel)
    : channel_(channel), file_(path) {
  std::string head = "time";
  for (std::size_t i = 0; i < channel_.count(); ++i) {
    const std::string name = channel_.name + subscripts(channel_.shape, i);
    if (channel_.type != ElementType::kRecord) {
      head += "," + name;
      continue;
    }
    for (const Component& component : channel_.components)
      head += "," + name + "." + component.name;
  }
  file_.add(head + "\n");
}

void CsvChannelFile::add(double time, std::span<const std::byte> elements) {
  std::string line;
  append_number(line, time);
  const std::byte* at = elements.data();
  const auto value = [&](ElementType type) {
    line += ',';
    append_value(line, type, at);
    at += size_of(type);
  };
  for (std::size_t i = 0; i < channel_.count(); ++i) {
    if (channel_.type != ElementType::kRecord) {
      value(channel_.type);
      continue;
    }
    for (const Component& component : channel_.components) value(component.type);
  }
  file_.add(line + "\n");
}

void CsvChannelFile::finish() { file_.finish(); }

}  // namespace protobeam
