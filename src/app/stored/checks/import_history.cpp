// Old logs become runs of the history, so that a team sees what gate would have said of them.
#include "gate/stored/import_history.h"

#include <algorithm>
#include <chrono>
#include <map>
#include <optional>
#include <set>
#include <system_error>
#include <tuple>

#include "gate/base/natural.h"
#include "gate/base/text.h"
#include "gate/extract/printed_time.h"
#include "gate/judging/read_logs.h"
#include "gate/store/history.h"
#include "gate/stored/check.h"
#include "gate/suite/history.h"

namespace gate::app {

namespace {

// A log, or a folder of those of one run, before it is judged.
struct OldLog {
  std::string file;
  std::string case_name;
  std::string sha256;
  Moment started;
};

// What is judged of it, and what is remembered.
struct JudgedLog {
  ImportedLog told;
  RememberedRun run;
};

// Return the name of a file or folder without what its format and its packing add.
std::string stem_of(const std::string& file) {
  std::string name = fs::name_of(file);
  return name.substr(0, name.find('.', 1));
}

// Letters of other scripts are bytes beyond ASCII.
bool is_letter_byte(char c) { return (is_letter_or_digit(c) && !is_digit(c)) || (c & 0x80) != 0; }

// Tell whether the name begins with the word, and what follows it is no part of it: `gpt-7` and `gpt7` with
// `gpt`, `gpt10` not with `gpt1`.
bool begins_with_word(std::string_view name, std::string_view word) {
  if (word.empty() || !name.starts_with(word)) return false;
  if (name.size() == word.size()) return true;
  const char next = name[word.size()];
  return !is_letter_byte(next) && !(is_digit(word.back()) && is_digit(next));
}

// A log is no older than the tools that print such, and is not of the future.
bool can_be_of(std::chrono::seconds since_1970, Moment now) {
  constexpr std::chrono::seconds year_2000{946'684'800};
  return since_1970 >= year_2000 &&
         since_1970 <= std::chrono::floor<std::chrono::seconds>(now.time_since_epoch());
}

// Return the moment that the first line with a time says, of those near the beginning; by UTC.
std::optional<Moment> told_moment(std::string_view text, Moment now) {
  constexpr std::size_t looked_at = std::size_t{64} << 10;
  for (const std::string_view line : split(text.substr(0, looked_at), '\n'))
    if (const auto micros = extract::printed_time(line))
      if (const std::chrono::microseconds time(*micros);
          can_be_of(std::chrono::floor<std::chrono::seconds>(time), now))
        return Moment(std::chrono::duration_cast<Moment::duration>(time));
  return std::nullopt;
}

Moment last_written(const std::string& file, Moment now) {
  std::error_code unknown;
  const auto time = std::chrono::file_clock::to_sys(std::filesystem::last_write_time(file, unknown));
  const bool is_told =
      !unknown && can_be_of(std::chrono::floor<std::chrono::seconds>(time.time_since_epoch()), now);
  return is_told ? std::chrono::time_point_cast<Moment::duration>(time) : now;
}

Answer<OldLog> read_old_log(const std::string& path, Moment now) {
  GATE_TRY(const std::vector<std::string> files, log_files({path}));
  OldLog log{path, "", "", {}};
  std::optional<Moment> told;
  std::string sums;
  for (const std::string& file : files) {
    GATE_TRY(const std::string text, or_usage(fs::read_file(file)));
    sums += fs::sha256(text);
    if (!told) told = told_moment(text, now);
  }
  log.sha256 = files.size() == 1 ? sums : fs::sha256(sums);
  log.started = told ? *told : last_written(files.front(), now);
  return log;
}

// Return the longest of the cases' names that the log's begins with; of a case in a group its last part will
// do.
std::string case_told_by(const Suite& suite, const std::string& file) {
  const std::string name = stem_of(file);
  std::string found;
  std::size_t longest = 0;
  for (const config::Case& spec : suite.cases) {
    const std::string last = fs::name_of(spec.name);
    if (last.size() < longest || !begins_with_word(name, last)) continue;
    found = last.size() == longest ? "" : spec.name;  // two cases of one name: nobody can tell
    longest = last.size();
  }
  return found;
}

// Return what the names of all logs begin with, up to their numbers and dates; `log` where that is nothing.
std::string common_name(const std::vector<OldLog>& logs) {
  std::string name = stem_of(logs.front().file);
  for (const OldLog& log : logs) {
    const std::string other = stem_of(log.file);
    const auto [end, ignored] = std::ranges::mismatch(name, other);
    name.erase(end, name.end());
  }
  while (!name.empty() && (!is_letter_byte(name.back()) || !std::ranges::all_of(logs, [&](const OldLog& log) {
    return begins_with_word(stem_of(log.file), name);
  })))
    name.pop_back();
  return name.empty() ? "log" : name;
}

Answer<void> name_cases(const Suite& suite, const std::string& named, std::vector<OldLog>& logs) {
  std::vector<std::string> mistakes;
  const std::string only = suite.cases.size() == 1 ? suite.cases.front().name : "";
  const std::string common = suite.cases.empty() ? common_name(logs) : "";
  for (OldLog& log : logs) {
    log.case_name = !named.empty() ? named : !common.empty() ? common : case_told_by(suite, log.file);
    if (log.case_name.empty()) log.case_name = only;
    if (log.case_name.empty())
      mistakes.push_back(log.file + ": its name begins with that of no case (" +
                         some_of(texts_of(suite.cases, &config::Case::name), 5) +
                         "); name the case with --case, one import a case");
  }
  if (!mistakes.empty()) return usage(join(mistakes, "\n"));
  return {};
}

bool is_of_suite(const Suite& suite, const std::string& case_name) {
  return suite.find(case_name) != nullptr || !store::baseline_places(suite.layout, case_name).empty();
}

// Judge it as `gate check` does: `baseline` "" is that of its case.
Answer<Report> check_log(const Suite& suite, const HistoryFiles& asked, const OldLog& log,
                         const std::string& baseline) {
  CheckOptions options;
  options.logs = {log.file};
  if (is_of_suite(suite, log.case_name)) options.case_name = log.case_name;
  options.baseline = baseline;
  options.platform = asked.platform;
  options.overrides = suite.overrides;
  return check(suite, options, log.started);
}

bool has_judged(const CaseReport& report) {
  return std::ranges::any_of(report.checks,
                             [](const Check& check) { return check.compared > 0 || check.test; });
}

std::string uid_of(const OldLog& log) { return log.sha256.substr(0, 32); }

// What is remembered of earlier imports and runs.
class Remembered {
 public:
  static Result<Remembered> open(const Suite& suite) {
    Remembered opened;
    if (!fs::exists(history_path(suite))) return opened;
    GATE_TRY(opened.history_, store::History::open(history_path(suite)));
    GATE_TRY(const auto keys, opened.history_->cases(suite.policy.name()));
    for (const store::CaseKey& key : keys) opened.cases_.insert(key.name);
    return opened;
  }

  bool knows(const OldLog& log) const { return history_ && history_->knows(uid_of(log)); }
  bool has_runs_of(const std::string& case_name) const { return cases_.contains(case_name); }

 private:
  std::optional<store::History> history_;
  std::set<std::string> cases_;
};

// Return what a log's judgement against itself says of a last step that it announces and does not reach;
// nullptr of a whole one. What is cut is no measure for others.
const remark::ShortOfAnnounced* cut_of(const CaseReport& report) {
  for (const Note& note : report.notes)
    if (const auto* cut = std::get_if<remark::ShortOfAnnounced>(&note.remark)) return cut;
  return nullptr;
}

// Judges the logs of the cases, oldest first. One that is remembered is not judged again, for its baseline
// may be another one by now: what was red would turn green.
class LogJudge {
 public:
  LogJudge(const Suite& suite, const HistoryFiles& asked, const Remembered& before)
      : suite_(suite), asked_(asked), before_(before) {}

  Answer<JudgedLog> judge(const OldLog& log) {
    const bool is_known = before_.knows(log);
    if (const auto oldest = oldest_.find(log.case_name); oldest != oldest_.end())
      return is_known ? known(log) : judge_against(log, oldest->second);
    if (is_of_suite(suite_, log.case_name)) {
      GATE_TRY(Report report, check_log(suite_, asked_, log, ""));
      if (!report.cases.front().baselines.empty())
        return is_known ? known(log) : judged(log, std::move(report), false);
    }
    if (!is_known && before_.has_runs_of(log.case_name))
      return usage(
          log.file + ": " + log.case_name +
          " has runs in the history and no baseline; name its oldest log, too, or accept a baseline: "
          "gate baseline import LOG --case " +
          shell_quote(log.case_name) + " --accept --reason \"...\"");
    return judge_first(log, is_known);
  }

 private:
  // Without a baseline the oldest whole log stands as one.
  Answer<JudgedLog> judge_first(const OldLog& log, bool is_known) {
    GATE_TRY(Report report, check_log(suite_, asked_, log, log.file));
    CaseReport& one = report.cases.front();
    const remark::ShortOfAnnounced* const cut = cut_of(one);
    if (cut == nullptr) {
      oldest_.emplace(log.case_name, log.file);
      return is_known ? known(log) : judged(log, std::move(report), true);
    }
    one.verdict = Verdict::incomplete;
    one.reason =
        say({"ended after step {} of {}: no baseline for others", "在第 {} 步结束，应有 {} 步：不能作为基线"},
            cut->reached, cut->announced);
    return is_known ? known(log) : judged(log, std::move(report), false);
  }

  static JudgedLog known(const OldLog& log) {
    ImportedLog told;
    told.file = log.file;
    told.case_name = log.case_name;
    told.started = to_iso(log.started);
    told.is_known = true;
    return {std::move(told), {}};
  }

  Answer<JudgedLog> judge_against(const OldLog& log, const std::string& oldest) const {
    GATE_TRY(Report report, check_log(suite_, asked_, log, oldest));
    return judged(log, std::move(report), false);
  }

  Answer<JudgedLog> judged(const OldLog& log, Report report, bool is_first) const {
    CaseReport& one = report.cases.front();
    if (!has_judged(one))
      return usage(log.file + ": holds no value that a rule judges (" + one.reason.english() +
                   "); gate extract shows what it holds");
    one.name = log.case_name;
    report.uid = uid_of(log);
    report.run = fs::name_of(log.file);
    report.commit.clear();  // of today's tree: nobody knows of which the log is
    RememberedRun run = remembered(report, suite_.policy.name());
    run.command = "run";
    run.altered = false;
    ImportedLog told{log.file, log.case_name, run.started, one.verdict, one.reason, is_first, false, {}};
    if (!one.problems.empty()) told.problem = one.problems.front().text;
    return JudgedLog{std::move(told), std::move(run)};
  }

  const Suite& suite_;
  const HistoryFiles& asked_;
  const Remembered& before_;
  std::map<std::string, std::string> oldest_;  // whole log of each case that has no baseline
};

void sort_by_time(std::vector<OldLog>& logs) {
  std::ranges::stable_sort(logs, [](const OldLog& a, const OldLog& b) {
    return a.started != b.started ? a.started < b.started : natural_less(a.file, b.file);
  });
}

Answer<std::vector<JudgedLog>> judge_logs(const Suite& suite, const HistoryFiles& asked,
                                          std::vector<OldLog> logs, std::vector<std::string>& mistakes) {
  std::vector<JudgedLog> all;
  if (logs.empty()) return all;
  GATE_TRY_STATUS(name_cases(suite, asked.case_name, logs));
  sort_by_time(logs);
  GATE_TRY(const Remembered before, or_usage(Remembered::open(suite)));
  LogJudge judge(suite, asked, before);
  for (const OldLog& log : logs)
    if (auto judged = judge.judge(log))
      all.push_back(std::move(*judged));
    else
      mistakes.push_back(judged.error().message);
  return all;
}

}  // namespace

Answer<HistoryImport> import_history(const Suite& suite, const HistoryFiles& asked, Moment now) {
  std::vector<RememberedRun> runs;
  std::vector<OldLog> logs;
  std::vector<std::string> mistakes;
  for (const std::string& file : asked.files) {
    const Result<std::string> text = fs::is_folder(file) ? Result<std::string>("") : fs::read_file(file);
    if (text && !holds_runs(*text)) {
      auto log = read_old_log(file, now);
      if (log) logs.push_back(std::move(*log));
      if (!log) mistakes.push_back(log.error().message);
      continue;
    }
    auto read =
        text ? runs_in(suite, *text, file) : Result<std::vector<RememberedRun>>(tl::unexpected(text.error()));
    if (!read) mistakes.push_back(read.error().message);
    if (read) std::ranges::move(*read, std::back_inserter(runs));
  }
  HistoryImport import{std::ssize(runs), {}};
  GATE_TRY(std::vector<JudgedLog> judged, judge_logs(suite, asked, std::move(logs), mistakes));
  if (!mistakes.empty()) return usage(join(mistakes, "\n"));
  for (JudgedLog& one : judged) {
    if (!one.told.is_known) runs.push_back(std::move(one.run));
    import.logs.push_back(std::move(one.told));
  }
  GATE_TRY_STATUS(remember(suite, runs));
  return import;
}

}  // namespace gate::app
