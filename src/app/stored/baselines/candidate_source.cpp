#include "stored/baselines/candidate_weighing.h"

#include <algorithm>
#include <iterator>
#include <set>

#include "gate/base/in_parallel.h"
#include "gate/base/log.h"
#include "gate/base/text.h"
#include "gate/schema/baseline_file.h"
#include "gate/store/run_folder.h"
#include "gate/suite/chosen_cases.h"

namespace gate::app {

namespace {

Result<Baseline> read_one(const Suite& suite, const fs::Path& run_folder, const store::BaselinePlace& place) {
  if (run_folder.empty()) return store::read_candidate(suite.layout, place);
  const fs::Path path = run_folder / place.case_name / "series.json";
  GATE_TRY(const std::string text, fs::read_file(path));
  return schema::read_baseline(text, path.string());
}

Result<std::vector<store::BaselinePlace>> find_places(const Suite& suite, const fs::Path& run_folder) {
  if (run_folder.empty()) return store::candidates(suite.layout);
  std::vector<store::BaselinePlace> places;
  for (const config::Case& spec : suite.cases)
    if (fs::exists(run_folder / spec.name / "series.json")) places.push_back({"", spec.name});
  return places;
}

// Keep what the words select; a case that is named, and not by a glob, must be there. What a glob selects and
// a run lacks is told.
Answer<std::vector<store::BaselinePlace>> chosen_places(const Suite& suite,
                                                        const std::vector<std::string>& words,
                                                        std::vector<store::BaselinePlace> there,
                                                        const fs::Path& run_folder) {
  GATE_TRY(const auto names, or_usage(select_names(suite, words, known_cases(suite), suite.root)));
  const std::set<std::string> wanted(names.begin(), names.end());
  std::erase_if(there, [&](const store::BaselinePlace& place) { return !wanted.contains(place.case_name); });
  std::set<std::string> found;
  for (const store::BaselinePlace& place : there) found.insert(place.case_name);
  for (const std::string& name : exact_names(suite, words, known_cases(suite), suite.root))
    if (!found.contains(name))
      return refused(run_folder.empty()
                         ? name + " has no candidate; make one with gate baseline record " + name
                         : run_folder.string() + ": the run left no series of " + name);
  std::vector<std::string> lacking;
  std::ranges::set_difference(wanted, found, std::back_inserter(lacking));
  constexpr std::size_t most_named = 6;
  if (!run_folder.empty() && !lacking.empty() && !found.empty())
    log::warn(run_folder.string() + ": the run left no series of " + some_of(lacking, most_named) +
              ", which the words select, too: nothing is taken of " + (lacking.size() > 1 ? "them" : "it"));
  if (!run_folder.empty() && found.empty())
    return refused(run_folder.string() + ": the run left no series of a case that the words select");
  return there;
}

}  // namespace

std::vector<config::CaseScript> known_cases(const Suite& suite) {
  const auto places = store::candidates(suite.layout).value_or(std::vector<store::BaselinePlace>());
  return cases_and(suite, texts_of(places, &store::BaselinePlace::case_name));
}

Answer<std::vector<Baseline>> read_candidates(const Suite& suite, const std::vector<std::string>& words,
                                              const std::string& run) {
  fs::Path folder;
  if (!run.empty()) {
    GATE_TRY(const fs::Path found, or_usage(store::find_run(suite.root, run)));
    folder = found;
    if (const auto report = store::read_run(suite.root, run); report && report->rehearsal)
      return refused(printable(run, 120) +
                     " was a rehearsal, without the devices that its cases want: nothing of it "
                     "becomes a baseline");
  }
  GATE_TRY(std::vector<store::BaselinePlace> places, or_infra(find_places(suite, folder)));
  if (!words.empty()) {
    GATE_TRY(auto selected, chosen_places(suite, words, std::move(places), folder));
    places = std::move(selected);
  }
  if (places.empty())
    return refused(
        "there is no candidate; make one with gate baseline record or gate baseline import, or "
        "take a run's numbers with --run RUN");
  std::vector<Result<Baseline>> read(places.size());
  constexpr std::size_t pieces_of_file = 100;
  in_parallel(places.size(), worthwhile_threads(places.size() * pieces_of_file),
              [&](std::size_t i) { read[i] = read_one(suite, folder, places[i]); });
  std::vector<Baseline> candidates;
  for (Result<Baseline>& one : read) {
    GATE_TRY(Baseline candidate, or_usage(std::move(one)));
    candidates.push_back(std::move(candidate));
  }
  return candidates;
}

}  // namespace gate::app
