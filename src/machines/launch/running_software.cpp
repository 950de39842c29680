#include "launch/running_software.h"

#include <algorithm>
#include <filesystem>
#include <optional>
#include <set>
#include <system_error>

#include "gate/base/text.h"
#include "gate/launch/host_facts.h"
#include "launch/python_files.h"
#include "launch/rooted_files.h"
#include "launch/versions.h"

namespace gate::launch {

namespace {

constexpr std::size_t most_looked_at = 16;  // their maps are large

struct PythonProcess {
  pid_t pid = 0;
  fs::Path folder;
  ProcessView view;
};

std::string link_at(const fs::Path& path) {
  std::error_code none;
  return std::filesystem::read_symlink(path, none).string();
}

bool is_python_program(const fs::Path& proc, pid_t pid) {
  return fs::Path(link_at(proc / std::to_string(pid) / "exe")).filename().string().starts_with("python");
}

// Pythons first; what has libpython in it is told by its maps.
std::vector<pid_t> worth_a_look(const fs::Path& proc, const std::vector<ProcEntry>& all) {
  std::vector<pid_t> processes;
  for (const ProcEntry& one : all) processes.push_back(one.pid);
  const auto others = std::stable_partition(processes.begin(), processes.end(),
                                            [&](pid_t pid) { return is_python_program(proc, pid); });
  if (others != processes.begin()) processes.erase(others, processes.end());
  if (processes.size() > most_looked_at) processes.resize(most_looked_at);
  return processes;
}

ProcessView view_of(const fs::Path& folder) {
  return {link_at(folder / "exe"), link_at(folder / "cwd"), read_proc_file(folder / "environ"),
          read_proc_file(folder / "cmdline"), mapped_files(read_proc_file(folder / "maps"))};
}

std::optional<PythonProcess> choose(const fs::Path& proc, const std::vector<ProcEntry>& processes) {
  std::optional<PythonProcess> best;
  for (const pid_t pid : worth_a_look(proc, processes)) {
    PythonProcess one{pid, proc / std::to_string(pid), view_of(proc / std::to_string(pid))};
    const bool is_python = !python_minor(one.view).empty();
    if (is_python && (!best || one.view.mapped.size() > best->view.mapped.size())) best = std::move(one);
  }
  return best;
}

std::set<pid_t> ancestors_of(pid_t pid, const std::vector<ProcEntry>& all) {
  std::set<pid_t> ancestors;
  const auto entry_of = [&](pid_t wanted) { return std::ranges::find(all, wanted, &ProcEntry::pid); };
  for (auto it = entry_of(pid); it != all.end() && ancestors.insert(it->parent).second;)
    it = entry_of(it->parent);
  return ancestors;
}

// The Python's switches go before those of others, and of these the youngest's.
Switches switches_of(const fs::Path& proc, const std::vector<ProcEntry>& processes,
                     const PythonProcess* python) {
  const std::set<pid_t> before = python == nullptr ? std::set<pid_t>() : ancestors_of(python->pid, processes);
  std::map<std::string, std::string> found;
  bool is_read = false;
  const auto add = [&](std::string environ, const std::string& cmdline, bool has_left) {
    is_read |= !environ.empty();
    if (has_left) environ.clear();
    found.merge(switches_in(environ, cmdline));
  };
  if (python != nullptr) add(python->view.environ, python->view.cmdline, false);
  for (auto one = processes.rbegin(); one != processes.rend(); ++one) {
    const fs::Path folder = proc / std::to_string(one->pid);
    add(read_proc_file(folder / "environ"), read_proc_file(folder / "cmdline"), before.contains(one->pid));
  }
  return is_read || !found.empty() ? Switches(std::move(found)) : std::nullopt;
}

PythonPlace place_of(const ProcessView& view, const RootedFiles& files) {
  PythonPlace place{python_minor(view), python_prefix(view), "", true};
  const std::string folder = venv_candidate(view, [&](const std::string& path) { return files.has(path); });
  const std::string config = files.read(folder + "/pyvenv.cfg");
  if (config.empty()) return place;
  place.venv = folder;
  place.sees_prefix = to_lower(venv_value(config, "include-system-site-packages")) == "true";
  return place;
}

// `python-3.10.13-h955ad1f_0.json`
std::string conda_version(const PythonPlace& place, const RootedFiles& files) {
  const std::string wanted = "python-" + place.minor + ".";
  for (const std::string& name : files.list(place.prefix + "/conda-meta"))
    if (name.starts_with(wanted)) return std::string(split(name, '-')[1]);
  return "";
}

// `3.10.13` of `3.10.13.final.0`
std::string first_three(std::string_view version) {
  auto parts = texts_of(split(version, '.'));
  if (parts.size() > 3) parts.resize(3);
  return join(parts, ".");
}

// The first that is of the process's own minor version; the minor version alone where nothing says more.
std::string python_version(const PythonPlace& place, const RootedFiles& files) {
  const std::string config = place.venv.empty() ? "" : files.read(place.venv + "/pyvenv.cfg");
  const std::string header = files.read(place.prefix + "/include/python" + place.minor + "/patchlevel.h");
  for (const std::string& version :
       {conda_version(place, files), std::string(version_in_patchlevel(header)),
        std::string(venv_value(config, "version")), first_three(venv_value(config, "version_info"))})
    if (version.starts_with(place.minor + ".") && is_version(version)) return version;
  return place.minor;
}

// The name of a .dist-info or .egg-info as packages are compared by; "" of any other.
std::string key_of(const std::string& entry) {
  if (!entry.ends_with(".dist-info") && !entry.ends_with(".egg-info")) return "";
  const std::string stem = entry.substr(0, entry.rfind('.'));
  return package_key(stem.substr(0, stem.find('-')));
}

// Names with a `-` are written with a `_` there, but of old egg-info.
std::optional<InstalledPackage> package_at(const std::string& path, const RootedFiles& files) {
  for (const char* file : {"/METADATA", "/PKG-INFO", ""})
    if (const auto package = parse_metadata(files.read(path + file))) return package;
  return std::nullopt;
}

class Packages {
 public:
  explicit Packages(const RootedFiles& files) : files_(files) {
    for (const std::string_view name : fingerprint_packages()) wanted_.emplace(package_key(name), name);
  }

  // What an earlier folder has counts.
  void look_into(const std::string& folder) {
    for (const std::string& entry : files_.list(folder)) {
      if (entry.ends_with(".egg-link")) look_into_link(folder + "/" + entry);
      const auto wanted = wanted_.find(key_of(entry));
      if (wanted == wanted_.end() || found_.contains(wanted->second)) continue;
      const std::optional<InstalledPackage> package = package_at(folder + "/" + entry, files_);
      if (package && package_key(package->name) == wanted->first)
        found_.emplace(wanted->second, package->version);
    }
  }

  std::map<std::string, std::string> found() && { return std::move(found_); }

 private:
  // Of a package that is installed where it is worked on: the folder stands in the first line.
  void look_into_link(const std::string& link) {
    const std::string text = files_.read(link);
    const std::string folder(trim(std::string_view(text).substr(0, text.find('\n'))));
    if (folder.starts_with('/') && followed_.insert(folder).second && followed_.size() < 64)
      look_into(folder);
  }

  const RootedFiles& files_;
  std::map<std::string, std::string> wanted_;  // key -> name
  std::map<std::string, std::string> found_;
  std::set<std::string> followed_;
};

}  // namespace

Fingerprint fingerprint_of(const fs::Path& proc, const std::vector<ProcEntry>& processes) {
  const std::optional<PythonProcess> chosen = choose(proc, processes);
  Fingerprint seen;
  seen.switches = switches_of(proc, processes, chosen ? &*chosen : nullptr);
  if (!chosen) return seen;
  const ProcessView& view = chosen->view;
  const RootedFiles files(chosen->folder / "root");
  const PythonPlace place = place_of(view, files);
  seen.kernel = kernel_release();
  seen.driver = driver_version(files);
  seen.firmware = firmware_version(files);
  seen.toolkit = toolkit_version(
      files, homes_in([&](const char* name) { return std::string(value_in(view.environ, name)); }));
  seen.python = python_version(place, files);
  Packages packages(files);
  for (const std::string& folder : package_folders(view, place)) packages.look_into(folder);
  seen.packages = std::move(packages).found();
  return seen;
}

}  // namespace gate::launch
