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

Status check_script(const std::string& path, const std::string& sha256) {
  if (path.empty() || fs::sha256(fs::read_file(path).value_or("")) == sha256) return {};
  return fail(path + ": is not the script that was planned: it changed since; run again");
}

}  // namespace gate::launch
