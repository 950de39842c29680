#include "gate/schema/accuracy_result.h"

#include <fmt/format.h>

#include <cmath>

#include "gate/base/text.h"
#include "schema/accuracy/lenient_json.h"
#include "schema/json/json_fields.h"
#include "schema/json/json_out.h"

namespace gate::schema {

namespace {

constexpr std::string_view details_name = "comparison_details", misspelt_details_name = "comparison_datails";

// --- writing -------------------------------------------------------------------------------------

std::string text_or_null(const std::optional<std::string>& text) { return text ? quote(*text) : "null"; }

std::string flag_or_null(const std::optional<bool>& flag) {
  return !flag ? "null" : *flag ? "true" : "false";
}

std::string number_or_null(const std::optional<double>& number) {
  return number && std::isfinite(*number) ? fmt::format("{}", *number + 0.0) : "null";  // -0 is 0
}

void write_details(JsonOut& out, const AccuracyComparison& details) {
  out.object(details_name, [&] {
    out.text("metric", wire_metric_name(details.metric));
    out.raw("metric_value", number_or_null(details.value));
    out.raw("threshold", number_or_text(details.threshold.to_string()));
    out.text("operator", comparison_sign(details.comparison));
  });
}

// --- reading -------------------------------------------------------------------------------------

// Return the text, or nothing where it is absent or null.
std::optional<std::string> optional_text(const Fields& fields, std::string_view name) {
  const Json* found = fields.member(name, Json::Kind::text);
  return found == nullptr ? std::nullopt : std::optional(found->text);
}

std::optional<bool> optional_flag(const Fields& fields, std::string_view name) {
  const Json* found = fields.member(name, Json::Kind::boolean);
  return found == nullptr ? std::nullopt : std::optional(found->text == "true");
}

// Return the finite number, also of a text that is one; complains of another one.
std::optional<Decimal> number_in(const Fields& fields, std::string_view name) {
  const std::string word = fields.word(name);
  const std::optional<Decimal> number = Decimal::parse(trim(word));
  if (number || fields.json().find(name) == nullptr) return number;
  if (const Json::Kind kind = fields.json().find(name)->kind;
      kind == Json::Kind::number || kind == Json::Kind::text)
    fields.complaints().add(
        fields.json().find(name)->at,
        fmt::format("\"{}\" is no number of at most 37 digits: \"{}\"", name, printable(word, 40)));
  return std::nullopt;
}

// The id of a baseline is opaque; a number is one as it is written.
void read_baseline_id(const Fields& fields, AccuracyResult& result) {
  result.baseline_id = fields.word("baseline_id");
  const Json* found = fields.json().find("baseline_id");
  result.is_number_id = found != nullptr && found->kind == Json::Kind::number;
  if (result.is_number_id && !parse_integer(result.baseline_id))
    fields.complaints().add(found->at, "\"baseline_id\" is neither a text nor a whole number of 64 bits");
}

Bound::Kind comparison_in(const Fields& fields) {
  const std::string sign = fields.required_text("operator");
  const std::optional<Bound::Kind> comparison = comparison_of(trim(sign));
  if (!comparison && !sign.empty())
    fields.complaints().add(fields.json().find("operator")->at,
                            "unknown operator \"" + printable(sign, 40) + "\"; one of >=, >, <=, <, ==, !=");
  return comparison.value_or(Bound::Kind::at_least);
}

AccuracyComparison read_details(const Fields& fields) {
  AccuracyComparison details;
  details.metric = gate_metric_name(fields.required_text("metric"));
  if (const std::optional<Decimal> value = number_in(fields, "metric_value");
      value && std::isfinite(value->to_double()))
    details.value = value->to_double();
  if (fields.json().find("threshold") == nullptr) fields.missing("threshold");
  details.threshold = number_in(fields, "threshold").value_or(Decimal{});
  details.comparison = comparison_in(fields);
  return details;
}

// Return the details under either name, or nullptr.
const Json* details_in(const Fields& fields) {
  const Json* details = fields.object(details_name);
  const Json* misspelt = fields.object(misspelt_details_name);
  if (details != nullptr && misspelt != nullptr)
    fields.complaints().add(misspelt->key_at, fmt::format("\"{}\" beside \"{}\"; remove one of them",
                                                          misspelt_details_name, details_name));
  return details != nullptr ? details : misspelt;
}

AccuracyResult read_members(const Fields& fields) {
  AccuracyResult result;
  read_baseline_id(fields, result);
  if (fields.json().find("is_comparison_test") == nullptr) fields.missing("is_comparison_test");
  result.is_comparison = fields.flag("is_comparison_test", false);
  result.test_type = fields.named("test_type", parse_model_test_type, result.test_type);
  if (!fields.text("stage").empty()) result.stage = fields.named("stage", parse_accuracy_stage, result.stage);
  result.output = optional_text(fields, "output");
  result.log = optional_text(fields, "log");
  result.passed = optional_flag(fields, "passed");
  if (const Json* details = result.is_comparison ? details_in(fields) : nullptr)
    result.details = read_details(Fields(*details, fields.complaints()));
  return result;
}

}  // namespace

std::string write_accuracy_result(const AccuracyResult& result) {
  JsonOut out;
  out.object("", [&] {
    const bool is_number = result.is_number_id && parse_integer(result.baseline_id);
    out.raw("baseline_id", is_number ? number_or_text(result.baseline_id) : quote(result.baseline_id));
    out.flag("is_comparison_test", result.is_comparison);
    out.text("test_type", to_string(result.test_type));
    out.text("stage", to_string(result.stage));
    out.raw("output", text_or_null(result.output));
    out.raw("log", text_or_null(result.log));
    out.raw("passed", flag_or_null(result.passed));
    if (result.is_comparison && result.details) write_details(out, *result.details);
    if (result.is_comparison && !result.details) out.raw(details_name, "null");
  });
  return out.take();
}

Result<AccuracyResult> read_accuracy_result(std::string_view text, const std::string& file) {
  GATE_TRY_STATUS(check_text(text, file));
  GATE_TRY(const Json document, parse_json(strict_json(text), file));
  Complaints complaints(text, file);
  AccuracyResult result = read_members(Fields(document, complaints));
  if (!complaints.empty()) return tl::unexpected(complaints.error());
  return result;
}

}  // namespace gate::schema
