// One case on a page, and in a few words.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "gate/model/reports/report.h"
#include "render/words/shared_lines.h"
#include "render/words/text_page.h"

namespace gate::render {

// How much to tell of what is in order: whether its notes are counted or listed, or everything with every
// check.
enum class Detail { counted, listed, everything };

// Return `lm_loss 15 steps, throughput -0.4%, memory 2 ranks ok`: the checks that passed, with metrics of
// several ranks as one; "" if none passed.
Sentence passed_summary(const CaseReport& report);

// Return the labels of passed_summary: `lm_loss`, `throughput`, `memory`; each once.
std::vector<std::string> passed_labels(const CaseReport& report);

// Return the case's notes, without those that a check which is shown says already.
std::vector<Sentence> untold_notes(const CaseReport& one, Detail detail);

// Return what a red case is said to be red for, besides its checks: its reason, and what to do about it.
std::vector<Sentence> red_lines(const CaseReport& one);

// Tell whether a passed case has more to say than that it passed: a waiver, a problem, another profile's
// verdict.
bool has_more_to_say(const CaseReport& one);

// Return each check that did not pass in a few words, or why the case is what it is where no check says it.
Sentence trouble_words(const CaseReport& report);

// Return in a line what was found, whatever the verdict.
Sentence found_words(const CaseReport& report);

// Return the same for a table of cases: of a red one its reason.
Sentence found_in(const CaseReport& report);

// Return why the case is what it is, in one line; how the script ended where nobody gave a reason.
Sentence why(const CaseReport& report);

// Return how long the case took, `1.1s`; "" where it did not run.
std::string duration_text(const CaseReport& one);

// What is said once for several cases, and not in each.
struct ToldOnce {
  std::vector<Ungated> ungated;     // in all cases: it is counted
  std::vector<Sentence> standing;   // notes that stand in every run: they are counted
  std::vector<SharedLine> differs;  // from the runs of their baselines
  std::vector<SharedLine> notes;
  std::vector<SharedLine> reasons;  // of red cases
  bool tells_places = false;        // a case is there at several: each is told with its own
};

// Put a passed case: one line; below it what is waived and, as the detail asks, notes, problems and checks.
// `word` says what it is: passed, or recorded where nothing was judged.
void put_green(TextPage& page, const CaseReport& one, Detail detail, const Sentence& word,
               const ToldOnce& told = {});

// Put a case that would run: where, how far, and against what.
// Put the stages that were done, and of each output that differs the first and the worst line beside the
// golden ones.
void put_outputs(TextPage& page, const CaseReport& one);

void put_planned(TextPage& page, const CaseReport& one);

// Put skipped cases that have one reason: their names and it.
void put_skipped(TextPage& page, const SharedLine& skipped);

// Put cases that were not run for one reason.
void put_not_run(TextPage& page, const SharedLine& cases);

// Put a case that does not gate for now: its verdict as any other's, and until when, why and by whom.
void put_quarantined(TextPage& page, const CaseReport& one, Detail detail, const ToldOnce& told = {});

// Put a red case: verdict, how far it came, why, each check that is not passed, problems with their lines and
// notes.
void put_red(TextPage& page, const CaseReport& one, Detail detail, const ToldOnce& told = {});

// Return of a red case in a few words what failed first, or how far it came and why.
Sentence first_trouble(const CaseReport& one);

// Put a red case as one line: these words behind its name.
void put_red_line(TextPage& page, const CaseReport& one, const ToldOnce& told);

// Put what can be done next about a red case of the run, one command or path a line.
void put_next_steps(TextPage& page, const Report& run, const CaseReport& one);

}  // namespace gate::render
