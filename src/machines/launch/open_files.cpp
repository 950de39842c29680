#include "gate/launch/open_files.h"

#include <sys/stat.h>

#include <filesystem>
#include <set>
#include <system_error>

#include "launch/proc.h"

namespace gate::launch {

namespace {

// The mode of a link in /proc/PID/fd says how the file was opened.
bool is_written(const char* link) {
  struct stat info {};
  return ::lstat(link, &info) == 0 && (info.st_mode & S_IWUSR) != 0;
}

// Return the links in /proc/PID/fd; none where this user may not look.
std::vector<std::filesystem::path> descriptors_of(const ProcEntry& process) {
  std::vector<std::filesystem::path> links;
  std::error_code error;
  const std::string folder = "/proc/" + std::to_string(process.pid) + "/fd";
  for (std::filesystem::directory_iterator it(folder, error), end; !error && it != end; it.increment(error))
    links.push_back(it->path());
  return links;
}

void add_written_by(const ProcEntry& process, std::string_view case_name, std::vector<OpenFile>& files) {
  for (const std::filesystem::path& link : descriptors_of(process)) {
    const FileIdentity identity = state_of(link).identity;
    if (identity != FileIdentity() && is_written(link.c_str()))
      files.push_back({identity, describe(process), std::string(case_name)});
  }
}

}  // namespace

std::vector<std::string> open_files_named(std::string_view name) {
  std::set<std::string> paths;
  for (const ProcEntry& process : all_processes())
    for (const std::filesystem::path& link : descriptors_of(process)) {
      std::error_code error;
      std::filesystem::path target = std::filesystem::read_symlink(link, error);
      if (!error && target.filename() == name) paths.insert(target.string());
    }
  return {paths.begin(), paths.end()};
}

std::vector<OpenFile> written_elsewhere(std::string_view cookie) {
  std::vector<OpenFile> files;
  for (const ProcEntry& process : all_processes()) {
    const std::string environ = read_environment(process.pid);
    const std::string_view launch = value_in(environ, "GATE_LAUNCH");
    if (!launch.empty() && launch != cookie) add_written_by(process, value_in(environ, "GATE_CASE"), files);
  }
  return files;
}

}  // namespace gate::launch
