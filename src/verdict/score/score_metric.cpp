#include "gate/score/score_metric.h"

#include <array>

#include "gate/base/text.h"

namespace gate::score {

namespace {

constexpr Input prose = Input::text, numbers = Input::numbers;
constexpr Better higher = Better::higher, lower = Better::lower;

constexpr std::array metric_rows{
    MetricRow{"bleu", prose, higher, "corpus BLEU as in sacreBLEU, 0..1", 0, 1},
    MetricRow{"chrf", prose, higher, "chrF, character n-grams, as in sacreBLEU, 0..1", 0, 1},
    MetricRow{"chrf++", prose, higher, "chrF++, character and word n-grams, as in sacreBLEU, 0..1", 0, 1},
    MetricRow{"ter", prose, lower, "translation edit rate: edits and shifts per golden word"},
    MetricRow{"rouge1", prose, higher, "ROUGE-1: F-measure of unigrams, mean over lines, 0..1", 0, 1},
    MetricRow{"rouge2", prose, higher, "ROUGE-2: F-measure of bigrams, mean over lines, 0..1", 0, 1},
    MetricRow{"rougeL", prose, higher,
              "ROUGE-L: F-measure of the longest common subsequence, mean over lines, 0..1", 0, 1},
    MetricRow{"rougeLsum", prose, higher, "ROUGE-L of summaries, one sentence per line, mean, 0..1", 0, 1},
    MetricRow{"exact_match", prose, higher, "share of lines that equal a golden line, 0..1", 0, 1},
    MetricRow{"edit_similarity", prose, higher,
              "1 minus edits per character of the longer line, mean over lines, 0..1", 0, 1},
    MetricRow{"cer", prose, lower, "character error rate: edits per golden character"},
    MetricRow{"wer", prose, lower, "word error rate: edits per golden word"},
    MetricRow{"first_divergence", prose, higher,
              "characters before the first difference, line ends included; all if there is none"},
    MetricRow{"cosine", numbers, higher, "cosine similarity, -1..1", -1, 1},
    MetricRow{"max_abs_error", numbers, lower, "largest absolute error"},
    MetricRow{"mean_abs_error", numbers, lower, "mean absolute error"},
    MetricRow{"rmse", numbers, lower, "root of the mean squared error"},
    MetricRow{"max_relative_error", numbers, lower, "largest relative error, 0.01 is 1 %"},
    MetricRow{"mean_relative_error", numbers, lower, "mean relative error, 0.01 is 1 %"},
    MetricRow{"accumulated_relative_error", numbers, lower,
              "sum of absolute errors / sum of absolute golden numbers"},
    MetricRow{"relative_euclidean_distance", numbers, lower, "Euclidean distance / golden norm"},
    MetricRow{"kl_divergence", numbers, lower,
              "Kullback-Leibler divergence of the golden distribution, in nats"},
    MetricRow{"one_thousandth_ratio", numbers, higher, "share of numbers with relative error < 0.001, 0..1",
              0, 1},
    MetricRow{"five_thousandths_ratio", numbers, higher, "share of numbers with relative error < 0.005, 0..1",
              0, 1},
    MetricRow{"unequal_tensors", Input::tensors, lower,
              "tensors of safetensors files that are missing, extra, or differ in type, shape or a bit"},
};

}  // namespace

std::span<const MetricRow> metrics() { return metric_rows; }

const MetricRow* find_metric(std::string_view name) { return row_in(metric_rows, name, &MetricRow::name); }

}  // namespace gate::score
