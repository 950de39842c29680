#include "places/plan/upload_folder.h"

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

}  // namespace

Status check_upload_folder(const fs::Path& folder) {
  const std::string name = folder.string();
  if (!fs::is_taken(folder)) return {};
  if (!fs::is_folder(folder)) return fail(name + ": is no folder; upload to another one");
  if (is_of_uploads(folder)) return {};
  return fail(name + ": holds what no upload of gate's left; upload to another folder");
}

}  // namespace gate::app
