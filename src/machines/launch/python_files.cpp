#include "launch/python_files.h"

#include <algorithm>
#include <filesystem>

#include "gate/base/text.h"
#include "launch/proc.h"
#include "launch/versions.h"

namespace gate::launch {

namespace {

constexpr std::size_t most_folders = 64;
constexpr std::size_t most_headers = 200;

using Folders = std::vector<std::string>;

// Return `3.11` where the text begins with it.
std::string minor_at(std::string_view text) {
  const std::size_t end = std::min(text.find_first_not_of("0123456789."), text.size());
  std::string_view minor = text.substr(0, end);
  while (minor.ends_with('.')) minor.remove_suffix(1);
  return std::ranges::count(minor, '.') == 1 && is_version(minor) ? std::string(minor) : "";
}

// Return the minor version behind the words where they first stand in front of one.
std::string minor_behind(std::string_view path, std::string_view words) {
  const std::size_t at = path.find(words);
  return at == std::string_view::npos ? "" : minor_at(path.substr(at + words.size()));
}

std::string_view file_name_of(std::string_view path) { return path.substr(path.rfind('/') + 1); }

std::string parent_of(const std::string& path) { return std::filesystem::path(path).parent_path().string(); }

std::string joined(const std::string& folder, std::string_view path) {
  return (std::filesystem::path(folder) / path).lexically_normal().string();
}

void add_folder(Folders& folders, std::string folder) {
  while (folder.size() > 1 && folder.ends_with('/')) folder.pop_back();
  const bool is_new = std::ranges::find(folders, folder) == folders.end();
  if (folder.starts_with('/') && is_new && folders.size() < most_folders)
    folders.push_back(std::move(folder));
}

// Return the part of the path up to its site-packages or dist-packages; "" where it has none.
std::string packages_part(std::string_view path) {
  for (const std::string_view name : {"/site-packages/", "/dist-packages/"})
    if (const std::size_t at = path.find(name); at != std::string_view::npos)
      return std::string(path.substr(0, at + name.size() - 1));
  return "";
}

void add_python_path(Folders& folders, const ProcessView& process) {
  for (const std::string_view entry : split(value_in(process.environ, "PYTHONPATH"), ':'))
    if (!entry.empty()) add_folder(folders, joined(process.cwd, entry));
}

void add_user_folder(Folders& folders, const ProcessView& process, const std::string& minor) {
  if (!value_in(process.environ, "PYTHONNOUSERSITE").empty()) return;
  std::string base(value_in(process.environ, "PYTHONUSERBASE"));
  if (base.empty()) base = joined(std::string(value_in(process.environ, "HOME")), ".local");
  add_folder(folders, base + "/lib/python" + minor + "/site-packages");
}

void add_prefix_folders(Folders& folders, const std::string& prefix, const std::string& minor) {
  for (const char* lib : {"/lib", "/lib64"})
    add_folder(folders, prefix + lib + "/python" + minor + "/site-packages");
}

// Debian's, too.
void add_system_folders(Folders& folders, const std::string& prefix, const std::string& minor) {
  add_prefix_folders(folders, prefix, minor);
  add_folder(folders, prefix + "/local/lib/python" + minor + "/dist-packages");
  add_folder(folders, prefix + "/lib/python3/dist-packages");
  add_folder(folders, prefix + "/lib/python" + minor + "/dist-packages");
}

Folders mapped_folders(const ProcessView& process) {
  Folders folders;
  for (const std::string& path : process.mapped) add_folder(folders, packages_part(path));
  return folders;
}

}  // namespace

std::vector<std::string> mapped_files(std::string_view maps) {
  std::vector<std::string> files;
  for (const std::string_view line : split(maps, '\n')) {
    const std::size_t path = line.find('/');
    if (path != std::string_view::npos) files.emplace_back(line.substr(path));
  }
  std::ranges::sort(files);
  files.erase(std::unique(files.begin(), files.end()), files.end());
  return files;
}

std::string python_minor(const ProcessView& process) {
  const std::string_view program = file_name_of(process.exe);
  if (program.starts_with("python"))
    if (std::string minor = minor_at(program.substr(6)); !minor.empty()) return minor;
  for (const std::string& path : process.mapped)
    if (std::string minor = minor_behind(file_name_of(path), "libpython"); !minor.empty()) return minor;
  if (!program.starts_with("python")) return "";
  for (const std::string& path : process.mapped)
    if (std::string minor = minor_behind(path, "/lib/python"); !minor.empty()) return minor;
  return "";
}

std::optional<InstalledPackage> parse_metadata(std::string_view text) {
  InstalledPackage package;
  std::size_t headers = 0;
  for (const std::string_view line : split(text, '\n')) {
    if (trim(line).empty() || ++headers > most_headers) break;
    const std::size_t colon = line.find(':');
    if (colon == std::string_view::npos) continue;
    const std::string key = to_lower(trim(line.substr(0, colon)));
    if (key == "name") package.name = trim(line.substr(colon + 1));
    if (key == "version") package.version = trim(line.substr(colon + 1));
  }
  if (package.name.empty() || !is_version(package.version)) return std::nullopt;
  return package;
}

std::string_view venv_value(std::string_view text, std::string_view key) {
  for (const std::string_view line : split(text, '\n')) {
    const auto said = key_and_value(line);
    if (said && to_lower(trim(said->key)) == key) return trim(said->value);
  }
  return {};
}

std::string_view version_in_patchlevel(std::string_view text) {
  const std::size_t at = text.find("#define PY_VERSION");
  const std::vector<std::string_view> parts =
      at == std::string_view::npos ? std::vector<std::string_view>{} : split(text.substr(at, 100), '"');
  return parts.size() > 1 && is_version(parts[1]) ? parts[1] : std::string_view();
}

// CPython does the same: the name as it was called, or where PATH has it.
std::string venv_candidate(const ProcessView& process, const std::function<bool(const std::string&)>& has) {
  const std::string called = process.cmdline.substr(0, process.cmdline.find('\0'));
  if (called.find('/') != std::string::npos) return parent_of(parent_of(joined(process.cwd, called)));
  for (const std::string_view folder : split(value_in(process.environ, "PATH"), ':'))
    if (const std::string program = joined(std::string(folder), called); has(program))
      return parent_of(parent_of(program));
  return std::string(value_in(process.environ, "VIRTUAL_ENV"));
}

std::string python_prefix(const ProcessView& process) {
  if (file_name_of(process.exe).starts_with("python")) return parent_of(parent_of(process.exe));
  for (const std::string& path : process.mapped)
    if (const std::size_t lib = path.find("/lib/python"); lib != std::string::npos)
      return path.substr(0, lib);
  return "";
}

std::vector<std::string> package_folders(const ProcessView& process, const PythonPlace& place) {
  Folders folders;
  add_python_path(folders, process);
  if (!place.venv.empty()) add_prefix_folders(folders, place.venv, place.minor);
  if (place.sees_prefix) add_user_folder(folders, process, place.minor);
  if (place.sees_prefix) add_system_folders(folders, place.prefix, place.minor);
  const Folders mapped = mapped_folders(process);
  for (const std::string& folder : mapped) add_folder(folders, folder);
  std::stable_partition(folders.begin(), folders.end(), [&](const std::string& folder) {
    return std::ranges::find(mapped, folder) != mapped.end();
  });
  return folders;
}

}  // namespace gate::launch
