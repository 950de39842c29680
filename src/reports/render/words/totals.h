// A run and its cases in numbers and in a few words.
#pragma once

#include <span>
#include <string>

#include "gate/base/time.h"
#include "gate/model/reports/device_use.h"
#include "gate/model/reports/report.h"

namespace gate::render {

// Tell whether the verdict is neither passed nor skipped; of a case, whether that counts: not in quarantine.
bool is_red(Verdict verdict);
bool is_red(const CaseReport& report);

// Tell how a red case that is shown among few goes before others: one that says how it ended, then one with
// values that are no numbers; 0 goes first.
int place_among_red(const CaseReport& report);

// Return where the counts of a run have the verdict: what ended badly comes first, what is green last.
std::ptrdiff_t place_in_counts(Verdict verdict);

// Tell whether the case was recorded well, into a candidate: not where another one alone wanted its launch.
bool is_recorded(const Report& report, const CaseReport& one);

// Tell whether the case holds a check that failed under a waiver.
bool is_waived(const CaseReport& report);

// Return `66 passed, 1 waived, 1 SKIPPED, 2 RED: 1 hung, 1 regressed   speed gated in 67`, the red ones by
// their verdicts where they have several; a waived case is not counted as passed. What regressed by values
// that are no numbers is `not finite`.
// `   stopped early: 12 device-minutes saved` comes behind it if a run was stopped early.
Sentence totals(const Report& report);

// Return `1h52m, 896 device-minutes`: how long the run took, and on devices where it had any.
Sentence spent_words(const Report& report);

// Return `8 devices for 1h52m: 896 device-minutes used, 12 saved, 34 lost to hangs, 5 to infra, 120 idle; at
// best 1h40m`, of several runs `30 runs, 52h: ...`; "" where none had devices.
Sentence device_use_words(const DeviceUse& use);

// Return `12 device-minutes saved`; below ten with one decimal.
Sentence saved_words(Duration device_time);

// Return the word and colon that the last line of the report begins with: `RED:`.
Sentence closing_title(const Report& report);

// Return `PLAN: 66 to run, 1 skipped (exit 0)`.
Sentence plan_line(const Report& report);

// Return `gate 1.0.0  llm-st  run 1121-0203  npu-07, ascend-910b3  commit 9c1e2f4` without the parts that are
// unknown, and with `profile megatron` where it is not gate's own; of `gate check` only what a saved log can
// have.
Sentence header_line(const Report& report);

// Return the report's cases in the order in which people number them: model2 before model10.
std::vector<const CaseReport*> cases_by_name(const Report& report);

// Return up to 20 names, or ten of them and how many more there are: `a, b, c, ... and 12 more`.
Sentence list_of(std::span<const std::string> names);

// Return the name of the profile that judged; "" where it is gate's own.
std::string profile_of(const Report& report);

// Return `under profile gate 6 of 70 would be red: a, b, c, ... and 3 more`, of the cases that a second
// profile judged; "" where there are none.
Sentence shadow_words(const Report& report);

// Return `profile gate: regressed, lm_loss step 3: ...` where the second profile's verdict is another one;
// else "".
Sentence shadow_words(const CaseReport& one);

// Return `green until 3f2a1c7, 14 commits ago`, counted in runs where nobody can count the commits; "" where
// no green run is known.
Sentence green_since(const CaseReport& one);

// Return the duration in seconds with three decimals: `12.345`.
std::string seconds(Duration duration);

// Return a percentage rounded for a glance: `-0.4 %`, `+28.8 %`, below a tenth `+0.04 %`.
std::string short_percent(double percent);

}  // namespace gate::render
