#include "gate/stored/status.h"

#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <optional>
#include <set>
#include <thread>

#include "gate/base/text.h"
#include "gate/base/time.h"
#include "gate/launch/open_files.h"
#include "gate/store/run_folder.h"
#include "gate/suite/chosen_cases.h"

namespace gate::app {

namespace {

constexpr Duration wait_between_looks{50};

std::string name_of_run(const RunStatus& run) {
  return run.run + (run.suite.empty() ? "" : " of " + run.suite) + " in " + run.root;
}

std::string names_of_runs(const std::vector<RunStatus>& runs) {
  const auto names = texts_of(runs, [&](const RunStatus& run) { return name_of_run(run); });
  return names.empty() ? "none goes on" : "these go on: " + join(names, "; ");
}

bool has_ended(const RunStatus& run) { return run.state != JobState::running; }

bool means(const RunPlaces& places, const std::string& word, const RunStatus& run) {
  const std::string path = fs::whole_path(places.folder / word).string();
  return word.empty() || word == run.run || word == run.uid || word == run.suite || path == run.root ||
         path == fs::whole_path(run.folder).string();
}

// The folder of a run, one that this user may not look into included.
std::optional<fs::Path> folder_of(const RunPlaces& places, const std::string& word) {
  const fs::Path folder = places.folder / word;
  std::error_code error;
  const bool there = std::filesystem::is_directory(folder, error);
  if (there || error == std::errc::permission_denied) return folder;
  if (places.root.empty() || word.find('/') != std::string::npos) return std::nullopt;
  const fs::Path of_id = places.root / ".gate" / "runs" / word;
  const bool has_id = std::filesystem::is_directory(of_id, error);
  return has_id || error == std::errc::permission_denied ? std::optional(of_id) : std::nullopt;
}

tl::unexpected<Failure> unknown(const RunPlaces& places, const std::string& what, const std::string& word) {
  if (const std::string gone = store::told_of_removed(places.root, word); !gone.empty()) return usage(gone);
  return usage("no " + what + " \"" + printable(word, 120) + "\" on this host or in this suite; " +
               names_of_runs(places.running));
}

bool is_open(const CaseStatus& status) { return !status.verdict && status.state != JobState::stopped; }

const CaseStatus* case_named(const RunStatus& run, const std::string& name) {
  return row_in(run.cases, name, &CaseStatus::name);
}

std::string end_of_case(const CaseStatus& status) {
  return status.verdict ? std::string(to_string(*status.verdict)) : "it was not run";
}

Answer<StopTarget> find_case_to_stop(const RunPlaces& places, const std::string& word);

// What the suite of a run that goes on calls the case that the word means: a key of FlagPerf's, a script. For
// another word no suite is opened.
Answer<StopTarget> case_meant(const RunPlaces& places, const std::string& word) {
  const bool may_mean_case =
      is_glob(word) || word.find(':') != std::string::npos || fs::exists(places.folder / word);
  if (!may_mean_case) return unknown(places, "run and no case", word);
  std::set<std::string> names;
  for (const RunStatus& run : places.running) {
    SuiteOptions options;
    options.folder = run.root;
    options.search = SuiteOptions::Search::nowhere;
    const Answer<Suite> suite = open_suite(options);
    const auto found = suite ? select_names(*suite, {word}, suite->found, places.folder)
                             : Result<std::vector<std::string>>(fail(""));
    if (!found) continue;
    for (const std::string& name : *found)
      if (name != word && case_named(run, name) != nullptr) names.insert(name);
  }
  if (names.size() > 1)
    return usage("\"" + printable(word, 120) + "\" means several cases; name one: " +
                 listed(std::vector<std::string>(names.begin(), names.end()), 5).english());
  if (names.empty()) return unknown(places, "run and no case", word);
  return find_case_to_stop(places, *names.begin());
}

// A case that has not ended in one of the runs that go on.
Answer<StopTarget> find_case_to_stop(const RunPlaces& places, const std::string& word) {
  std::vector<RunStatus> open;
  std::string ended;
  for (const RunStatus& run : places.running) {
    const CaseStatus* const status = case_named(run, word);
    if (status == nullptr) continue;
    if (is_open(*status))
      open.push_back(run);
    else
      ended = "case " + word + " of run " + name_of_run(run) + " has ended: " + end_of_case(*status);
  }
  if (open.size() == 1) return StopTarget{open.front(), word};
  if (open.size() > 1)
    return usage("case " + word +
                 " is in several runs; stop one of them, or -C its suite: " + names_of_runs(open));
  if (!ended.empty()) return refused(ended);
  return case_meant(places, word);
}

// Those whose processes are not seen here; a folder may have another path where they go on.
void add_runs_of(const fs::Path& root, std::vector<RunStatus>& runs) {
  for (const std::string& id : store::run_ids(root)) {
    const auto folder = store::find_run(root, id);
    if (!folder || !store::is_open(root, id)) continue;
    auto run = store::read_run_status(*folder);
    if (!run || has_ended(*run) || row_in(runs, run->uid, &RunStatus::uid) != nullptr) continue;
    run->folder = folder->string();
    runs.push_back(std::move(*run));
  }
}

}  // namespace

std::vector<RunStatus> runs_going_on(const fs::Path& root) {
  std::vector<RunStatus> runs;
  for (const std::string& lock : launch::open_files_named("lock")) {
    const fs::Path folder = fs::Path(lock).parent_path();
    if (!fs::exists(folder / "result.json")) continue;  // other programs have files of that name, too
    if (auto run = store::read_run_status(folder); run && !has_ended(*run)) runs.push_back(std::move(*run));
  }
  if (!root.empty()) add_runs_of(root, runs);
  std::ranges::stable_sort(runs, {}, &RunStatus::started);
  return runs;
}

bool goes_on_in(const RunStatus& run, const fs::Path& root) {
  const fs::Path whole = fs::whole_path(root);
  return fs::whole_path(run.root) == whole ||
         fs::whole_path(run.folder).parent_path() == whole / ".gate" / "runs";
}

Answer<std::vector<RunStatus>> find_runs(const RunPlaces& places, const std::string& word) {
  std::vector<RunStatus> found;
  for (const RunStatus& run : places.running)
    if (means(places, word, run)) found.push_back(run);
  const auto is_own = [&](const RunStatus& run) { return goes_on_in(run, places.root); };
  if (std::ranges::none_of(found, is_own) && !store::told_of_removed(places.root, word).empty())
    return unknown(places, "run", word);  // another suite's may have the same id
  if (!found.empty() || word.empty()) return found;
  const std::optional<fs::Path> folder = folder_of(places, word);
  if (!folder) return unknown(places, "run", word);
  GATE_TRY(RunStatus run, or_usage(store::read_run_status(*folder)));
  return std::vector{std::move(run)};
}

Answer<StopTarget> find_stop_target(const RunPlaces& places, const std::string& word) {
  const Answer<std::vector<RunStatus>> runs = find_runs(places, word);
  if (!runs && folder_of(places, word)) return tl::unexpected(runs.error());
  if (!runs || runs->empty()) return find_case_to_stop(places, word);
  if (runs->size() > 1)
    return usage("\"" + printable(word, 120) + "\" means several runs; name one: " + names_of_runs(*runs));
  const RunStatus& run = runs->front();
  if (!has_ended(run)) return StopTarget{run, ""};
  const std::string how =
      run.exit_code ? "with exit code " + std::to_string(*run.exit_code) : "when it was cut off";
  return refused("run " + run.run + " has ended, " + how + ": there is nothing to stop");
}

Answer<void> ask_to_stop(const StopTarget& target, const StopRequest& request) {
  struct stat info {};
  const fs::Path lock = fs::Path(target.run.folder) / "lock";
  const bool known = ::stat(lock.c_str(), &info) == 0;
  if (known && info.st_uid != ::geteuid() && ::geteuid() != 0)
    return refused("run " + target.run.run + " is that of " + target.run.user + " (" + "uid " +
                   std::to_string(info.st_uid) + "): only they, or root, can stop it");
  StopRequest of_case = request;
  of_case.case_name = target.case_name;
  const Status asked = store::ask_to_stop(target.run.folder, of_case);
  if (!asked) return refused(asked.error().message);
  return {};
}

Answer<RunStatus> wait_for_end(const StopTarget& target, const std::function<bool()>& is_cancelled) {
  for (;;) {
    const Result<RunStatus> now = store::read_run_status(target.run.folder);
    const CaseStatus* const own = now ? case_named(*now, target.case_name) : nullptr;
    const bool is_done = now && (has_ended(*now) || (own != nullptr && !is_open(*own)));
    if (is_done) return *now;
    if (is_cancelled() || fs::is_missing(target.run.folder)) return target.run;  // another gate may remove it
    std::this_thread::sleep_for(wait_between_looks);
  }
}

}  // namespace gate::app
