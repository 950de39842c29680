// What a process says of itself and what its Python's files hold, whatever it is: the bytes are taken for
// each of them, cut at the first `\xff`.
#include <algorithm>
#include <cstdlib>
#include <string>
#include <string_view>

#include "gate/model/runs/fingerprint.h"
#include "launch/proc.h"
#include "launch/python_files.h"
#include "launch/versions.h"
#include "targets.h"

namespace {

using namespace gate;

void hold(bool holds) {
  if (!holds) std::abort();
}

void try_files(std::string_view text) {
  if (const auto package = launch::parse_metadata(text))
    hold(!package->name.empty() && launch::is_version(package->version));
  const std::string_view version = launch::version_in_patchlevel(text);
  hold(version.empty() || launch::is_version(version));
  launch::venv_value(text, "version");
  for (const std::string& file : launch::mapped_files(text)) hold(file.starts_with('/'));
}

void try_switches(std::string_view environ, std::string_view cmdline) {
  for (const auto& [name, value] : switches_in(environ, cmdline)) {
    hold(!value.empty() && value.size() <= 4 * 80 + 3);  // a byte is shown as four at most
    hold(value.find('\x1b') == std::string::npos && value.find('\n') == std::string::npos);
    // A name may stand twice; that of a further command stands in the words.
    hold(name.starts_with("--") || environ.find(name + "=") != std::string_view::npos ||
         cmdline.find(name + "=") != std::string_view::npos);
  }
}

}  // namespace

int python_files_fuzz(const std::uint8_t* data, std::size_t size) {
  const std::string_view all(reinterpret_cast<const char*>(data), size);
  const std::size_t cut = std::min(all.find('\xff'), all.size());
  const std::string environ(all.substr(0, cut)), rest(all.substr(cut));
  try_files(all);
  try_switches(environ, rest);
  const launch::ProcessView process{"/usr/bin/python" + rest.substr(0, 6), "/work", environ, rest,
                                    launch::mapped_files(all)};
  const launch::PythonPlace place{launch::python_minor(process), launch::python_prefix(process),
                                  launch::venv_candidate(process, [](const std::string&) { return true; }),
                                  true};
  const auto folders = launch::package_folders(process, place);
  hold(folders.size() <= 64);
  for (const std::string& folder : folders) hold(folder.starts_with('/'));
  return 0;
}
