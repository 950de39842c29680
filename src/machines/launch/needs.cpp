#include "gate/launch/needs.h"

#include <algorithm>

#include "gate/base/fs.h"
#include "gate/base/text.h"

namespace gate::launch {

Sentence lacking_words(const std::vector<std::string>& lacking) {
  constexpr std::size_t most = 50;
  const Sentence names = listed(lacking, most);
  return lacking.size() == 1 ? say({"it needs {}, which is not there", "它需要 {}，但不存在"}, names)
                             : say({"it needs {}, which are not there", "它需要 {}，但不存在"}, names);
}

Status check_needs(const std::vector<std::string>& paths) {
  std::vector<std::string> lacking;
  std::ranges::copy_if(paths, std::back_inserter(lacking),
                       [](const std::string& path) { return !fs::exists(path); });
  return lacking.empty() ? Status() : fail(lacking_words(lacking).english());
}

std::optional<Outcome> look_at_script(const Command& command) {
  if (command.script.empty()) return std::nullopt;
  const fs::Path path(command.script);
  const Result<std::string> text = fs::read_file(path);
  if (fs::sha256(text.value_or("")) == command.script_sha256) return std::nullopt;
  const bool is_gone = !fs::exists(path) && fs::is_folder(path.parent_path());
  if (!text && !is_gone) return NotStarted{text.error().message};
  return ScriptChanged{say({"{}: is not the script that was planned: it changed since; run again",
                            "{}：不是计划时的脚本：此后有改动；请重新运行"},
                           command.script)};
}

}  // namespace gate::launch
