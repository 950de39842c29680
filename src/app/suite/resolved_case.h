// A case that was found, with all that is said of it: by gate.toml, its script, its own file and the command
// line.
#pragma once

#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <unordered_map>
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

// The texts of scripts and of files that they read in, each read once however many have it. Safe from several
// threads.
class ScriptTexts {
 public:
  using Text = std::shared_ptr<const Result<std::string>>;

  PerformanceTable references = {};  // that cases may be bound to

  Text read(const fs::Path& path) {
    return known(texts_, path.native(),
                 [&] { return std::make_shared<const Result<std::string>>(fs::read_file(path)); });
  }

  // Forget a text that no other case has: those of ten thousand are much to hold, and more to free at once.
  void forget(const fs::Path& path) {
    const std::scoped_lock lock(mutex_);
    texts_.erase(path.native());
  }

  // Return the text of the script, which runs in the folder, with that of files which it reads in, and behind
  // it the words that it is launched with; variants of a case share theirs.
  std::shared_ptr<const std::string> training_text(const fs::Path& path, const fs::Path& folder,
                                                   const std::string& words, bool is_variant) {
    const auto make = [&] {
      return std::make_shared<const std::string>(with_sourced_texts(path, folder) + "\n" + words);
    };
    if (!is_variant) return make();
    return known(trainings_, path.native() + "\n" + folder.native() + "\n" + words, make);
  }

  // Return what the script, and the words that it is launched with, say of its sequence length.
  config::SequenceLength sequence_length(const fs::Path& path, const std::string& words) {
    return known(lengths_, path.native() + "\n" + words,
                 [&] { return config::read_sequence_length(read(path)->value_or("") + "\n" + words); });
  }

 private:
  // Return the text of the script with the texts of files which it reads in from beside it or from the folder
  // where it runs; of no files that these read in.
  std::string with_sourced_texts(const fs::Path& script, const fs::Path& folder);

  template <class Value>
  using ByText = std::unordered_map<std::string, Value>;

  // Return what the map has under the key, made where it has nothing: no thread waits for another's file.
  template <class Value, class Make>
  Value known(ByText<Value>& all, const std::string& key, const Make& make) {
    {
      const std::scoped_lock lock(mutex_);
      if (const auto found = all.find(key); found != all.end()) return found->second;
    }
    Value made = make();
    const std::scoped_lock lock(mutex_);
    return all.try_emplace(key, std::move(made)).first->second;
  }

  std::mutex mutex_;
  ByText<Text> texts_;
  ByText<std::optional<std::string>> sourced_;
  ByText<config::SequenceLength> lengths_;
  ByText<std::shared_ptr<const std::string>> trainings_;
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
