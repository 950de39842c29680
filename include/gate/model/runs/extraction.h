// What was read out of the logs of one run.
#pragma once

#include <cstdint>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "gate/base/sentence.h"
#include "gate/model/numbers/output.h"
#include "gate/model/numbers/profiled.h"
#include "gate/model/numbers/series.h"
#include "gate/model/numbers/step_set.h"
#include "gate/model/rules/rule.h"
#include "gate/model/runs/known_message.h"
#include "gate/model/runs/provenance.h"
#include "gate/model/runs/test_result.h"

namespace gate {

// Something in a log that is told apart and counted, never dropped in silence.
enum class ProblemKind : std::uint8_t {
  left_out,    // a printed step without a value for a metric that other steps have
  not_finite,  // NaN or infinity
  skipped,     // the framework says that it skipped the step
  duplicate,   // the same step twice with equal values
  conflict,    // the same step twice with different values
  restart,     // a step number fell: a new attempt
  recomputed,  // the last step was computed again behind a repair: an attempt, and no restart
  merged,      // two records on one physical line
  torn,        // one record over two physical lines, or a file that ends too early
  cut_off,     // a record whose end is lost
  malformed,   // a word where a number should be
  ambiguous,   // a word that may be one number or another: 50,000
  unreadable,  // no known format, binary bytes, an empty log
  message,     // a known message of a framework or of the system
  leftover,    // processes that outlived the script
  other,
};

std::string_view to_string(ProblemKind kind);
std::optional<ProblemKind> parse_problem_kind(std::string_view name);

struct Problem {
  ProblemKind kind = ProblemKind::other;
  std::string file;        // "" where it is not about a line of a file
  std::uint32_t line = 0;  // from 1
  Sentence text;           // without file and line
};

// One run of a training from its first step on; several sources may have printed it.
struct Attempt {
  std::string source;  // the prefixes, files or ranks that the records came under; "" for a plain log
  std::int64_t first_step = 0;
  std::int64_t last_step = 0;
  std::vector<Series> series;
  std::string file = {};  // where its steps begin; "" where they stand on no lines
  std::uint32_t first_line = 0;
  std::uint32_t last_line = 0;
};

// A metric that the judged attempt does not hold, and another one of the same announced steps does.
struct LackedMetric {
  std::string metric;
  Sentence text;  // "its judged attempt, lines 30-40, has no lm_loss; attempt 1 has 20"
};

// A metric of which every rank that prints it says that it has no value.
struct FilledMetric {
  std::string metric;
  Sentence text;  // "lm_loss is -1 on every rank of the log, which ..."
};

// How far a training came by its progress bar. What it announces is no promise: a training may end before, of
// its own accord.
struct ShownBar {
  std::int64_t step = 0;
  std::int64_t total = 0;
};

// How often an extractor of a format matched.
struct MatchCount {
  std::string extractor;  // `megatron.iteration`
  std::int64_t matches = 0;
};

// Lines of one shape that hold a name and a number, and that neither a format nor a pattern reads.
struct UnreadLines {
  std::int64_t lines = 0;
  std::string name;         // of the number, a loss if the lines have one: `Loss`
  std::string example;      // the first of them; a long one from shortly before the name on
  bool tells_loss = false;  // a person would call the number a loss
};

struct Extraction {
  std::vector<std::string> files;      // what Sample::file indexes
  std::vector<std::string> formats;    // the formats that were used
  std::vector<Series> series;          // of the judged attempt: by metric in table order, then by rank
  std::vector<Attempt> attempts;       // all of them, in their order
  std::size_t attempts_counted = 0;    // beside them: they failed early in a storm of restarts
  std::vector<Sentence> other_jobs;    // attempts that were to do something else, with lines, steps and total
  std::optional<std::int64_t> total;   // the last step that the judged attempt's log announces
  std::optional<ShownBar> bar = {};    // of the judged attempt; of a bar of epochs, the last one of these
  std::vector<Problem> problems;       // in the order of their lines
  std::vector<KnownMessage> messages;  // each known message once, in the order of their first lines
  std::vector<ProcessEnd> process_ends = {};  // the last one of each file that tells any
  std::vector<MatchCount> matches;
  std::int64_t lines = 0;
  std::int64_t bytes = 0;
  Sentence cut;          // why what was read is not all that was printed; "": it is
  Sentence not_sampled;  // why its devices were not read while it ran; "": they were, or nobody knows
  Sentence not_shown;    // why the run does not show what its case is about; "": it does
  std::size_t further_starts = 0;    // of the script, which a fault of its case made: each may be an attempt
  StepSet unsteady;                  // steps whose speed says nothing: the training had just begun to go on
  Sentence doubt;                    // why nobody can tell what is to be judged; "": it is told
  Sentence copied = {};              // what of several attempts was told by equal values alone; "": nothing
  std::vector<LackedMetric> lacked;  // what the judged attempt lacks
  std::vector<UnreadLines> unread;   // those of a loss first, then the commonest
  std::vector<FilledMetric> filled = {};     // what it was printed with fillers alone of
  std::vector<Sentence> notes;               // what a person should know, e.g. which attempt is judged
  std::vector<Sentence> advice = {};         // those of them that tell how what is not read could be
  ProfiledSteps profiled = {};               // of the judged attempt, by what the log tells of its profiler
  std::set<std::string> off_arguments = {};  // of the training, by what the log tells of them: `use_mc2`
  Provenance provenance;                     // where it was measured, as far as that is known
  std::vector<OutputResult> outputs = {};    // of the case, in the order of their names
  std::optional<TestRun> tests;              // of a case that pytest judges; none: no file was looked for
  // The first step behind the fault that its case inflicts; none: no fault, or no step.
  std::optional<std::int64_t> resumed_at = {};
  // Those of the problems that are of a record which the end of its file cut off.
  std::vector<Problem> torn_ends = {};
};

// Return the first metric of a rule that the judged attempt lacks; nullptr where it has all of them.
const LackedMetric* first_lacked(const Extraction& extraction, std::span<const Rule> rules);

// Add the problems; the first one cut the log, if nothing did before.
void add_cuts(Extraction& extraction, std::vector<Problem> cuts);

}  // namespace gate
