#include "app/outputs/copies.h"

#include <unistd.h>
#include <system_error>

namespace gate::app {

Status copy_as(const fs::Path& from, const fs::Path& to) {
  GATE_TRY_STATUS(fs::make_folder(to.parent_path()));
  const fs::Path part =
      to.parent_path() / ("." + to.filename().string() + "." + std::to_string(getpid()) + ".part");
  std::error_code error;
  std::filesystem::copy_file(from, part, std::filesystem::copy_options::overwrite_existing, error);
  if (!error) std::filesystem::rename(part, to, error);
  if (!error) return {};
  std::error_code ignored;
  std::filesystem::remove(part, ignored);
  return fail(from.string() + ": cannot be copied to " + to.string() + ": " + error.message());
}

Status copy_into(const fs::Path& from, const fs::Path& folder) {
  if (!fs::is_folder(from)) return copy_as(from, folder / from.filename());
  for (const std::string& file : fs::files_below(from)) GATE_TRY_STATUS(copy_as(from / file, folder / file));
  return {};
}

}  // namespace gate::app
