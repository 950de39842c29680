#include "gate/score/score_metric.h"

#include <array>

#include "gate/base/text.h"

namespace gate::score {

namespace {

constexpr Input prose = Input::text, numbers = Input::numbers;
constexpr Better higher = Better::higher, lower = Better::lower;

constexpr std::array metric_rows{
    MetricRow{"bleu", prose, higher, "BLEU of all lines together, as sacreBLEU has it, 0..1", 0, 1},
    MetricRow{"chrf", prose, higher, "chrF, n-grams of characters, as sacreBLEU has it, 0..1", 0, 1},
    MetricRow{"chrf++", prose, higher, "chrF++, n-grams of characters and words, as sacreBLEU has it, 0..1",
              0, 1},
    MetricRow{"ter", prose, lower, "translation edit rate: edits and moves a golden word, 0 and up"},
    MetricRow{"rouge1", prose, higher, "ROUGE-1: F measure of the words in common, mean over lines, 0..1", 0,
              1},
    MetricRow{"rouge2", prose, higher,
              "ROUGE-2: F measure of the pairs of words in common, mean over lines, 0..1", 0, 1},
    MetricRow{"rougeL", prose, higher,
              "ROUGE-L: F measure of the longest common subsequence of words, mean over lines, 0..1", 0, 1},
    MetricRow{"rougeLsum", prose, higher, "ROUGE-L of summaries, whose sentences line ends part, mean, 0..1",
              0, 1},
    MetricRow{"exact_match", prose, higher, "share of the lines that are the same as a golden one, 0..1", 0,
              1},
    MetricRow{"edit_similarity", prose, higher,
              "1 less the edits a character of the longer line, mean over lines, 0..1", 0, 1},
    MetricRow{"cer", prose, lower, "character error rate: edits a golden character, 0 and up"},
    MetricRow{"wer", prose, lower, "word error rate: edits a golden word, 0 and up"},
    MetricRow{"first_divergence", prose, higher,
              "characters, line ends among them, before the first difference; all where there is none"},
    MetricRow{"cosine", numbers, higher, "cosine of the angle between both, -1..1", -1, 1},
    MetricRow{"max_abs_error", numbers, lower, "largest absolute error"},
    MetricRow{"mean_abs_error", numbers, lower, "mean absolute error"},
    MetricRow{"rmse", numbers, lower, "root of the mean squared error"},
    MetricRow{"max_relative_error", numbers, lower, "largest relative error, 0.01 is 1 %"},
    MetricRow{"mean_relative_error", numbers, lower, "mean relative error, 0.01 is 1 %"},
    MetricRow{"accumulated_relative_error", numbers, lower,
              "sum of the absolute errors by the sum of the absolute golden numbers"},
    MetricRow{"relative_euclidean_distance", numbers, lower, "Euclidean distance by the golden norm"},
    MetricRow{"kl_divergence", numbers, lower,
              "Kullback-Leibler divergence of the golden distribution, in nats"},
    MetricRow{"one_thousandth_ratio", numbers, higher,
              "share of the numbers less than 0.001 off, relative, 0..1", 0, 1},
    MetricRow{"five_thousandths_ratio", numbers, higher,
              "share of the numbers less than 0.005 off, relative, 0..1", 0, 1},
};

}  // namespace

std::span<const MetricRow> metrics() { return metric_rows; }

const MetricRow* find_metric(std::string_view name) { return row_in(metric_rows, name, &MetricRow::name); }

}  // namespace gate::score
