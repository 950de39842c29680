#include <cmath>

#include "gate/base/columns.h"
#include "gate/render/ab.h"
#include "gate/render/table_json.h"
#include "gate/words/ab.h"
#include "gate/words/values.h"

namespace gate::render {

namespace {

OutputJson ab_side_json(const AbSide& side) { return {{"rev", side.rev}, {"commit", side.commit}}; }

OutputJson finite_or_null(double value) {
  return std::isfinite(value) ? OutputJson(value) : OutputJson(nullptr);
}

OutputJson ab_metric_json(const AbMetric& metric) {
  OutputJson json{{"rule", metric.rule},
                  {"metric", metric.metric},
                  {"value", metric.what.english()},
                  {"unit", metric.unit},
                  {"kind", to_string(metric.kind)},
                  {"better", to_string(metric.better)},
                  {"tolerated", metric.tolerated},
                  {"answer", to_string(metric.change ? metric.change->answer : AbAnswer::undecided)},
                  {"change", nullptr},
                  {"low", nullptr},
                  {"high", nullptr},
                  {"shown", nullptr},
                  {"pairs", OutputJson::array()}};
  if (const auto& change = metric.change) {
    json["change"] = finite_or_null(change->change);
    json["low"] = finite_or_null(change->low);
    json["high"] = finite_or_null(change->high);
    json["shown"] = finite_or_null(change->shown);
  }
  for (const PairValues& pair : metric.pairs)
    json["pairs"].push_back({{"a", finite_or_null(pair.a)}, {"b", finite_or_null(pair.b)}});
  return json;
}

OutputJson ab_loss_json(const AbLoss& loss) {
  OutputJson json{{"series", loss.series},
                  {"common", loss.common},
                  {"pairs_different", loss.different},
                  {"differs_in_a", loss.differs_in_a},
                  {"first", nullptr}};
  if (loss.first)
    json["first"] = {{"number", loss.first->number},
                     {"a", words::value_text(loss.first->a)},
                     {"b", words::value_text(loss.first->b)}};
  return json;
}

OutputJson ab_failure_json(const AbFailure& failure) {
  return {{"side", failure.side},
          {"pair", failure.pair},
          {"verdict", to_string(failure.verdict)},
          {"reason", failure.reason.english()},
          {"log", failure.log}};
}

}  // namespace

std::string ab_json(const AbResult& result) {
  OutputJson json{{"schema", "gate.ab/1"},
                  {"case", result.case_name},
                  {"run", result.run},
                  {"folder", result.folder},
                  {"exit_code", result.exit_code},
                  {"answer", result.failure ? OutputJson(nullptr) : OutputJson(to_string(answer_of(result)))},
                  {"summary", ab_closing(result).english()},
                  {"a", ab_side_json(result.a)},
                  {"b", ab_side_json(result.b)},
                  {"pairs", result.pairs},
                  {"most_pairs", result.most},
                  {"confidence", result.confidence},
                  {"metrics", OutputJson::array()},
                  {"losses", OutputJson::array()},
                  {"notes", result.notes},
                  {"failure", nullptr}};
  for (const AbMetric& metric : result.metrics) json["metrics"].push_back(ab_metric_json(metric));
  for (const AbLoss& loss : result.losses) json["losses"].push_back(ab_loss_json(loss));
  if (result.failure) json["failure"] = ab_failure_json(*result.failure);
  return inert(json_text(json));
}

}  // namespace gate::render
