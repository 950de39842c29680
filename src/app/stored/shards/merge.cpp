#include "gate/stored/merge.h"

#include <algorithm>
#include <array>
#include <iterator>
#include <map>
#include <optional>
#include <set>
#include <string_view>

#include "gate/base/fs.h"
#include "gate/base/natural.h"
#include "gate/base/text.h"
#include "gate/base/time.h"
#include "gate/store/run_folder.h"
#include "gate/suite/shards.h"

namespace gate::app {

namespace {

// The files of a case, where the folder of its run is now.

// Return the ends of the path that begin with the name of the case, the longest first.
std::vector<std::string> ends_from_case(const std::string& path, const std::string& case_name) {
  std::vector<std::string> ends;
  const std::string part = case_name + "/";
  for (std::size_t at = path.find(part); at != std::string::npos; at = path.find(part, at + 1))
    if (at == 0 || path[at - 1] == '/') ends.push_back(path.substr(at));
  return ends;
}

std::optional<std::string> found(const std::string& path, const std::string& case_name,
                                 const fs::Path& folder) {
  const auto is_there = [&](const fs::Path& one) { return fs::exists(one) && fs::is_within(one, folder); };
  if (is_there(path)) return path;
  for (const std::string& end : ends_from_case(path, case_name))
    if (is_there(folder / end)) return (folder / end).string();
  return std::nullopt;
}

// Make the paths of the case lead into the folder of its run, which may have been moved to another place or
// host since: artifacts that are not there are left out; the file of a value that is not there is told from
// the case's folder on.
void find_files(CaseReport& report, const fs::Path& run_folder) {
  const auto find = [&](std::string& path) {
    if (path.empty()) return true;
    const auto there = found(path, report.name, run_folder);
    const auto ends = ends_from_case(path, report.name);
    if (there || !ends.empty()) path = there.value_or(ends.empty() ? path : ends.back());
    return there.has_value();
  };
  const auto find_in = [&](std::vector<Check>& checks) {
    for (Check& check : checks)
      for (std::optional<Miss>* miss : {&check.first_miss, &check.largest})
        if (*miss) find((*miss)->file);
  };
  for (auto it = report.artifacts.begin(); it != report.artifacts.end();)
    it = find(it->second) ? std::next(it) : report.artifacts.erase(it);
  find_in(report.checks);
  if (report.shadow) find_in(report.shadow->checks);
  if (report.cause) find(report.cause->file);
  for (Problem& problem : report.problems) find(problem.file);
}

struct GivenRun {
  std::string word;
  fs::Path folder;
  Report report;
};

constexpr int highest_code = 255;  // that a program can end with

Sentence part_text(const GivenRun& run) {
  const std::string word = printable(run.word, 120);
  if (!run.report.shard) return as_is(word);
  return say({"shard {} in {}", "{1} 的分片 {0}"}, to_string(*run.report.shard), word);
}

std::string told(const GivenRun& run) { return part_text(run).english(); }

Answer<GivenRun> read_given(const Suite& suite, const std::string& word) {
  GATE_TRY(auto folder, or_usage(store::find_run(suite.root, word)));
  GATE_TRY(Report report, or_usage(store::read_run(suite.root, word)));
  if (report.command != "run") return usage("--merge: " + printable(word, 120) + " is no `gate run`");
  return GivenRun{word, std::move(folder), std::move(report)};
}

Answer<std::vector<GivenRun>> read_all_given(const Suite& suite, const std::vector<std::string>& words) {
  if (words.empty()) return usage("--merge: name the runs: ids, folders or files result.json");
  std::vector<GivenRun> runs;
  for (const std::string& word : words) {
    GATE_TRY(GivenRun run, read_given(suite, word));
    runs.push_back(std::move(run));
  }
  return runs;
}

// --- what belongs together -----------------------------------------------------------------------

std::string of_shards(const Report& report, std::string words) {
  return report.shard ? std::move(words) : std::string();
}

// Where the cases ran is their own platform's; without cases there is none to speak of.
std::string platform_here(const Report& report) {
  const bool is_elsewhere =
      std::ranges::any_of(report.cases, [](const CaseReport& one) { return !one.hosts.empty(); });
  return is_elsewhere || report.cases.empty() ? "" : report.platform;
}

// What all runs have alike.
struct Alike {
  std::string_view what;
  std::string (*of)(const Report& report);
  bool is_known_of_all = true;  // false: those that do not say it go with every one
};

constexpr std::array<Alike, 15> alike{{
    {"suite", [](const Report& one) { return one.suite; }},
    {"commit", [](const Report& one) { return one.commit; }},
    {"version of gate", [](const Report& one) { return one.gate_version; }},
    {"number of shards",
     [](const Report& one) { return one.shard ? std::to_string(one.shard->count) : std::string(); }},
    {"choice of cases", [](const Report& one) { return of_shards(one, join(one.words, " ")); }},
    {"--tag", [](const Report& one) { return of_shards(one, join(one.tags, " ")); }},
    {"--strategy", [](const Report& one) { return one.strategy; }},
    {"--set", [](const Report& one) { return join(one.set, " "); }},
    {"settings, of gate.toml or the command line", [](const Report& one) { return one.settings; }},
    {"policy from a git ref", [](const Report& one) { return one.policy ? one.policy->commit : ""; }},
    {"--changed-since", [](const Report& one) { return one.changed_since_commit; }},
    {"environment", [](const Report& one) { return one.environment; }},
    {"platform", platform_here, false},
    {"baselines", [](const Report& one) { return one.baselines; }, false},
    {"split of the suite's cases", [](const Report& one) { return one.split; }},
}};

std::string shown(const std::string& value) { return value.empty() ? "none" : printable(value, 60); }

Answer<void> check_alike(const std::vector<GivenRun>& runs) {
  for (const Alike& row : alike) {
    const GivenRun* first = nullptr;
    for (const GivenRun& run : runs) {
      if (!row.is_known_of_all && row.of(run.report).empty()) continue;
      if (first == nullptr) first = &run;
      const std::string a = row.of(first->report), b = row.of(run.report);
      if (a != b)
        return usage("--merge: " + told(*first) + " and " + told(run) + " have not the same " +
                     std::string(row.what) + ": " + shown(a) + ", and " + shown(b));
    }
  }
  return {};
}

// --- shards --------------------------------------------------------------------------------------

// Keep of two runs of one shard the one that started later.
Answer<void> keep_latest(std::vector<GivenRun>& runs, std::vector<Sentence>& notes) {
  std::map<int, GivenRun> latest;
  std::vector<GivenRun> whole;
  for (GivenRun& run : runs) {
    if (!run.report.shard) {
      whole.push_back(std::move(run));
      continue;
    }
    const auto [at, is_first] = latest.try_emplace(run.report.shard->number);
    if (!is_first) {
      GivenRun& other = at->second;
      const auto began = parse_iso(run.report.started), other_began = parse_iso(other.report.started);
      if (!began || !other_began || *began == *other_began)
        return usage("--merge: " + told(other) + " and " + told(run) +
                     " are of one shard, and neither started later; name one of them");
      if (*began < *other_began) std::swap(run, other);
      notes.push_back(say({"{} is left out, started {}, exit {}", "略去 {}，开始于 {}，退出码 {}"},
                          part_text(other), other.report.started, other.report.exit_code));
    }
    at->second = std::move(run);
  }
  runs = std::move(whole);
  for (auto& [number, run] : latest) runs.push_back(std::move(run));
  return {};
}

Answer<ShardByCase> shards_by_case(const std::vector<GivenRun>& runs) {
  ShardByCase split;
  for (const GivenRun& run : runs)
    for (const CaseReport& one : run.report.cases)
      if (!split.emplace(one.name, run.report.shard.value_or(Shard{}).number).second)
        return usage("--merge: case " + printable(one.name, 120) + " is in " + told(run) +
                     " and in another one of these runs");
  return split;
}

std::vector<std::string> missing_shards(const std::vector<GivenRun>& runs) {
  std::vector<std::string> missing;
  std::set<int> there;
  for (const GivenRun& run : runs) {
    std::ranges::copy(run.report.missing, std::back_inserter(missing));
    if (run.report.shard) there.insert(run.report.shard->number);
  }
  if (there.empty()) return missing;
  const int count = runs.front().report.shard->count;
  for (int number = 1; number <= count; ++number)
    if (!there.contains(number)) missing.push_back(to_string(Shard{number, count}));
  return missing;
}

// Fail where all shards are there, and together they are not what the suite was split into.
Answer<void> check_split(const ShardByCase& split, const std::vector<GivenRun>& runs, const Report& merged) {
  const Report& any = runs.front().report;
  if (!any.shard || !merged.missing.empty() || split_sha256(split) == any.split) return {};
  return usage(
      "--merge: the cases of these shards are not those that the suite was split into; a result.json "
      "was changed");
}

// --- the one report ------------------------------------------------------------------------------

std::vector<std::string> named_in(const Report& report) {
  std::vector<std::string> named;
  std::ranges::copy_if(report.words, std::back_inserter(named),
                       [](const std::string& word) { return !is_glob(word); });
  return named;
}

// What a run ended with for another reason than its cases: an interrupt, a full disk.
int code_beside_cases(const Report& report) {
  return report.exit_code == exit_code_of(report, named_in(report)) ? exit_code::ok : report.exit_code;
}

void add_word(std::string& words, const std::string& word) {
  const auto known = split(words, ',');
  const bool is_known =
      std::ranges::any_of(known, [&](std::string_view one) { return trim(one) == std::string_view(word); });
  if (!word.empty() && !is_known) words += (words.empty() ? "" : ", ") + word;
}

void add_new(std::vector<std::string>& all, const std::vector<std::string>& more) {
  for (const std::string& one : more)
    if (std::ranges::find(all, one) == all.end()) all.push_back(one);
}

// Shards run beside one another, so the longest of them is how long all took.
void take_in(Report& merged, GivenRun run) {
  Report& report = run.report;
  add_word(merged.host, report.host);
  add_word(merged.platform, report.platform);
  add_new(merged.words, report.words);
  add_new(merged.tags, report.tags);
  merged.started = std::min(merged.started, report.started);
  merged.finished = std::max(merged.finished, report.finished);
  merged.duration = std::max(merged.duration, report.duration);
  merged.rehearsal |= report.rehearsal;
  merged.merged.push_back(told(run) + " (" + report.host + ", started " + report.started + ", exit " +
                          std::to_string(report.exit_code) + ")");
  if (merged.policy && report.policy)
    for (PolicyFinding& finding : report.policy->findings)
      add_finding(merged.policy->findings, std::move(finding));
  for (const Sentence& note : report.notes) merged.notes.push_back(part_text(run) + colon + note);
  for (CaseReport& one : report.cases) {
    find_files(one, run.folder);
    merged.cases.push_back(std::move(one));
  }
}

Report empty_report_like(const Report& first) {
  Report merged;
  merged.gate_version = first.gate_version;
  merged.suite = first.suite;
  merged.command = first.command;
  merged.commit = first.commit;
  merged.started = first.started;
  merged.strategy = first.strategy;
  merged.set = first.set;
  merged.settings = first.settings;
  merged.policy = first.policy;
  merged.changed_since = first.changed_since;
  merged.changed_since_commit = first.changed_since_commit;
  merged.environment = first.environment;
  merged.nothing_ok = first.nothing_ok;
  merged.determinism = first.determinism;
  return merged;
}

}  // namespace

Answer<Report> merge_runs(const Suite& suite, const std::vector<std::string>& words) {
  GATE_TRY(std::vector<GivenRun> runs, read_all_given(suite, words));
  GATE_TRY_STATUS(check_alike(runs));
  std::vector<Sentence> left_out;
  GATE_TRY_STATUS(keep_latest(runs, left_out));
  GATE_TRY(const ShardByCase split, shards_by_case(runs));
  Report merged = empty_report_like(runs.front().report);
  merged.notes = std::move(left_out);
  merged.missing = missing_shards(runs);
  GATE_TRY_STATUS(check_split(split, runs, merged));
  std::vector<int> codes{merged.missing.empty() ? exit_code::ok : exit_code::refused};
  for (GivenRun& run : runs) {
    codes.push_back(code_beside_cases(run.report));
    take_in(merged, std::move(run));
  }
  std::ranges::stable_sort(merged.cases, natural_less, &CaseReport::name);
  codes.push_back(exit_code_of(merged, named_in(merged)));
  merged.exit_code = worst_exit_code(codes);
  if (merged.exit_code < 0 || merged.exit_code > highest_code)
    return usage("--merge: a run that ends with " + std::to_string(merged.exit_code) +
                 " is none; a result.json was changed");
  return merged;
}

}  // namespace gate::app
