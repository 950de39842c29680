#include "app/candidate_source.h"

#include <algorithm>

#include "gate/base/text.h"
#include "gate/schema/baseline_file.h"
#include "gate/store/run_folder.h"

namespace gate::app {

namespace {

Answer<Baseline> from_run(const fs::Path& folder, const std::string& case_name) {
  const fs::Path path = folder / case_name / "series.json";
  if (!fs::exists(path)) return refused(path.string() + ": the run left no series of " + case_name);
  const Result<std::string> text = fs::read_file(path);
  if (!text) return usage(text.error());
  Result<Baseline> baseline = schema::read_baseline(*text, path.string());
  if (!baseline) return usage(baseline.error());
  return std::move(*baseline);
}

Answer<Baseline> from_candidates(const Suite& suite, const std::string& case_name) {
  if (!fs::exists(store::candidate_path(suite.root, case_name)))
    return refused(case_name + " has no candidate; make one with gate baseline record " + case_name);
  Result<Baseline> candidate = store::read_candidate(suite.root, case_name);
  if (!candidate) return usage(candidate.error());
  return std::move(*candidate);
}

std::vector<std::string> available(const Suite& suite, const fs::Path& run_folder) {
  if (run_folder.empty()) return store::candidate_cases(suite.root);
  std::vector<std::string> names;
  for (const config::Case& the_case : suite.cases)
    if (fs::exists(run_folder / the_case.name / "series.json")) names.push_back(the_case.name);
  return names;
}

Answer<std::vector<std::string>> chosen_names(const Suite& suite, const std::vector<std::string>& words,
                                              const fs::Path& run_folder) {
  const std::vector<std::string> there = available(suite, run_folder);
  if (words.empty()) return there;
  const auto chosen = choose(suite, words, {}, suite.root);
  if (!chosen) return tl::unexpected(chosen.error());
  const bool only_globs =
      std::all_of(words.begin(), words.end(), [](const std::string& word) { return is_glob(word); });
  std::vector<std::string> names;
  for (const config::Case* the_case : *chosen)
    if (!only_globs || std::find(there.begin(), there.end(), the_case->name) != there.end())
      names.push_back(the_case->name);
  return names;
}

}  // namespace

Answer<std::vector<Baseline>> read_candidates(const Suite& suite, const std::vector<std::string>& words,
                                              const std::string& run) {
  fs::Path folder;
  if (!run.empty()) {
    const Result<fs::Path> found = store::find_run(suite.root, run);
    if (!found) return usage(found.error());
    folder = *found;
  }
  const Answer<std::vector<std::string>> names = chosen_names(suite, words, folder);
  if (!names) return tl::unexpected(names.error());
  if (names->empty())
    return refused("there is no candidate; make one with gate baseline record or gate baseline import");
  std::vector<Baseline> candidates;
  for (const std::string& name : *names) {
    Answer<Baseline> candidate = folder.empty() ? from_candidates(suite, name) : from_run(folder, name);
    if (!candidate) return tl::unexpected(candidate.error());
    candidates.push_back(std::move(*candidate));
  }
  return candidates;
}

}  // namespace gate::app
