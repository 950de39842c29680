// Files that a script leaves and that are judged: [case."X".outputs.NAME].
#pragma once

#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "gate/base/result.h"
#include "gate/model/numbers/decimal.h"
#include "gate/model/numbers/metric.h"
#include "gate/model/rules/rule_list.h"
#include "gate/score/text_score.h"

namespace gate::config {

// The metric of a file of an evaluation tool: each of its scores is judged.
inline constexpr std::string_view results_metric = "results";

// In front of a file: the folder of the stages.
inline constexpr std::string_view stages_hole = "{stages}/";

// What an output has to be: a tolerance, or so near to the golden score that chance explains the distance.
struct OutputTolerance {
  std::optional<Tolerance> tolerance;    // none: in standard errors
  Decimal standard_errors;               // of the difference of both scores
  Bound::Side side = Bound::Side::both;  // of these
};

// How the text of a file is laid side by side: line by line, or as one piece.
enum class Segments { lines, file };

struct CaseOutput {
  std::string file;                 // a glob as those of `artifacts`, of a single file
  std::vector<std::string> golden;  // seen from the suite's folder; of text several references
  std::string metric;               // of score::metrics(), or `results`
  std::optional<OutputTolerance> tolerance;
  // Which numbers of a JSON or CSV file: a single one at most. Of results which scores: globs of TASK.METRIC;
  // empty is all.
  std::vector<std::string> key;
  Segments segments = Segments::lines;
  score::TextOptions text;  // what the signature behind the metric says
};

struct Override;

// Return the output that the words of a command line say: keys of `output_keys()`. Fails with the word's
// origin as its key's type demands.
Result<CaseOutput> read_output(std::span<const Override> said);

// Fail if the output lacks what it needs, or says what does not go together: no file, metric, tolerance or
// golden file, standard errors of what has none, a tolerance on the wrong side. It may lack a tolerance.
Status check_output(const std::string& name, const CaseOutput& output);

// Return the tolerance of `>= 0.75`, `-1 %`, `within 2 standard errors`, `±2 standard errors`, `-2 standard
// errors`. Fails as parse_tolerance() does.
Result<OutputTolerance> parse_output_tolerance(std::string_view text);

// Return the spelling that parse_output_tolerance() reads.
std::string to_string(const OutputTolerance& tolerance);

// Return the name of the metric that an output gives: `answer.bleu`; of an output without a name `bleu`.
std::string metric_of_output(std::string_view output, std::string_view metric);

// Return that metric: its reports are counted, the first one is the only one.
Metric output_metric(std::string name, Better better);

// Return the rule that judges it.
Rule output_rule(std::string metric, Tolerance tolerance);

// Remove the rule of an output; nothing where it has none.
void remove_rule(const std::string& output, std::string_view metric, RuleList& rules);

// Add the metric and the rule of each output whose scores are known beforehand: not those of results.
void add_outputs(const std::map<std::string, CaseOutput>& outputs, MetricTable& metrics, RuleList& rules);

}  // namespace gate::config
