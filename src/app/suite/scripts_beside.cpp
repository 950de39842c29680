#include "gate/suite/scripts_beside.h"

#include <algorithm>
#include <array>
#include <filesystem>
#include <set>

#include "gate/base/text.h"
#include "gate/config/script_flags.h"

namespace gate::app {

namespace {

constexpr std::size_t most_files = 20'000, most_bytes = 1U << 20U;
constexpr std::string_view shell_end = ".sh";

bool is_passed_by(const std::string& name) {
  constexpr std::array<std::string_view, 4> made{"node_modules", "build", "dist", "site-packages"};
  return name.starts_with('.') || name.starts_with('_') || std::ranges::find(made, name) != made.end();
}

// Return the shell scripts of the folder, and of those below it.
std::vector<std::string> shell_scripts(const fs::Path& root, const std::string& below, bool is_deep) {
  std::vector<std::string> found;
  std::error_code error;
  std::filesystem::recursive_directory_iterator it(root / below, error), end;
  for (std::size_t seen = 0; !error && it != end && seen < most_files; it.increment(error), ++seen) {
    std::error_code ignored;
    const std::string name = it->path().filename().string();
    const bool is_folder = it->is_directory(ignored);
    if (is_folder && (!is_deep || is_passed_by(name))) it.disable_recursion_pending();
    if (!is_folder && name.ends_with(shell_end) && !is_passed_by(name))
      found.push_back(it->path().lexically_relative(root).generic_string());
  }
  return found;
}

bool trains(const fs::Path& file) {
  const Result<std::string> text = fs::read_regular(file, most_bytes);
  if (!text) return false;
  const auto flags = config::read_script_flags(*text).features;
  return std::ranges::any_of(flags, [](const auto& flag) { return flag.second.text.starts_with("--"); });
}

}  // namespace

std::vector<std::string> scripts_beside(const fs::Path& root, std::span<const std::string> globs,
                                        std::span<const std::string> scripts) {
  std::set<std::string> folders, beside;
  for (const std::string& glob : globs)
    if (!glob.starts_with('!') && glob.ends_with(shell_end)) {
      const std::string own = fs::folder_before_hole(glob);
      folders.insert(own.substr(0, own.substr(0, own.empty() ? 0 : own.size() - 1).rfind('/') + 1));
    }
  const auto is_meant = [&](const std::string& script) {
    return std::ranges::any_of(globs, [&](std::string_view glob) {
      return glob_match(glob.substr(glob.starts_with('!') ? 1 : 0), script);
    });
  };
  for (const std::string& folder : folders)
    for (const bool is_deep : {false, true})  // the nearest first: only so many are looked at
      for (const std::string& script : shell_scripts(root, folder, is_deep && !folder.empty()))
        if (!is_meant(script) && !beside.contains(script) && trains(root / script)) beside.insert(script);
  for (auto script = scripts.begin(); !beside.empty() && script != scripts.end(); ++script)
    if (const Result<std::string> text = fs::read_regular(root / *script, most_bytes))
      std::erase_if(
          beside, [&](const std::string& one) { return text->find(fs::name_of(one)) != std::string::npos; });
  return {beside.begin(), beside.end()};
}

Sentence words_of_beside(const std::string& script) {
  return say(
      {"trains, by its flags, and is no case: no glob of cases selects it; move it to the cases, or add its "
       "path to cases; \"!{}\" there says that it is none",
       "按其参数是训练脚本，但不是用例：cases 的通配符都选不中它；请移到用例目录，或把路径加入 cases；"
       "在那里写 \"!{}\" 表示它不是用例"},
      printable(script, 200));
}

}  // namespace gate::app
