#include "output/topic_folder.h"

#include <stdexcept>
#include <system_error>

namespace protobeam {

TopicFolder::TopicFolder(std::filesystem::path folder) : folder_(std::move(folder)) {
  if (folder_.empty()) throw std::invalid_argument("field 'folder' is empty");
  make_folder(folder_);
}

void make_folder(const std::filesystem::path& folder) {
  std::error_code error;
  std::filesystem::create_directories(folder, error);
  if (error) throw std::runtime_error("cannot make " + folder.string() + ": " + error.message());
}

}  // namespace protobeam
