#include <algorithm>
#include <system_error>
#include <vector>

#include "gate/store/run_folder.h"
#include "store/folder_lock.h"

namespace gate::store {

namespace {

struct Entry {
  fs::Path path;
  std::filesystem::file_time_type written;
};

// `1121-0203`, `1121-0203-2`: what RunFolder::create makes.
bool is_run_id(const std::string& name) {
  constexpr std::size_t dash = 4;
  return name.size() >= 9 && name[dash] == '-' && name.find_first_not_of("0123456789-") == std::string::npos;
}

std::vector<Entry> oldest_first(const fs::Path& runs) {
  std::vector<Entry> entries;
  std::error_code error;
  for (const auto& entry : std::filesystem::directory_iterator(runs, error)) {
    std::error_code gone;  // a link whose folder is gone counts as the oldest
    const auto written = entry.last_write_time(gone);
    if (is_run_id(entry.path().filename().string()))
      entries.push_back({entry.path(), gone ? std::filesystem::file_time_type::min() : written});
  }
  std::sort(entries.begin(), entries.end(),
            [](const Entry& a, const Entry& b) { return a.written < b.written; });
  return entries;
}

}  // namespace

Status prune_runs(const fs::Path& root, int keep) {
  std::error_code error;
  const fs::Path latest = std::filesystem::read_symlink(root / ".gate" / "latest", error).filename();
  std::vector<Entry> entries = oldest_first(root / ".gate" / "runs");
  if (keep <= 0 || entries.size() <= static_cast<std::size_t>(keep)) return {};
  entries.resize(entries.size() - static_cast<std::size_t>(keep));
  for (const Entry& entry : entries) {
    if (entry.path.filename() == latest || is_taken(entry.path)) continue;
    std::filesystem::remove_all(entry.path, error);
    if (error) return fail(entry.path.string() + ": cannot remove the old run: " + error.message());
  }
  return {};
}

}  // namespace gate::store
