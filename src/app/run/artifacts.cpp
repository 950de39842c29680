#include "app/run/artifacts.h"

#include <algorithm>
#include <system_error>

#include "gate/base/text.h"

namespace gate::app {

namespace {

constexpr std::string_view scratch_hole = "{scratch}/";

// Where a glob is seen from, and what is left of it.
struct Search {
  fs::Path base;
  std::string glob;
};

Search search_of(const std::string& glob, const Source& source) {
  if (glob.starts_with(scratch_hole)) return {source.scratch, glob.substr(scratch_hole.size())};
  if (glob.starts_with('/')) return {"/", glob.substr(1)};
  return {source.cwd, glob};
}

// File times are as coarse as the kernel's clock tick.
bool is_new(const fs::Path& file, fs::FileTime since) {
  std::error_code error;
  const auto written = std::filesystem::last_write_time(file, error);
  return !error && written + std::chrono::milliseconds(10) >= since;
}

std::vector<std::string> matching(const Search& search, fs::FileTime since) {
  std::vector<std::string> files = fs::files_for(search.base, search.glob);
  std::erase_if(files, [&](const std::string& file) {
    return !glob_match(search.glob, file) || !is_new(search.base / file, since);
  });
  return files;
}

std::string copy_to(const fs::Path& from, const fs::Path& to) {
  if (const Status made = fs::make_folder(to.parent_path()); !made) return made.error().message;
  std::error_code error;
  std::filesystem::copy_file(from, to, std::filesystem::copy_options::overwrite_existing, error);
  return error ? from.string() + ": cannot be kept: " + error.message() : "";
}

bool leaves(const std::string& glob) {
  const auto parts = split(glob, '/');
  return std::find(parts.begin(), parts.end(), "..") != parts.end();
}

void keep(const std::string& glob, const Source& source, const fs::Path& into, Kept& kept) {
  const Search search = search_of(glob, source);
  const std::vector<std::string> files =
      leaves(glob) ? std::vector<std::string>{} : matching(search, source.since);
  if (files.empty())
    kept.problems.push_back("artifacts: the script wrote no file that matches " + printable(glob, 120));
  for (const std::string& file : files) {
    const std::string problem = copy_to(search.base / file, into / file);
    problem.empty() ? void(++kept.files) : kept.problems.push_back("artifacts: " + problem);
  }
}

}  // namespace

Kept keep_artifacts(const std::vector<std::string>& globs, const Source& source, const fs::Path& into) {
  Kept kept;
  for (const std::string& glob : globs) keep(glob, source, into, kept);
  return kept;
}

}  // namespace gate::app
