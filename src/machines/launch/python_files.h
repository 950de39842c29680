// What the files of a Python installation say, and where a Python process finds its packages. Pure functions
// on what processes and files hold, none of which is trusted.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace gate::launch {

// A process as /proc shows it: its files as they are, zero bytes included, and where links lead.
struct ProcessView {
  std::string exe, cwd;
  std::string environ, cmdline;
  std::vector<std::string> mapped;  // files in its memory, see mapped_files()
};

// Return the files that /proc/PID/maps names, each once, sorted.
std::vector<std::string> mapped_files(std::string_view maps);

// Return `3.11` of the program `/usr/bin/python3.11`, else of a mapped libpython3.11.so or of a mapped file
// of its standard library; "" where the process is no Python, or of no version that is told.
std::string python_minor(const ProcessView& process);

struct InstalledPackage {
  std::string name, version;
};

// Return what the headers of a METADATA or PKG-INFO say; nothing where they name no package with a version.
std::optional<InstalledPackage> parse_metadata(std::string_view text);

// Return the value of a key of pyvenv.cfg; "" where it has none.
std::string_view venv_value(std::string_view text, std::string_view key);

// Return the version of PY_VERSION in a patchlevel.h, or "".
std::string_view version_in_patchlevel(std::string_view text);

// Return the folder in which pyvenv.cfg is looked for: two above the program as it was called, or as PATH has
// it, links not followed; of a process that has changed its words that of VIRTUAL_ENV. `has` tells whether a
// file is there.
std::string venv_candidate(const ProcessView& process, const std::function<bool(const std::string&)>& has);

// Where a Python lies.
struct PythonPlace {
  std::string minor;        // `3.11`
  std::string prefix;       // `/usr`: what a virtual environment was made of
  std::string venv;         // the virtual environment; "": none
  bool sees_prefix = true;  // false: the virtual environment hides the packages of the prefix
};

// Return the prefix that the program lies in, or its standard library; "" where none is known.
std::string python_prefix(const ProcessView& process);

// Return the folders in which the process finds packages, in the order in which they are looked through:
// first those of which something is mapped. At most 64.
std::vector<std::string> package_folders(const ProcessView& process, const PythonPlace& place);

}  // namespace gate::launch
