// What is worth knowing of a check, of a metric that is not gated, or of a case: values. words/remarks.h
// turns them into sentences.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "gate/base/sentence.h"
#include "gate/model/numbers/metric.h"
#include "gate/model/numbers/sample.h"
#include "gate/model/numbers/step_set.h"
#include "gate/model/rules/rule.h"
#include "gate/model/rules/verdict.h"
#include "gate/model/runs/fingerprint.h"
#include "gate/model/runs/outcome.h"

namespace gate {

// The ranks of several series; a series of no rank has none.
using Ranks = std::vector<std::optional<int>>;

// An interval in which a value may lie; an end belongs to it unless it is open.
struct LimitRange {
  std::optional<Value> low, high;  // none: unbounded
  bool low_open = false, high_open = false;
  bool operator==(const LimitRange&) const = default;
};

// Rising, apart from one another; none: there is no limit.
using LimitRanges = std::vector<LimitRange>;

namespace remark {

enum class Side : std::uint8_t { run, baseline };

// What is said without a number.
enum class Plain : std::uint8_t {
  bit_equal,
  no_baseline,
  no_rule,
  no_longer_printed,
  not_in_baseline,
  rank_not_in_baseline,  // which has others of the metric
  rule_judges_nothing,   // likewise, of a rule that gate.toml writes
  zero_speed,
  short_curve,
  only_exit,
  only_tests,
  ending_unknown,
  window_unsettled,
  window_not_filled,
  further_run_not_whole,
  profiled_throughout,
  percent_beside_share,
  baseline_empty,
  baseline_ragged,
  named_without_value,
  times_side_by_side,
  steps_assumed,
  golden_not_by_step,
  golden_not_finite,
  golden_selects_nothing,
  run_not_by_step,
};

// A sentence that is given as it is: of a stored result, or of who runs the case.
struct Text {
  Sentence text;
  bool tells_missing = false;  // it was one of missing steps, which say that they are missing
  bool operator==(const Text&) const = default;
};

// --- what the run lacks, or has too much of ---------------------------------------------------------

struct NotInRun {
  Ranks ranks;  // of several that are combined: the ones that lack; none: the whole series
  bool operator==(const NotInRun&) const = default;
};

struct MissingSteps {
  StepSet steps;
  std::optional<std::int64_t> last = {};  // of those that are demanded; none: not told
  bool operator==(const MissingSteps&) const = default;
};

// The run has ranks that the baseline does not have, and the rule combines them.
struct NotInBaseline {
  Ranks ranks;
  bool operator==(const NotInBaseline&) const = default;
};

// Numbers of the run that the baseline does not have.
struct NotJudged {
  StepSet steps;
  bool operator==(const NotJudged&) const = default;
};

// Steps of a metric that were printed without a finite number.
struct NotFinite {
  std::string metric;
  ValueKind kind = ValueKind::nan;
  StepSet steps;
  bool operator==(const NotFinite&) const = default;
};

// Steps of a metric that were printed without a finite number, and that the framework says it skipped.
struct OfSkipped {
  ValueKind kind = ValueKind::nan;
  StepSet steps;
  bool operator==(const OfSkipped&) const = default;
};

// Steps at which a norm or a loss is 0 and the baseline's is not.
struct NewZeros {
  StepSet steps;
  bool operator==(const NewZeros&) const = default;
};

// What another metric says of a step that was printed without a finite number.
struct AtSameStep {
  std::string metric;
  Value value;
  std::int64_t step = 0;
  bool operator==(const AtSameStep&) const = default;
};

// --- why two sides cannot be compared ---------------------------------------------------------------

struct EmptyWindow {
  Window window;
  std::optional<StepSet> of_baseline;  // none: it selects nothing of the run
  bool operator==(const EmptyWindow&) const = default;
};

// Different values for one number.
struct Conflict {
  Side side = Side::run;
  std::string metric;
  StepSet steps;
  bool operator==(const Conflict&) const = default;
};

struct BaselineNotFinite {
  Value value;
  std::int64_t step = 0;
  bool operator==(const BaselineNotFinite&) const = default;
};

struct NoReducedValue {
  Side side = Side::run;
  Reduce reduce = Reduce::mean;
  bool operator==(const NoReducedValue&) const = default;
};

// The tolerance is smaller than what is printed can show.
struct TooCoarse {
  std::int32_t exponent = 0;  // of the finest decimal that is printed
  Tolerance tolerance;
  bool operator==(const TooCoarse&) const = default;
};

// The tolerance is no smaller than the values: 0, or twice the value, passes in place of each of them.
struct TooWide {
  Tolerance tolerance;
  std::string rule;
  bool operator==(const TooWide&) const = default;
};

struct OtherUnit {
  std::string run, baseline;
  bool operator==(const OtherUnit&) const = default;
};

struct OtherNumbering {
  Numbering run = Numbering::step;
  Numbering baseline = Numbering::step;
  std::string rule;  // that can be switched off; "" where nothing is offered
  bool operator==(const OtherNumbering&) const = default;
};

struct OtherPlatform {
  std::string run, baseline;
  bool operator==(const OtherPlatform&) const = default;
};

// A determinism switch has another value than in the baseline's run, and so a speed that cannot be compared.
struct OtherSwitch {
  FactChange change;
  bool operator==(const OtherSwitch&) const = default;
};

struct OtherLength {
  std::int64_t run = 0;
  std::int64_t baseline = 0;
  bool is_of_last_steps = false;  // the baseline's list, by a longer one beside it
  bool operator==(const OtherLength&) const = default;
};

// --- how a check went -------------------------------------------------------------------------------

// The window is not full, and no rest could bring its value within the limit.
struct OutOfReach {
  Reduce reduce = Reduce::mean;
  LimitRanges limit;
  bool operator==(const OutOfReach&) const = default;
};

// The run's value is the baseline's times the same number wherever both have one.
struct SameRatio {
  double ratio = 1;
  bool operator==(const SameRatio&) const = default;
};

struct Waived {
  std::string until;  // ISO date
  std::string reason;
  bool has_expired = false;
  bool operator==(const Waived&) const = default;
};

struct NoLongerBitEqual {
  std::int64_t from = 0;
  std::optional<Tolerance> within;  // none: not within its tolerance throughout, or its window is bit-equal
  bool operator==(const NoLongerBitEqual&) const = default;
};

// Values outside the rule's window that its tolerance would not let pass.
struct OffUnjudged {
  StepSet numbers;
  Value most;  // the largest difference, without a sign
  bool operator==(const OffUnjudged&) const = default;
};

// Every difference is to one side.
struct Bias {
  StepSet steps;
  bool is_above = false;
  Value mean;
  bool operator==(const Bias&) const = default;
};

// A value further in the good direction than the tolerance would allow in the bad one.
struct MoveForTheBetter {
  std::optional<std::int64_t> step;  // none: the reduced value of the window
  Reduce reduce = Reduce::each;
  StepSet window;
  Value actual, baseline;
  double percent = 0;  // from the baseline, three significant digits
  double ratio = 0;    // to the baseline
  bool operator==(const MoveForTheBetter&) const = default;
};

// Whether the median of a window whose mean is out of bounds is so, too.
struct Stall {
  enum class Median : std::uint8_t { fails, passes };
  Median median = Median::fails;
  std::optional<double> percent;  // of the median from the baseline's, three significant digits
  StepSet slow;                   // of a median that passes: the steps that are out of bounds
  MetricKind kind = MetricKind::speed;
  bool operator==(const Stall&) const = default;
};

struct ZeroBaseline {
  StepSet steps;  // empty: the reduced value
  bool operator==(const ZeroBaseline&) const = default;
};

struct AllowedMisses {
  std::int64_t misses = 0;
  std::int64_t compared = 0;
  std::int64_t allowed = 0;
  std::int64_t first = 0;
  bool operator==(const AllowedMisses&) const = default;
};

// The script's end, which is all that is judged.
struct Ended {
  Outcome outcome;
  bool operator==(const Ended&) const = default;
};

// The operands of a derived metric at a step.
struct Operands {
  std::int64_t step = 0;
  std::string text;  // `a = 1, b = 2`
  bool operator==(const Operands&) const = default;
};

// What a check found before further runs were asked for.
struct FirstRun {
  CheckStatus status = CheckStatus::fail;
  std::optional<std::int64_t> step;  // of the largest deviation; none: a reduced value
  std::optional<Reduce> reduce;
  std::optional<Value> actual;
  std::string unit;
  LimitRanges limit;
  bool operator==(const FirstRun&) const = default;
};

// What --confirm made of it.
struct Pooled {
  FirstRun first;
  std::int64_t runs = 0;
  std::vector<std::optional<Value>> of_each;
  std::optional<Value> together;
  bool is_confirmed = false;
  bool operator==(const Pooled&) const = default;
};

// A rule that each of several runs is judged by for itself: what is shown is of the run that is farthest out,
// or comes nearest to the limit.
struct OfRuns {
  std::int64_t run = 0;  // from 1
  std::int64_t runs = 0;
  bool operator==(const OfRuns&) const = default;
};

// A value of several runs together.
struct Repeated {
  std::vector<std::optional<Value>> of_each;
  std::string unit;
  bool are_apart = false;  // two of them, by more than the tolerance
  bool operator==(const Repeated&) const = default;
};

// Of two tolerances, the one that the run's switches chose.
struct ByMode {
  bool is_deterministic = false;
  std::string by = {};  // the switch; "": none says anything
  bool is_known =
      true;  // false: nobody can tell; the baseline's run was deterministic, or the looser one was chosen
  bool operator==(const ByMode&) const = default;
};

// Several runs printed the same.
struct PrintedAlike {
  std::int64_t runs = 0;
  int digits = 0;  // significant ones, of the longest value
  bool operator==(const PrintedAlike&) const = default;
};

// Of several runs, the one that is the first to differ from the first.
struct PrintedOtherwise {
  std::int64_t run = 0;
  std::int64_t runs = 0;
  bool operator==(const PrintedOtherwise&) const = default;
};

// --- of other tools' rules --------------------------------------------------------------------------

struct MayMiss {
  std::int64_t misses = 0;
  std::int64_t compared = 0;
  std::int64_t allowed = 0;
  bool operator==(const MayMiss&) const = default;
};

// How pairs that are put side by side lack a number.
struct Unpaired {
  enum class Lack : std::uint8_t { not_finite, not_recorded, nowhere };
  Lack lack = Lack::not_finite;
  StepSet steps;
  bool operator==(const Unpaired&) const = default;
};

struct NotFiniteInWindow {
  StepSet steps;
  bool operator==(const NotFiniteInWindow&) const = default;
};

// The list has no value behind the first ones, which are left out; or fewer than those.
struct OnlyWarmUp {
  std::int64_t first = 0;
  bool is_shorter = false;
  bool operator==(const OnlyWarmUp&) const = default;
};

struct OtherRank {
  int rank = 0;
  bool operator==(const OtherRank&) const = default;
};

struct NotCompared {
  std::string profile;
  bool operator==(const NotCompared&) const = default;
};

struct AttemptsCompared {
  std::string profile;
  std::int64_t attempts = 0;
  bool operator==(const AttemptsCompared&) const = default;
};

// Of a launch of pytest's that did not come to its end: the test that began last.
struct LastTest {
  std::string name;
  bool operator==(const LastTest&) const = default;
};

// --- of rules and cases -----------------------------------------------------------------------------

struct GatedInstead {
  std::string metric;
  bool operator==(const GatedInstead&) const = default;
};

struct ShortOfAnnounced {
  std::int64_t reached = 0;
  std::int64_t announced = 0;
  bool operator==(const ShortOfAnnounced&) const = default;
};

}  // namespace remark

using Remark =
    std::variant<remark::Plain, remark::Text, remark::NotInRun, remark::MissingSteps, remark::NotInBaseline,
                 remark::NotJudged, remark::NotFinite, remark::OfSkipped, remark::NewZeros,
                 remark::AtSameStep, remark::EmptyWindow, remark::Conflict, remark::BaselineNotFinite,
                 remark::NoReducedValue, remark::TooCoarse, remark::TooWide, remark::OtherUnit,
                 remark::OtherNumbering, remark::OtherPlatform, remark::OtherSwitch, remark::OtherLength,
                 remark::OutOfReach, remark::Waived, remark::NoLongerBitEqual, remark::OffUnjudged,
                 remark::Bias, remark::MoveForTheBetter, remark::Stall, remark::ZeroBaseline,
                 remark::AllowedMisses, remark::Ended, remark::Operands, remark::FirstRun, remark::Pooled,
                 remark::OfRuns, remark::Repeated, remark::ByMode, remark::PrintedAlike,
                 remark::PrintedOtherwise, remark::MayMiss, remark::Unpaired, remark::NotFiniteInWindow,
                 remark::OnlyWarmUp, remark::OtherRank, remark::NotCompared, remark::AttemptsCompared,
                 remark::GatedInstead, remark::ShortOfAnnounced, remark::LastTest, remark::SameRatio>;

// A remark on metrics of a case, or on the case.
struct Note {
  // A metric, or a rule, and those of its ranks that the remark is on.
  struct Subject {
    std::string name;
    Ranks ranks;
    bool operator==(const Subject&) const = default;
  };
  std::vector<Subject> subjects;  // none: the case
  Numbering numbered = Numbering::step;
  Remark remark;
  bool operator==(const Note&) const = default;
};

// Return the sentence as a note on the case.
inline Note plain_note(Sentence text) { return {{}, Numbering::step, remark::Text{std::move(text)}}; }

}  // namespace gate
