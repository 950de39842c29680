#include "gate/launch/needs.h"

#include <algorithm>

#include "gate/base/fs.h"
#include "gate/base/text.h"

namespace gate::launch {

std::string lacking_words(const std::vector<std::string>& lacking) {
  constexpr std::size_t most = 50;
  return "it needs " + some_of(lacking, most) + (lacking.size() == 1 ? ", which is" : ", which are") +
         " not there";
}

Status check_needs(const std::vector<std::string>& paths) {
  std::vector<std::string> lacking;
  std::ranges::copy_if(paths, std::back_inserter(lacking),
                       [](const std::string& path) { return !fs::exists(path); });
  return lacking.empty() ? Status() : fail(lacking_words(lacking));
}

std::optional<Outcome> look_at_script(const Command& command) {
  if (command.script.empty()) return std::nullopt;
  const fs::Path path(command.script);
  const Result<std::string> text = fs::read_file(path);
  if (fs::sha256(text.value_or("")) == command.script_sha256) return std::nullopt;
  const bool is_gone = !fs::exists(path) && fs::is_folder(path.parent_path());
  if (!text && !is_gone) return NotStarted{text.error().message};
  return ScriptChanged{command.script + ": is not the script that was planned: it changed since; run again"};
}

}  // namespace gate::launch
