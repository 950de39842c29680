#include "gate/judging/case_outputs.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "gate/base/object_place.h"
#include "gate/base/text.h"
#include "gate/model/rules/grammar.h"
#include "gate/score/results.h"
#include "gate/suite/told_places.h"
#include "judging/outputs/weights.h"

namespace gate::app {

namespace {

// A score is computed: its decimals do not end where those of its shortest word do.
std::string score_word(double value) {
  constexpr std::size_t decimals = 15;
  std::string word = fmt::format("{}", value);
  const std::size_t point = word.find('.');
  const bool is_plain = word.find_first_not_of("-.0123456789") == std::string::npos;
  if (!is_plain) return word;
  if (point == std::string::npos) return word + "." + std::string(decimals, '0');
  const std::size_t told = word.size() - point - 1;
  return told < decimals ? word + std::string(decimals - told, '0') : word;
}

Series score_series(const std::string& metric, double value) {
  Series series(metric, std::nullopt, "", Numbering::report);
  const std::string text = score_word(value);
  series.append(Sample{1, parse_value(text).value_or(Value{}), text, 0, 0});
  return series;
}

// That no series are in the log is nothing to say of a case that is judged by its outputs.
void forget_unread_log(Extraction& run) {
  std::erase_if(run.problems, [](const Problem& problem) { return problem.kind == ProblemKind::unreadable; });
}

// What a case's setting says of a score of results.
class ResultRule {
 public:
  ResultRule(const config::OutputTolerance& said, const OutputScore& score) : said_(said), score_(score) {}

  // Return the tolerance, or why there is none.
  Result<Tolerance> tolerance() const {
    if (!score_.incomparable.empty()) return fail(score_.incomparable.english());
    const Result<Tolerance> tolerance = said_.tolerance ? *said_.tolerance : in_standard_errors();
    if (!tolerance) return tolerance;
    GATE_TRY_STATUS(check_direction(*tolerance, config::output_metric(score_.metric, score_.better)));
    return tolerance;
  }

 private:
  // The standard error of the difference of two independent scores is the root of the sum of both squares.
  Result<Tolerance> in_standard_errors() const {
    if (!score_.value) return Tolerance{{{{Bound::Kind::exact, Bound::Side::both, {}}}}};  // it is missing
    if (!score_.golden_standard_error) return fail("the golden results tell no standard error of it");
    if (!score_.standard_error) return fail("the results tell no standard error of it");
    if (*score_.standard_error < 0 || *score_.golden_standard_error < 0)
      return fail("its standard error is negative");
    const double amount =
        said_.standard_errors.to_double() * std::hypot(counted_error(), *score_.golden_standard_error);
    const std::string text = fmt::format("{:.6g}", amount);
    const Decimal number = Decimal::parse(text).value_or(Decimal{});
    if (number.is_zero()) return Tolerance{{{{Bound::Kind::exact, Bound::Side::both, {}}}}};
    return Tolerance{{{{Bound::Kind::absolute, side(), number}}}};
  }

  // A run says its own error, and must not widen its limit as it likes: what counts is at most twice the
  // golden one, or what a share of so many samples has.
  double counted_error() const {
    const double of_share = score::share_error(*score_.value, score_.samples.value_or(0));
    return std::min(*score_.standard_error, std::max(2 * *score_.golden_standard_error, of_share));
  }

  // One side alone is the worse one.
  Bound::Side side() const {
    if (said_.side == Bound::Side::both) return Bound::Side::both;
    return score_.better == Better::lower ? Bound::Side::upper : Bound::Side::lower;
  }

  const config::OutputTolerance& said_;
  const OutputScore& score_;
};

void add_result_rule(OutputRules& all, const config::CaseOutput& output, const OutputResult& result,
                     const OutputScore& score) {
  const Result<Tolerance> tolerance = ResultRule(*output.tolerance, score).tolerance();
  all.metrics.push_back(config::output_metric(score.metric, score.better));
  all.rules.push_back(config::output_rule(score.metric, tolerance.value_or(Tolerance{})));
  if (!tolerance)
    all.withheld.emplace(score.metric, remark::Text{score.incomparable.empty() ? tolerance.error().message
                                                                               : score.incomparable});
  if (score.golden)
    all.golden.push_back({{score_series(score.metric, *score.golden)}, result.golden, "", {}});
}

// A golden file that nobody can use leaves nothing to judge by.
void withhold_output(OutputRules& all, const config::CaseOutput& output, const OutputResult& result) {
  const std::string metric = config::metric_of_output(result.name, output.metric);
  if (output.metric == config::results_metric) {
    all.metrics.push_back(config::output_metric(metric, Better::higher));
    all.rules.push_back(config::output_rule(metric, {}));
  }
  all.withheld.emplace(metric, remark::Text{say({"golden file {}", "基准文件 {}"}, result.unjudged)});
}

// Of two places never the same; its ending tells what the file is.
std::string name_of_object(const std::string& place) {
  constexpr std::size_t digits = 12;
  return fs::sha256(place).substr(0, digits) + "-" + fs::Path(place).filename().string();
}

// What is kept of a golden file is named as the file is.
OutputResult score_by(const KeptOutput& kept, const config::CaseOutput& output,
                      const std::vector<fs::Path>& golden) {
  OutputResult result =
      score_output(kept.name, output, kept.file, kept.golden.empty() ? golden : kept.golden);
  for (std::size_t i = 0; i < kept.golden.size(); ++i) {
    const std::string copy = kept.golden[i].string();
    const auto renamed = [&](std::string text) {
      return text.starts_with(copy) ? text.replace(0, copy.size(), golden[i].string()) : text;
    };
    result.golden = renamed(result.golden);
    result.unjudged = result.unjudged.with(renamed);
  }
  return result;
}

}  // namespace

std::vector<fs::Path> golden_files(const config::CaseOutput& output, const fs::Path& stages) {
  std::vector<fs::Path> files;
  for (const std::string& golden : output.golden)
    files.push_back(is_object_place(golden) ? stages / "golden" / name_of_object(golden)
                                            : weights_in(in_stages(golden, stages)));
  return files;
}

std::string in_stages(const std::string& file, const fs::Path& stages) {
  return file.starts_with(config::stages_hole) ? (stages / file.substr(config::stages_hole.size())).string()
                                               : file;
}

GoldenHashes golden_hashes(const config::Settings& settings, const fs::Path& stages) {
  GoldenHashes hashes;
  for (const auto& [name, output] : settings.outputs)
    for (const fs::Path& golden : golden_files(output, stages)) hashes[golden.string()] = golden_hash(golden);
  return hashes;
}

std::string changed_golden(const std::vector<fs::Path>& golden, const GoldenHashes& before) {
  for (const fs::Path& file : golden) {
    const std::string now = golden_hash(file);
    const auto was = before.find(file.string());
    if (!now.empty() && was != before.end() && was->second != now) return file.string();
  }
  return "";
}

void add_outputs(Extraction& run, const config::Case& spec, const std::vector<KeptOutput>& kept,
                 const fs::Path& stages) {
  if (!kept.empty() && run.series.empty()) forget_unread_log(run);
  for (const KeptOutput& one : kept) {
    const config::CaseOutput& output = spec.settings.outputs.at(one.name);
    const std::vector<fs::Path> golden = golden_files(output, stages);
    const bool can_be_scored = one.missing.empty() && one.unjudged.empty();
    OutputResult result =
        can_be_scored
            ? score_by(one, output, golden)
            : OutputResult{one.name,    one.file.string(), golden.empty() ? "" : golden.front().string(),
                           one.missing, one.unjudged,      {}};
    if (!result.missing.empty() && run.not_shown.empty()) run.not_shown = missing_output_words(result);
    for (const OutputScore& score : result.scores)
      if (score.value) run.series.push_back(score_series(score.metric, *score.value));
    run.outputs.push_back(std::move(result));
  }
}

std::vector<Sentence> lacking_golden(const Suite& suite, const config::Case& spec, const fs::Path& stages) {
  const auto has = [&](Stage stage) { return !suite.strategy || suite.strategy->strategy.has_stage(stage); };
  const bool is_brought = stages.empty() && has(Stage::download) &&
                          spec.settings.stages.contains(std::string(to_string(Stage::download)));
  const config::AccuracyContract* const asked =
      spec.settings.accuracy_test && suite.contract ? &*suite.contract : nullptr;
  std::vector<Sentence> lacking;
  if (is_brought || !has(Stage::compare) || (asked != nullptr && !asked->is_comparison())) return lacking;
  for (const auto& [name, output] : spec.settings.outputs)
    for (const std::string& golden : output.golden) {
      const fs::Path file = stages.empty() ? fs::Path(golden) : fs::Path(in_stages(golden, stages));
      const bool may_come = file != golden && fs::is_missing(file);
      if (is_object_place(golden) || may_come || file.native().find('{') != std::string::npos) continue;
      const Sentence why = why_no_golden(output, weights_in(file)).with([&](std::string text) {
        return from_suite(suite, std::move(text));
      });
      if (why.empty()) continue;
      const Position at = place_of_setting(suite, spec, "outputs." + name + ".golden");
      const Sentence place = as_is(asked != nullptr || at.file.empty() ? "" : " (" + at.file + ")");
      lacking.push_back(
          fs::size_of(file) == 0 || !why_not_plain(weights_in(file)).empty()
              ? say({"output {}: golden file {}{}; put there what {} is of a good run, or correct the path",
                     "输出 {}：基准文件 {}{}；请把一次正确运行的 {} 放到那里，或更正路径"},
                    name, why, place, output.file)
              : say({"output {0}: golden file {1}{2}; correct it, or outputs.{0} in gate.toml",
                     "输出 {0}：基准文件 {1}{2}；请更正它，或更正 gate.toml 里的 outputs.{0}"},
                    name, why, place));
    }
  return lacking;
}

Sentence missing_output_words(const OutputResult& output) {
  return say({"output {}: {}", "输出 {}：{}"}, output.name, output.missing);
}

OutputRules rules_of_outputs(const config::Case& spec, const Extraction& run) {
  OutputRules all;
  for (const OutputResult& result : run.outputs) {
    const auto output = spec.settings.outputs.find(result.name);
    if (output == spec.settings.outputs.end()) continue;
    if (!result.unjudged.empty()) withhold_output(all, output->second, result);
    if (output->second.metric == config::results_metric)
      for (const OutputScore& score : result.scores) add_result_rule(all, output->second, result, score);
  }
  return all;
}

}  // namespace gate::app
