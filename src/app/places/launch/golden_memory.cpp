#include "gate/places/golden_memory.h"

#include "gate/base/object_place.h"
#include "gate/judging/case_outputs.h"
#include "gate/judging/copies.h"
#include "gate/model/numbers/tensor.h"

namespace gate::app {

GoldenMemory::~GoldenMemory() {
  std::error_code ignored;
  std::filesystem::remove_all(folder_, ignored);
}

// The copy's own hash counts: the file may change while it is read. The ending tells what the file is.
GoldenMemory::Kept GoldenMemory::kept_of(const fs::Path& file) const {
  if (names_weights(file.string())) return {golden_hash(file), file};  // too large to copy
  const fs::Path copy = folder_ / (fs::sha256(file.string()).substr(0, 12) + "-" + file.filename().string());
  const bool is_copied = !golden_hash(file).empty() && copy_as(file, copy);
  return is_copied ? Kept{golden_hash(copy), copy} : Kept{"", file};
}

void GoldenMemory::keep(const config::Settings& settings, const fs::Path& stages,
                        const GoldenHashes& before) {
  const std::lock_guard lock(mutex_);
  for (const auto& [name, output] : settings.outputs)
    for (std::size_t i = 0; i < output.golden.size(); ++i) {
      const bool comes_later = is_object_place(output.golden[i]) || output.golden[i].starts_with('{');
      if (stages.empty() && comes_later) continue;
      const fs::Path file = golden_files(output, stages)[i];
      const auto was = before.find(file.string());
      const bool is_wanted = before.empty() ? !kept_.contains(file.string())
                                            : was != before.end() && was->second != golden_hash(file);
      if (is_wanted) kept_[file.string()] = kept_of(file);
    }
}

void GoldenMemory::judge_by_kept(const std::vector<fs::Path>& golden, KeptOutput& output,
                                 std::vector<Sentence>& problems) const {
  const std::lock_guard lock(mutex_);
  for (const fs::Path& file : golden) {
    const Kept& kept = kept_.at(file.string());
    const bool is_same = golden_hash(file) == kept.sha256;
    if (!is_same)
      problems.push_back(
          say({"{}: was written while the script ran; judged by what it held when the run began",
               "{}：在脚本运行期间被写入；按运行开始时的内容判定"},
              file.string()));
    if (!is_same && kept.sha256.empty())
      output.unjudged = say({"{}: was not there when the run began", "{}：运行开始时不存在"}, file.string());
    else if (golden_hash(kept.copy) != kept.sha256)
      output.unjudged =
          say({"{}: was written while the script ran", "{}：在脚本运行期间被写入"}, kept.copy.string());
    output.golden.push_back(kept.copy);
  }
}

}  // namespace gate::app
