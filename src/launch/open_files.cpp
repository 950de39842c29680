#include "gate/launch/open_files.h"

#include <sys/stat.h>

#include <filesystem>
#include <system_error>

#include "gate/base/text.h"
#include "launch/proc.h"

namespace gate::launch {

namespace {

// Return the value of the variable, "" where it is not set.
std::string_view value_in(std::string_view environ, std::string_view name) {
  for (const std::string_view variable : split(environ, '\0'))
    if (variable.starts_with(name) && variable.substr(name.size()).starts_with('='))
      return variable.substr(name.size() + 1);
  return {};
}

// The mode of a link in /proc/PID/fd says how the file was opened.
bool is_written(const char* link) {
  struct stat info {};
  return ::lstat(link, &info) == 0 && (info.st_mode & S_IWUSR) != 0;
}

void add_written_by(const ProcEntry& process, std::string_view case_name, std::vector<OpenFile>& files) {
  std::error_code error;
  const std::string folder = "/proc/" + std::to_string(process.pid) + "/fd";
  for (std::filesystem::directory_iterator it(folder, error), end; !error && it != end; it.increment(error)) {
    const FileIdentity identity = state_of(it->path()).identity;
    if (identity != FileIdentity() && is_written(it->path().c_str()))
      files.push_back({identity, describe(process), std::string(case_name)});
  }
}

}  // namespace

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
