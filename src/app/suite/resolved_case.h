// A case that was found, with all that is said of it: by gate.toml, its script, its own file and the command
// line.
#pragma once

#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "gate/base/diagnostics.h"
#include "gate/suite/published.h"
#include "gate/suite/suite.h"

namespace gate::app {

// The names that a policy may speak of.
struct SpokenNames {
  std::vector<std::string> cases;                            // sorted
  std::vector<std::string> all;                              // with those of which they are variants; sorted
  std::map<std::string, std::vector<std::string>> variants;  // by the name of their case
};

// Return the names of the cases that were found, left out, and gone.
SpokenNames spoken_of(const Suite& suite);

// Return the text of the script with the texts of files which it reads in from beside it or from the folder
// where it runs; of no files that these read in.
std::string with_sourced_texts(const std::string& text, const fs::Path& script, const fs::Path& folder);

// The texts of scripts, each read once however many variants it has. Safe from several threads.
class ScriptTexts {
 public:
  PerformanceTable references = {};  // that cases may be bound to

  Result<std::string> read(const fs::Path& path) {
    const std::scoped_lock lock(mutex_);
    const auto [known, is_new] = texts_.try_emplace(path.native(), std::string());
    if (is_new) known->second = fs::read_file(path);
    return known->second;
  }

  // Return the text of the script, which runs in the folder, with that of files which it reads in, and behind
  // it the words that it is launched with.
  std::shared_ptr<const std::string> training_text(const fs::Path& path, const fs::Path& folder,
                                                   const std::string& words) {
    const std::string text = read(path).value_or("");
    const std::scoped_lock lock(mutex_);
    std::shared_ptr<const std::string>& known = trainings_[{path.native() + "\n" + folder.native(), words}];
    if (known == nullptr)
      known = std::make_shared<const std::string>(with_sourced_texts(text, path, folder) + "\n" + words);
    return known;
  }

  // Return what the script, and the words that it is launched with, say of its sequence length.
  config::SequenceLength sequence_length(const fs::Path& path, const std::string& words) {
    const std::string text = read(path).value_or("");
    const std::scoped_lock lock(mutex_);
    const auto [known, is_new] = lengths_.try_emplace({path.native(), words});
    if (is_new) known->second = config::read_sequence_length(text + "\n" + words);
    return known->second;
  }

 private:
  std::mutex mutex_;
  std::map<std::string, Result<std::string>> texts_;
  std::map<std::pair<std::string, std::string>, config::SequenceLength> lengths_;
  std::map<std::pair<std::string, std::string>, std::shared_ptr<const std::string>> trainings_;
};

struct ResolvedCase {
  std::optional<config::Case> spec = {};
  Diagnostics mistakes = {};
};

// Return the case and its mistakes; no case where it cannot be resolved. One whose file alone has mistakes is
// held to what is said without it, and is not judged (decision 67).
ResolvedCase resolve_case(const Suite& suite, const config::CaseScript& found, const SpokenNames& names,
                          ScriptTexts& texts);

}  // namespace gate::app
