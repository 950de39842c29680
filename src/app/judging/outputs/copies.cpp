#include "gate/judging/copies.h"

#include <system_error>
#include <tuple>

#include "gate/base/unfinished.h"
#include "gate/judging/case_outputs.h"
#include "gate/model/numbers/tensor.h"

namespace gate::app {

namespace {

Error copying_failed(const fs::Path& from, const fs::Path& to, const std::string& why) {
  return {from.string() + ": cannot be copied to " + to.string() + ": " + why};
}

// Return the copy, which lies beside where it is to be.
Result<fs::Path> copy_beside(const fs::Path& from, const fs::Path& to) {
  GATE_TRY_STATUS(fs::make_folder(to.parent_path()));
  const fs::Path part = fs::unfinished_beside(to);
  std::error_code error;
  std::filesystem::copy_file(from, part, std::filesystem::copy_options::overwrite_existing, error);
  if (!error) return part;
  std::ignore = fs::remove_file(part);
  return tl::unexpected(copying_failed(from, to, error.message()));
}

}  // namespace

Status copy_as(const fs::Path& from, const fs::Path& to) {
  GATE_TRY(const fs::Path part, copy_beside(from, to));
  std::error_code error;
  std::filesystem::rename(part, to, error);
  if (!error) return {};
  std::ignore = fs::remove_file(part);
  return tl::unexpected(copying_failed(from, to, error.message()));
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

Status keep_output_as(const fs::Path& from, const fs::Path& to) {
  for (const fs::Path& file : files_of_output(from)) {
    const fs::Path place = file == from ? to : to.parent_path() / file.filename();
    std::error_code error = std::make_error_code(std::errc::not_supported);
    if (names_weights(file.string()) && !std::filesystem::is_symlink(file)) {
      GATE_TRY_STATUS(fs::make_folder(place.parent_path()));
      std::filesystem::create_hard_link(file, place, error);
    }
    if (error) GATE_TRY_STATUS(copy_as(file, place));
  }
  return {};
}

}  // namespace gate::app
