#include "app/outputs/copies.h"

#include <unistd.h>
#include <system_error>
#include <tuple>

#include "gate/schema/accuracy_result.h"

namespace gate::app {

namespace {

Error not_copied(const fs::Path& from, const fs::Path& to, const std::string& why) {
  return {from.string() + ": cannot be copied to " + to.string() + ": " + why};
}

// Return the copy, which lies beside where it is to be.
Result<fs::Path> copy_beside(const fs::Path& from, const fs::Path& to) {
  GATE_TRY_STATUS(fs::make_folder(to.parent_path()));
  const fs::Path part =
      to.parent_path() / ("." + to.filename().string() + "." + std::to_string(getpid()) + ".part");
  std::error_code error;
  std::filesystem::copy_file(from, part, std::filesystem::copy_options::overwrite_existing, error);
  if (!error) return part;
  std::ignore = fs::remove_file(part);
  return tl::unexpected(not_copied(from, to, error.message()));
}

}  // namespace

Status copy_as(const fs::Path& from, const fs::Path& to) {
  GATE_TRY(const fs::Path part, copy_beside(from, to));
  std::error_code error;
  std::filesystem::rename(part, to, error);
  if (!error) return {};
  std::ignore = fs::remove_file(part);
  return tl::unexpected(not_copied(from, to, error.message()));
}

Result<bool> copy_to_free(const fs::Path& from, const fs::Path& to) {
  GATE_TRY(const fs::Path part, copy_beside(from, to));
  const Result<bool> moved = fs::move_to_free(part, to);
  if (!moved.value_or(false)) std::ignore = fs::remove_file(part);
  return moved;
}

Status copy_into(const fs::Path& from, const fs::Path& folder) {
  if (!fs::is_folder(from)) return copy_as(from, folder / from.filename());
  for (const std::string& file : fs::files_below(from)) GATE_TRY_STATUS(copy_as(from / file, folder / file));
  return {};
}

Status check_upload_folder(const fs::Path& folder) {
  const std::string name = folder.string();
  if (!fs::is_taken(folder)) return {};
  if (!fs::is_folder(folder)) return fail(name + ": is no folder; upload to another one");
  std::error_code unread;
  if (std::filesystem::is_empty(folder, unread) || fs::is_taken(folder / upload_mark)) return {};
  for (const std::string_view result : schema::accuracy_result_names)
    if (const auto text = fs::read_file(folder / result);
        text && schema::read_accuracy_result(*text, std::string(result)))
      return {};
  return fail(name + ": holds what no upload of gate's left; upload to another folder");
}

}  // namespace gate::app
