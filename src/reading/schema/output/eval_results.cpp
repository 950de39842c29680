#include <algorithm>
#include <array>
#include <string>
#include <string_view>

#include "gate/base/text.h"
#include "gate/schema/output_file.h"
#include "schema/json/json_in.h"
#include "schema/output/eval_readers.h"

namespace gate::schema {

namespace {

// Also at the end of a longer name: `word_perplexity`.
constexpr std::array<std::string_view, 15> lower_is_better{
    "perplexity", "ppl", "bits_per_byte", "bits_per_char", "loss",          "nll", "ter", "wer", "cer", "mse",
    "rmse",       "mae", "brier_score",   "edit_distance", "toxicity_score"};

}  // namespace

Better better_of_metric(std::string_view metric) {
  const std::string name = to_lower(metric.substr(0, metric.find('/')));
  const bool is_lower = std::ranges::any_of(lower_is_better, [&](std::string_view known) {
    return name == known || (name.ends_with(known) && name[name.size() - known.size() - 1] == '_');
  });
  return is_lower ? Better::lower : Better::higher;
}

Result<EvalResults> read_eval_results(std::string_view bytes, const std::string& file) {
  GATE_TRY_STATUS(check_text(bytes, file));
  const std::string_view text = bytes.starts_with("\xEF\xBB\xBF") ? bytes.substr(3) : bytes;
  if (trim(text).starts_with('{')) return read_harness_results(bytes, file);
  if (text.starts_with(summary_header)) return read_summary(bytes, file);
  return fail(file + ": " + std::string(no_results));
}

}  // namespace gate::schema
