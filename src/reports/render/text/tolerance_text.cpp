#include <fmt/format.h>

#include "gate/base/columns.h"
#include "gate/base/text.h"
#include "gate/render/lint.h"
#include "gate/render/table_json.h"

namespace gate::render {

namespace {

using judge::Fit;
using judge::FittedRule;

Sentence rate_word(double rate) {
  constexpr double one_in_ten_thousand = 1e-4;
  if (rate == 0) return {"0"};
  return rate < one_in_ten_thousand ? Sentence("< 0.01 %") : Sentence(fmt::format("{:.2g} %", 100 * rate));
}

std::string size_word(const FittedRule& rule, double size) {
  if (rule.fit->fitted.is_relative) return fmt::format("{:.2g} %", 100 * size);
  return fmt::format("{:.3g}", size) + (rule.unit.empty() ? "" : " " + rule.unit);
}

Sentence fitted_on(const Fit& fit) {
  const Sentence on = say({"fitted on {} runs", "按 {} 次运行拟合"}, fit.fitted_on);
  if (fit.later == 0) return on + say({", none later", "，之后没有运行"});
  return on + say({", {} of {} later ones beyond", "，之后 {1} 次中有 {0} 次超出"}, fit.beyond, fit.later);
}

std::vector<Sentence> rule_row(const FittedRule& rule) {
  const std::string series = rule.rule + (rule.rank ? " rank " + std::to_string(*rule.rank) : "");
  std::vector<Sentence> row{safe(rule.case_name), platform_name(rule.platform), safe(series), rule.tolerance};
  if (!rule.fit) {
    row.insert(row.end(), {"-", "-", "-", "-", rule.why_not});
    return row;
  }
  const Fit& fit = *rule.fit;
  const bool has_noise = fit.spread.s > 0;
  row.insert(row.end(), {rate_word(fit.now_rate), has_noise ? judge::written_bound(fit.fitted) : "-",
                         has_noise ? rate_word(fit.rate) : Sentence("-"),
                         size_word(rule, has_noise ? fit.caught : fit.now_caught),
                         has_noise ? fitted_on(fit)
                                   : say({"no noise over {} runs", "{} 次运行没有噪声"}, fit.fitted_on)});
  return row;
}

std::vector<std::string> red_ids(const Fit& fit, bool is_red) {
  std::vector<std::string> ids;
  for (const judge::RefitRun& run : fit.red)
    if (run.is_red == is_red) ids.push_back(printable(run.run, 60));
  return ids;
}

// What the table has no column for.
std::vector<Sentence> fit_remarks(const FittedRule& rule) {
  std::vector<Sentence> lines;
  if (!rule.fit) return lines;
  const Fit& fit = *rule.fit;
  constexpr std::size_t most_named = 10;
  if (const auto ids = red_ids(fit, true); !ids.empty())
    lines.push_back(say({"red as before: {}", "仍为红：{}"}, listed(ids, most_named)));
  if (const auto ids = red_ids(fit, false); !ids.empty())
    lines.push_back(say({"no longer red: {}", "不再为红：{}"}, listed(ids, most_named)));
  if (!fit.spread.apart.empty())
    lines.push_back(say({"{} apart from the others, left out of the fit", "{}远离其余，未计入拟合"},
                        count_of(std::ssize(fit.spread.apart), "run", "次运行")));
  if (fit.refuted)
    lines.push_back(say({"the noise has grown: of a fit on {} runs, {} of {} later ones were beyond",
                         "噪声变大了：按 {0} 次运行拟合时，之后 {2} 次中有 {1} 次超出"},
                        fit.refuted->fitted_on, fit.refuted->beyond, fit.refuted->later));
  if (fit.level)
    lines.push_back(say({"the level is {}{} off the baseline: find out why, or record it anew",
                         "当前水平与基线相差 {}{}：请查明原因，或重新录制"},
                        *fit.level < 0 ? "-" : "+", size_word(rule, std::abs(*fit.level))));
  if (!rule.written.empty()) lines.push_back(rule.written);
  return lines;
}

Sentence tolerances_closing(const judge::FittedRules& fitted) {
  const auto told =
      std::ranges::count_if(fitted.rules, [](const FittedRule& one) { return one.fit.has_value(); });
  const auto weak = std::ranges::count_if(fitted.rules, &FittedRule::is_weak);
  const Sentence end = say({" (exit {})\n", "（退出码 {}）\n"}, fitted.exit_code());
  if (told == 0)
    return say({"UNKNOWN: no rule has {} runs", "未知：没有规则有 {} 次运行"}, judge::least_fitted) + end;
  const Sentence of = count_of(told, "rule", "条规则");
  if (weak == 0) return say({"GREEN: {} within 1 % false failures", "绿：{}的误报率都不超过 1 %"}, of) + end;
  return say({"RED: {} of {} above 1 % false failures", "红：{1}中有 {0} 条误报率高于 1 %"}, weak, of) + end;
}

}  // namespace

std::string tolerances_text(const judge::FittedRules& fitted, const Style& style) {
  TextRows rows{{say({"case", "用例"}), say({"platform", "平台"}), say({"rule", "规则"}),
                 say({"now", "现在"}), say({"rate", "误报率"}), say({"fitted", "拟合"}),
                 say({"rate", "误报率"}), say({"detects", "可检出"}), say({"checked on", "核对"})}};
  Sentence remarks;
  for (const FittedRule& rule : fitted.rules) {
    if (rule.fit || !style.quiet) rows.push_back(rule_row(rule));
    const auto alike = std::ranges::count_if(fitted.rules, [&](const FittedRule& one) {
      return one.case_name == rule.case_name && one.rule == rule.rule && one.rank == rule.rank;
    });
    const Sentence place = alike > 1 ? "  " + platform_name(rule.platform) : Sentence();
    for (const Sentence& line : fit_remarks(rule))
      remarks +=
          say({"{}{}  {}: {}\n", "{}{}  {}：{}\n"}, safe(rule.case_name), place, safe(rule.rule), line);
  }
  if (!remarks.empty()) remarks += as_is("\n");
  return table(rows, style) + "\n" + (remarks + tolerances_closing(fitted)).in(style.language);
}

namespace {

OutputJson fit_json(const Fit& fit) {
  OutputJson json{{"s", fit.spread.s},
                  {"fitted_on", fit.fitted_on},
                  {"left_out", fit.spread.apart.size()},
                  {"later", fit.later},
                  {"later_beyond", fit.beyond},
                  {"false_failure_rate", fit.now_rate},
                  {"smallest_caught", fit.now_caught},
                  {"relative", fit.fitted.is_relative}};
  if (fit.spread.s > 0) {
    json["fitted"] = judge::written_bound(fit.fitted);
    json["fitted_rate"] = fit.rate;
    json["fitted_caught"] = fit.caught;
  }
  if (fit.level) json["level_off"] = *fit.level;
  json["still_red"] = red_ids(fit, true);
  json["no_longer_red"] = red_ids(fit, false);
  return json;
}

}  // namespace

std::string tolerances_json(const judge::FittedRules& fitted) {
  OutputJson json{{"exit_code", fitted.exit_code()}, {"rules", OutputJson::array()}};
  for (const FittedRule& rule : fitted.rules) {
    OutputJson one{{"case", rule.case_name}, {"platform", rule.platform}, {"rule", rule.rule}};
    if (rule.rank) one["rank"] = *rule.rank;
    one["tolerance"] = rule.tolerance;
    one["runs"] = rule.measured.size();
    if (!rule.why_not.empty()) one["not_told"] = rule.why_not.english();
    if (rule.fit) one.update(fit_json(*rule.fit));
    if (!rule.written.empty()) one["written"] = rule.is_written;
    if (!rule.written.empty()) one["said"] = rule.written.english();
    json["rules"].push_back(std::move(one));
  }
  return json_text(json);
}

}  // namespace gate::render
