#include <fmt/format.h>

#include "gate/render/score.h"
#include "gate/render/table_json.h"
#include "render/text/case_text.h"
#include "render/words/check_words.h"
#include "render/words/part_words.h"
#include "render/words/text_page.h"

namespace gate::render {

namespace {

const Check* check_of(const CaseReport& report, const OutputScore& score) {
  const auto check = std::ranges::find(report.checks, score.metric, &Check::metric);
  return check == report.checks.end() ? nullptr : &*check;
}

std::string score_words(const OutputScore& score) {
  if (!score.value) return score.metric + " is not among the results";
  const std::string golden = score.golden ? fmt::format(", golden {:.6g}", *score.golden) : "";
  return fmt::format("{} {:.6g}{}", score.metric, *score.value, golden);
}

OutputJson difference_json(const std::optional<OutputDifference>& difference) {
  if (!difference) return nullptr;
  OutputJson json{{"number", difference->number},
                  {"golden", difference->golden},
                  {"actual", difference->actual},
                  {"offset", difference->offset},
                  {"value", nullptr}};
  if (difference->value) json["value"] = *difference->value;
  if (!difference->place.empty()) json["place"] = difference->place;
  return json;
}

OutputJson optional_json(const std::optional<double>& value) {
  return value ? OutputJson(*value) : OutputJson(nullptr);
}

OutputJson score_row(const CaseReport& report, const OutputScore& score) {
  OutputJson json{{"metric", score.metric},
                  {"value", optional_json(score.value)},
                  {"signature", score.signature},
                  {"compared", score.compared},
                  {"differing", score.differing},
                  {"first", difference_json(score.first)},
                  {"worst", difference_json(score.worst)}};
  if (score.golden) {
    json["golden"] = *score.golden;
    json["standard_error"] = optional_json(score.standard_error);
    json["golden_standard_error"] = optional_json(score.golden_standard_error);
  }
  if (!score.incomparable.empty()) json["incomparable"] = score.incomparable.english();
  if (const Check* check = check_of(report, score)) {
    json["status"] = to_string(check->status);
    json["tolerance"] = to_string(check->tolerance);
  }
  return json;
}

}  // namespace

std::string score_text(const CaseReport& report, bool is_judged, const Style& style) {
  TextPage page(style);
  const OutputResult& output = report.outputs.front();
  if (is_judged || output.scores.empty()) {
    const bool passed = report.verdict == Verdict::passed;
    page.titled(
        passed ? TextColor::green : TextColor::red,
        passed ? words::verdict_text(report.verdict)
               : words::verdict_text(report.verdict).with([](std::string_view word) { return upper(word); }),
        output.file + (report.reason.empty() ? "" : "  " + report.reason));
  }
  for (const OutputScore& score : output.scores) {
    page.wrapped(score_words(score), 2);
    if (!score.signature.empty()) page.wrapped("  " + score.signature, 4);
  }
  put_outputs(page, report);
  return page.text();
}

std::string score_json(const CaseReport& report, bool is_judged, int exit_code) {
  const OutputResult& output = report.outputs.front();
  OutputJson scores = OutputJson::array();
  for (const OutputScore& score : output.scores) scores.push_back(score_row(report, score));
  return json_text({{"schema", "gate.score/1"},
                    {"exit_code", exit_code},
                    {"verdict", is_judged ? OutputJson(to_string(report.verdict)) : OutputJson(nullptr)},
                    {"reason", report.reason.english()},
                    {"actual", output.file},
                    {"golden", output.golden},
                    {"scores", std::move(scores)}});
}

}  // namespace gate::render
