// Any bytes as each of FlagPerf's files, and as both layers of a case: values or mistakes with words and sane
// places, never a crash.
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string>
#include <string_view>
#include <vector>

#include "gate/base/text.h"
#include "gate/config/flagperf.h"
#include "targets.h"

namespace {

using namespace gate;
using namespace gate::config;

void hold_flagperf(bool holds) {
  if (!holds) std::abort();
}

template <typename T>
bool is_good(const Parsed<T>& parsed) {
  if (parsed) return true;
  hold_flagperf(!parsed.error().empty());
  for (const Diagnostic& mistake : parsed.error())
    hold_flagperf(!mistake.message.empty() && mistake.at.line >= 0 && mistake.at.column >= 0);
  return false;
}

void try_cases(std::string_view text) {
  const auto tests = read_flagperf_tests(text, "t.py");
  if (!is_good(tests)) return;
  for (const FlagPerfCase& one : tests->cases) {
    hold_flagperf(one.nodes >= 1 && one.devices >= 1 && one.repeat >= 1 && one.at.line >= 1);
    const auto key = read_flagperf_key(one.key);
    hold_flagperf(key && is_flagperf_case(*key, one.name() + "@" + one.size()));
    hold_flagperf(shell_quote(one.data_dir) == one.data_dir);
    const FlagPerfPaths paths = flagperf_paths(one, tests->vendor);
    hold_flagperf(paths.vendor_config.find("..") == std::string::npos ||
                  one.key.find("..") != std::string::npos);
    hold_flagperf(std::ranges::count(paths.vendor_config, '/') == 3);  // nothing of a key opens a folder
  }
}

// The bytes, as a vendor's file over themselves: whatever is set may not be set.
void try_layers(const PythonFile& file) {
  const FlagPerfLayers layers = flagperf_layers(file, file, std::vector<std::string>{});
  hold_flagperf(layers.parameters.size() == file.settings.size());
  hold_flagperf(std::ssize(layers.not_mutable) ==
                std::ranges::count_if(file.settings, [](const PythonSetting& setting) {
                  return setting.value.kind != PythonKind::none;
                }));
  is_good(flagperf_targets(layers));
  for (const std::string& path : flagperf_needs(layers))
    hold_flagperf(path[0] != '/' && ("/" + path + "/").find("/../") == std::string::npos);
  for (const PythonSetting& setting : file.settings)
    hold_flagperf(setting.at.line >= 1 && (setting.value.is_told() ||
                                           to_string(setting.value).find("(not told)") != std::string::npos));
}

}  // namespace

int flagperf_fuzz(const std::uint8_t* data, std::size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  if (const auto file = read_python(text, "x.py"); is_good(file)) try_layers(*file);
  try_cases(text);
  try_cases("VENDOR = 'v'\nCASES = {\n" + std::string(text) + "}\n");
  if (const auto cluster = read_flagperf_cluster(text, "c.py"); is_good(cluster))
    for (const FlagPerfHost& host : cluster->hosts) hold_flagperf(!host.name.empty() && host.name[0] != '-');
  if (const auto names = read_mutable_params(text, "m.py"); is_good(names)) hold_flagperf(!names->empty());
  return 0;
}
