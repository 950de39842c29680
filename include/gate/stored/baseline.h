// `gate baseline import | accept | diff | list | mv | rm`.
#pragma once

#include <string>
#include <vector>

#include "gate/base/sentence.h"
#include "gate/model/runs/imported.h"
#include "gate/suite/answer.h"
#include "gate/suite/dry_run.h"
#include "gate/suite/suite.h"

namespace gate::app {

struct ImportOptions {
  std::vector<std::string> files;  // one golden file, or the logs of one run
  std::string case_name;
  std::string platform;     // "": any; never guessed
  std::string environment;  // likewise
  std::vector<config::Override> overrides;
  std::vector<std::int64_t> steps;  // of the positions in a golden file's lists; none: 1..N, assumed
};

// Return the candidate that was written from a log or another tool's golden file.
Answer<Baseline> import(const Suite& suite, const ImportOptions& options, Moment now);

// `gate baseline import --tree`: all golden files of a folder at once.
struct TreeOptions {
  fs::Path folder;
  std::string cases;                // a glob; "": all
  std::string platform;             // of the files that name none
  std::string environment;          // likewise
  std::vector<std::int64_t> steps;  // of positions; none: 1..N, assumed
  DryRun dry_run = DryRun::no;      // yes: no candidate is written
};

// Make a candidate of every golden file below the folder (*.json; what begins with a dot is left out): what
// can be imported is, and every other one is among the refused with its reason, so are folders that cannot be
// listed. Fails (2) where the folder cannot be listed or the glob chooses none of its cases, (3) where
// nothing is there to import.
Answer<TreeImport> import_tree(const Suite& suite, const TreeOptions& options, Moment now);

struct AcceptOptions {
  std::vector<std::string> words;  // cases; none: all that have a candidate
  std::vector<std::string> named;  // cases that were named exactly, besides those of `words`
  std::string reason;
  std::string from;                  // a run instead of the candidates
  std::vector<std::string> metrics;  // names or globs; none: all
  std::string to;                    // "", general, platform; the environment is the candidate's
  std::vector<std::string> despite;  // names of refusals
  std::string who;
  bool common_shift = false;  // only what moved with the rest
};

// Make candidates the baselines; a candidate that was accepted whole is no longer one. All or none: a refusal
// of any case leaves every file as it was; but a case that cannot be read is left out, and the others do not
// wait for it: it fails where there is no other. A case that was not named exactly is refused (`regressed`)
// where the present rules call its candidate red; of one that was, the lines say what was red. With
// common_shift candidates that stand apart from the others (judge/triage.h) are left out, and those that
// moved with the rest need no name; fails where there are too few to tell. What lies beyond twice the
// tolerance from the first accepted baseline is refused (`drift`), unless it is red and was named exactly;
// accepted all the same, it becomes the first. Two accept one after the other, whoever they are: each sees
// what the other wrote.
Answer<std::vector<Accepted>> accept(const Suite& suite, const AcceptOptions& options, Moment now);

// The same for these candidates; words and `from` of the options choose nothing then.
Answer<std::vector<Accepted>> accept_these(const Suite& suite, const std::vector<Baseline>& candidates,
                                           const AcceptOptions& options, Moment now);

// Return one baseline of the case that the word means (seen from `folder`; it needs no script): the one of
// the platform, else the general one, else the only one there is.
Answer<store::BaselineFile> find_baseline(const Suite& suite, const std::string& word, const fs::Path& folder,
                                          const std::string& platform);

// One row of `gate baseline list`.
struct BaselineRow {
  std::string case_name;
  std::string place;        // `nvidia-a100@lts`, `general`
  std::string measured_on;  // the platform that its numbers are of; "": not known
  std::size_t runs = 0;
  std::string accepted;  // the date; "": nobody did
  std::string who;
  std::string reason;
  Sentence note;                            // `no script; ...`, or why the file cannot be read
  std::optional<store::BaselineFile> file;  // where cases were named
};

struct BaselinesQuery {
  std::vector<std::string> words;  // cases and globs; none: all
  std::string platform;            // "": every one
  std::string environment;         // likewise
  fs::Path folder;
};

// Return the baseline files that there are, sorted by case and place. One that cannot be read is a row that
// says so. Fails (2) for words that select nothing, (3) where no baseline is left.
Answer<std::vector<BaselineRow>> list_baselines(const Suite& suite, const BaselinesQuery& query);

// Who changes baselines, why and when.
struct BaselineChange {
  std::string reason;
  std::string who;
  Moment now;
};

// Where a baseline was, and where it is; paths relative to the suite.
struct ChangedBaseline {
  std::string from;
  std::string to;
};

// Move baselines: of a case to another name (all its places), one (`PLACE/CASE`), or all at a place
// (`PLACE/`). Each new file has the chain of the old one and an entry that says where it was; its numbers and
// what it says of their platform stay. Before anything is moved all is checked: fails (3) where something
// stands at the new place, or where it would say that numbers are of another platform or environment than
// they were measured in. Cut off in the middle and begun again it goes on: what it has written by then is
// told by its chain.
Answer<std::vector<ChangedBaseline>> move_baselines(const Suite& suite, const std::string& from,
                                                    const std::string& to, const BaselineChange& change);

// Remove the baselines that the words name, as in move_baselines(); no globs. Each file, with an entry in its
// chain that says why, is kept below .gate/removed.
Answer<std::vector<ChangedBaseline>> remove_baselines(const Suite& suite,
                                                      const std::vector<std::string>& words,
                                                      const BaselineChange& change);

// One row of `gate baseline diff`: one series before and after.
struct DiffRow {
  std::string case_name;
  std::string place;  // `nvidia-a100@lts`, `general`
  std::string series;
  Sentence steps = {};
  Sentence before = {};  // mean
  Sentence after = {};
  std::string change = {};
  Sentence largest = {};  // deviation at one step
  Sentence verdict = {};  // of the check that covers it
  bool is_gated = false, is_red = false;
  double percent = 0;  // of the change, without its sign
};

struct Diff {
  Report report;  // the judgement under the present rules
  std::vector<DiffRow> rows;
};

// Compare candidates (or the run `run`, or the git ref `ref`) with the present baselines.
Answer<Diff> diff(const Suite& suite, const std::vector<std::string>& words, const std::string& run,
                  Moment now);

}  // namespace gate::app
