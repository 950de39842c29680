#include "app/suite/temp_folder.h"

#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <utility>

namespace gate::app {

Result<TempFolder> TempFolder::make() {
  std::error_code error;
  const fs::Path parent = std::filesystem::temp_directory_path(error);
  std::string path = ((error ? fs::Path("/tmp") : parent) / "gate-XXXXXX").string();
  if (::mkdtemp(path.data()) == nullptr)
    return fail(path + ": cannot create the folder: " + std::strerror(errno));
  return TempFolder(path);
}

TempFolder::TempFolder(TempFolder&& other) noexcept : path_(std::exchange(other.path_, {})) {}

TempFolder::~TempFolder() {
  if (path_.empty()) return;
  std::error_code left;
  std::filesystem::remove_all(path_, left);
}

}  // namespace gate::app
