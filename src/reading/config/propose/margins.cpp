#include "gate/config/margins.h"

#include <algorithm>
#include <iterator>
#include <vector>

#include "gate/base/text.h"
#include "gate/model/numbers/decimal.h"
#include "gate/model/numbers/metric.h"

namespace gate::config {

namespace {

std::string direction_of(std::string_view metric) {
  switch (MetricTable().get(metric).better) {
    case Better::higher:
      return "-";
    case Better::lower:
      return "+";
    case Better::none:
      break;
  }
  return "±";
}

std::string rule_line(const std::string& metric, const std::string& margin) {
  const std::string tolerance = tolerance_of(metric, margin);
  const std::string rule = metric + ".tolerance = ";
  return tolerance.empty() ? "# " + rule + "? the file's margin is " + printable(margin, 40) + "\n"
                           : rule + toml_text(tolerance) + "\n";
}

std::string block(const std::string& key, const Margins& margins) {
  std::string out = "[" + key + ".rules]\n";
  for (const auto& [metric, margin] : margins) out += rule_line(metric, margin);
  return out;
}

std::string as_comment(const std::string& lines) {
  std::string out;
  for (const std::string_view line : split(trim(lines), '\n')) out += "# " + printable(line) + "\n";
  return out;
}

std::string blocks_of_all(std::span<const CaseMargins> cases, std::size_t in_suite) {
  const auto is_alike = [&](const CaseMargins& one) { return one.margins == cases.front().margins; };
  if (cases.size() > 1 && cases.size() == in_suite && std::ranges::all_of(cases, is_alike))
    return cases.front().margins.empty() ? "" : block("case.\"**\"", cases.front().margins);
  std::string out;
  for (const CaseMargins& one : cases) {
    if (one.margins.empty()) continue;
    const std::string lines = block(case_key(one.case_name), one.margins);
    out += is_plain_name(one.case_name) ? lines : as_comment(lines);
  }
  return out;
}

std::string comments_of_all(std::span<const CaseMargins> cases) {
  std::string out;
  for (const CaseMargins& one : cases)
    if (!one.margins.empty())
      out += "# no script of this case yet\n" + as_comment(block(case_key(one.case_name), one.margins));
  return out;
}

}  // namespace

std::string tolerance_of(std::string_view metric, std::string_view margin) {
  const auto amount = Decimal::parse(margin);
  if (!amount || amount->is_zero() || amount->is_negative() || *amount > Decimal{100, 0}) return "";
  const auto percent = multiply(*amount, Decimal{1, 2});
  return percent ? direction_of(metric) + percent->to_string() + "%" : "";
}

std::string margin_blocks(std::span<const CaseMargins> cases, std::size_t in_suite) {
  std::vector<CaseMargins> scripted, lonely;
  std::ranges::partition_copy(cases, std::back_inserter(scripted), std::back_inserter(lonely),
                              &CaseMargins::has_script);
  return blocks_of_all(scripted, in_suite) + comments_of_all(lonely);
}

std::string toml_text(std::string_view text) {
  std::string out = "\"";
  for (const char c : text) {
    if (c == '"' || c == '\\') out += '\\';
    out += c;
  }
  return out + '"';
}

std::string toml_key(std::string_view name) {
  const auto is_bare = [](char c) { return is_letter_or_digit(c) || c == '_' || c == '-'; };
  return !name.empty() && std::ranges::all_of(name, is_bare) ? std::string(name) : toml_text(name);
}

std::string case_key(std::string_view case_name) {
  std::string glob;
  for (const char c : case_name)
    glob += is_glob(std::string(1, c)) ? "[" + std::string(1, c) + "]" : std::string(1, c);
  return "case." + toml_text(glob);
}

bool is_plain_name(const std::string& case_name) {
  return printable(case_name, case_name.size()) == case_name;
}

}  // namespace gate::config
