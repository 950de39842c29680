
#include "gate/base/columns.h"
#include "gate/base/text.h"
#include "gate/model/numbers/step_set.h"
#include "gate/render/compare.h"
#include "gate/render/table_json.h"
#include "gate/schema/result_file.h"
#include "gate/words/values.h"

namespace gate::render {

namespace {

OutputJson known(const std::string& text) { return text.empty() ? OutputJson(nullptr) : OutputJson(text); }

OutputJson at_json(const std::optional<DifferentAt>& at) {
  if (!at) return nullptr;
  return {{"number", at->number},
          {"a", words::value_text(at->a)},
          {"b", words::value_text(at->b)},
          {"delta", known(words::signed_text(at->delta))}};
}

OutputJson beyond_json(const std::optional<Beyond>& beyond) {
  if (!beyond) return nullptr;
  OutputJson json = at_json(beyond->at);
  json["rule"] = beyond->rule;
  json["tolerance"] = beyond->tolerance;
  return json;
}

OutputJson reduced_json(const std::optional<Reduced>& reduced) {
  if (!reduced) return nullptr;
  return {{"rule", reduced->rule},
          {"value", reduced->what.english()},
          {"a", words::value_text(reduced->a)},
          {"b", words::value_text(reduced->b)},
          {"delta", known(words::signed_text(reduced->delta))},
          {"delta_percent", known(words::percent_text(reduced->delta_percent))}};
}

OutputJson compared_series_json(const ComparedSeries& series) {
  const Difference& difference = series.difference;
  OutputJson json{{"metric", series.metric},
                  {"rank", nullptr},
                  {"unit", series.unit},
                  {"numbered_a", to_string(series.numbered_a)},
                  {"numbered_b", to_string(series.numbered_b)},
                  {"common", difference.common},
                  {"equal", difference.equal},
                  {"only_a", to_string(StepSet(difference.only_a))},
                  {"only_b", to_string(StepSet(difference.only_b))},
                  {"mean_a", known(words::value_text(difference.mean_a))},
                  {"mean_b", known(words::value_text(difference.mean_b))},
                  {"delta", known(words::signed_text(difference.delta))},
                  {"delta_percent", known(words::percent_text(difference.delta_percent))},
                  {"first", at_json(difference.first)},
                  {"largest", at_json(difference.largest)},
                  {"beyond", beyond_json(series.beyond)},
                  {"reduced", reduced_json(series.reduced)},
                  {"not_finite_a", difference.non_finite_a},
                  {"not_finite_b", difference.non_finite_b}};
  if (series.rank) json["rank"] = *series.rank;
  return json;
}

OutputJson verdict_json(const std::optional<Verdict>& verdict) {
  return verdict ? OutputJson(to_string(*verdict)) : OutputJson(nullptr);
}

OutputJson compared_case_json(const ComparedCase& one) {
  OutputJson json{{"case", one.name},
                  {"verdict_a", verdict_json(one.a)},
                  {"verdict_b", verdict_json(one.b)},
                  {"series", OutputJson::array()},
                  {"only_a", one.only_a},
                  {"only_b", one.only_b},
                  {"notes", texts_of(one.notes, &Sentence::english)}};
  for (const ComparedSeries& series : one.series) json["series"].push_back(compared_series_json(series));
  return json;
}

OutputJson side_json(const ComparedSide& side) {
  return {{"word", side.word}, {"kind", side_kind_word(side.kind)}, {"path", side.path}};
}

OutputJson comparison_json(const Comparison& comparison) {
  OutputJson json{{"schema", "gate.comparison/1"}, {"a", side_json(comparison.a)},
                  {"b", side_json(comparison.b)},  {"comparable", has_common(comparison)},
                  {"same", is_same(comparison)},   {"summary", compare_closing(comparison).english()},
                  {"cases", OutputJson::array()},  {"only_a", comparison.only_a},
                  {"only_b", comparison.only_b}};
  json["triage"] = OutputJson::parse(schema::write_triage(comparison.triage));
  for (const ComparedCase& one : comparison.cases) json["cases"].push_back(compared_case_json(one));
  return json;
}

}  // namespace

std::string compare_json(const std::vector<Comparison>& comparisons) {
  OutputJson json = comparison_json(comparisons.front());
  for (std::size_t i = 1; i < comparisons.size(); ++i)
    json["further"].push_back(comparison_json(comparisons[i]));
  return inert(json_text(json));
}

}  // namespace gate::render
