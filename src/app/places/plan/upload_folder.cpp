#include "places/plan/upload_folder.h"

#include <unistd.h>

#include <algorithm>
#include <system_error>

#include "gate/schema/accuracy_result.h"

namespace gate::app {

namespace {

bool has_result(const fs::Path& folder) {
  return std::ranges::any_of(schema::accuracy_result_names, [&](std::string_view name) {
    const Result<std::string> text = fs::read_file(folder / name);
    return text && schema::read_accuracy_result(*text, std::string(name));
  });
}

// A case may have uploads of others below its own: `results/a`, `results/a/b`.
bool is_of_uploads(const fs::Path& folder) {
  if (fs::is_taken(folder / upload_mark) || has_result(folder)) return true;
  std::error_code unread;
  const std::filesystem::directory_iterator all(folder, unread);
  return !unread && std::all_of(begin(all), end(all), [](const auto& entry) {
    return std::filesystem::is_directory(std::filesystem::symlink_status(entry.path())) &&
           is_of_uploads(entry.path());
  });
}

// Fail where the folder cannot be made, or nothing put into it, by what is there of the way to it.
Status check_way_to(const fs::Path& folder) {
  fs::Path there = folder;
  while (!fs::is_taken(there) && there.has_relative_path()) there = there.parent_path();
  if (!fs::is_folder(there)) return fail(there.string() + ": is no folder; upload to another one");
  if (::access(there.c_str(), W_OK | X_OK) == 0) return {};
  return fail(there.string() + ": this user may write nothing there; upload to another folder");
}

}  // namespace

Status check_upload_folder(const fs::Path& folder) {
  const std::string name = folder.string();
  GATE_TRY_STATUS(check_way_to(folder));
  if (!fs::is_taken(folder)) return {};
  if (is_of_uploads(folder)) return {};
  return fail(name + ": holds what no upload of gate's left; upload to another folder");
}

}  // namespace gate::app
