#include "suite/temp_folder.h"

#include <system_error>

namespace gate::app {

Result<TempFolder> TempFolder::make() {
  std::error_code error;
  const fs::Path parent = std::filesystem::temp_directory_path(error);
  GATE_TRY(fs::Path path, fs::make_unique_folder((error ? fs::Path("/tmp") : parent) / "gate-"));
  return TempFolder(std::move(path));
}

TempFolder::TempFolder(TempFolder&& other) noexcept : path_(std::exchange(other.path_, {})) {}

TempFolder::~TempFolder() {
  if (path_.empty()) return;
  std::error_code left;
  std::filesystem::remove_all(path_, left);
}

}  // namespace gate::app
