#include "render/words/totals.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <set>
#include <string>
#include <vector>

#include "gate/base/natural.h"
#include "gate/base/text.h"
#include "gate/model/numbers/metric.h"
#include "gate/render/reporters.h"
#include "gate/words/values.h"
#include "render/words/part_words.h"

namespace gate::render {

namespace {

// Below ten with one decimal.
std::string minutes_of(Duration device_time) {
  const double minutes = std::chrono::duration<double, std::ratio<60>>(device_time).count();
  return fmt::format("{:.{}f}", minutes, minutes < 9.95 ? 1 : 0);
}

Sentence device_minutes(Duration device_time) {
  if (device_time < std::chrono::seconds(6))
    return say({"less than 0.1 device-minutes", "不到 0.1 设备分钟"});
  return say({"{} device-minutes", "{} 设备分钟"}, minutes_of(device_time));
}

constexpr std::size_t all_named = 20;  // up to here every case is named, above it the first few
constexpr std::size_t few = 10;
constexpr std::size_t most_merged = 4;  // runs

using enum Verdict;
constexpr std::array closing_order{hung,        crashed,   timed_out, infra,   incomplete,  // by how it ended
                                   interrupted, regressed, unjudged,  not_run, passed,     skipped};

std::int64_t count_red(const Report& report) {
  return std::ranges::count_if(report.cases, [](const CaseReport& one) { return is_red(one); });
}

// Tell whether constants are so far away that a run twice as slow would be within them.
bool is_far_off(const Check& check) {
  if (needs_baseline(check.tolerance) || !check.margin || !check.actual) return false;
  const double room = check.actual->number.to_double() * (check.better == Better::higher ? 0.5 : 1);
  return check.margin->number.to_double() >= room;
}

bool gates_speed(const CaseReport& report) {
  return std::ranges::any_of(report.checks, [](const Check& check) {
    const bool gated = check.status == CheckStatus::pass || check.status == CheckStatus::fail;
    return gated && check.kind == MetricKind::speed && !is_far_off(check);
  });
}

using Parts = std::vector<Sentence>;

void add_count(Parts& parts, std::int64_t count, const Sentence& word) {
  if (count > 0) parts.push_back(as_is(std::to_string(count) + " ") + word);
}

Sentence red_word() { return say({"RED", "红"}); }

// What is not finite regressed, too, and has a count of its own.
void add_verdict(Parts& parts, const Report& report, Verdict verdict) {
  const std::int64_t none = std::ranges::count_if(report.cases, [&](const CaseReport& one) {
    return one.verdict == verdict && verdict == regressed && is_red(one) && place_among_red(one) == 1;
  });
  add_count(parts, none, say({"not finite", "非有限值"}));
  add_count(parts, report.count(verdict) - none, words::verdict_text(verdict));
}

Sentence kinds_of_red(const Report& report) {
  Parts parts;
  for (const Verdict verdict : closing_order)
    if (is_red(verdict)) add_verdict(parts, report, verdict);
  return parts.size() > 1 ? red_word() + colon + join(parts, comma) : red_word();
}

bool touches_nothing(const Report& report) {
  return report.cases.empty() && !report.changed_since.empty() && report.missing.empty();
}

// One stage of a case that others judge, or a change that touches no case.
bool judges_nothing(const Report& report) {
  return touches_nothing(report) || (report.only && report.exit_code == exit_code::ok &&
                                     report.count(skipped) == std::ssize(report.cases));
}

Sentence nothing_line(const Report& report) {
  if (!touches_nothing(report))
    return closing_title(report) +
           say({" stage {} alone was done (exit 0)", "只做了环节 {}（退出码 0）"}, to_string(*report.only));
  return closing_title(report) +
         say({" no case {}changed since {} (exit {})", "自 {1} 以来{0}没有用例改动（退出码 {2}）"},
             report.shard ? say({"of this shard ", "本分片"}) : Sentence(), report.changed_since,
             report.exit_code);
}

// Why a run without a red case does not end with 0, where the report can tell.
Sentence why_not_green(const Report& report) {
  if (report.cases.empty())
    return report.shard ? say({"no cases in this shard", "本分片没有用例"}) : say({"no cases", "没有用例"});
  if (report.count(passed) == 0) return say({"nothing was judged", "没有判定任何用例"});
  if (report.exit_code == exit_code::infra) return say({"not all results were written", "结果没有全部写入"});
  const bool named = report.exit_code == exit_code::refused && report.count(skipped) > 0;
  return named ? say({"a case that was asked for was skipped", "点名的用例被跳过"}) : Sentence();
}

Sentence missing_words(const Report& report) {
  return say({"{} missing ({})", "缺少 {}（{}）"}, count_of(std::ssize(report.missing), "shard", "个分片"),
             list_of(report.missing));
}

std::int64_t count_recorded(const Report& report) {
  return std::ranges::count_if(report.cases, [&](const CaseReport& one) { return is_recorded(report, one); });
}

bool waived_pass(const CaseReport& report) {
  return report.verdict == passed && is_waived(report) && !report.quarantine;
}

bool is_green(const Report& report) { return count_red(report) == 0 && report.exit_code == exit_code::ok; }

bool has_recorded(const Report& report) { return report.command == "record" && report.count(passed) > 0; }

// Of golden files that were imported, and are something else by now: the numbers judged are those of before.
Sentence sources_words(const Report& report) {
  std::set<std::string> changed, gone;
  for (const CaseReport& one : report.cases)
    for (const BaselineUsed& used : one.baselines)
      if (!used.source.empty()) (used.source == "gone" ? gone : changed).insert(used.path);
  Sentence words;
  const auto add = [&](const std::set<std::string>& files, const Sentence& what) {
    if (!files.empty()) words += semicolon + count_of(std::ssize(files), "golden file", "个基准文件") + what;
  };
  add(changed, say({" changed since its import", "在导入之后有改动"}));
  add(gone, say({" gone since its import", "在导入之后已不在"}));
  return words;
}

Sentence line_of(const Report& report, const Parts& parts) {
  return closing_title(report) + say({" {}{} (exit {})", "{}{}（退出码 {}）"}, join(parts, comma),
                                     sources_words(report), report.exit_code);
}

// The parts name the verdict that is `counted` in words of their own, and it comes first.
Sentence line_of(const Report& report, Parts parts, Verdict counted) {
  for (const Verdict verdict : closing_order)
    if (verdict != counted) add_verdict(parts, report, verdict);
  return line_of(report, parts);
}

}  // namespace

std::vector<const CaseReport*> cases_by_name(const Report& report) {
  std::vector<const CaseReport*> cases;
  for (const CaseReport& one : report.cases) cases.push_back(&one);
  std::ranges::stable_sort(cases, natural_less, &CaseReport::name);
  return cases;
}

Sentence list_of(std::span<const std::string> names) {
  if (names.size() <= all_named) return as_is(join(names, ", "));
  return say({"{}, ... and {} more", "{}, … 以及另外 {} 个"}, join(names.first(few), ", "),
             names.size() - few);
}

std::string seconds(Duration duration) {
  return fmt::format("{:.3f}", static_cast<double>(duration.count()) / 1e3);
}

std::string short_percent(double percent) {
  return percent == 0 ? "0 %" : fmt::format("{:+.{}f} %", percent, std::fabs(percent) < 0.1 ? 2 : 1);
}

Sentence green_since(const CaseReport& one) {
  if (!one.green_until) return {};
  const GreenUntil& green = *one.green_until;
  const Sentence runs = count_of(green.runs_ago, "run", "次运行");
  if (green.run.empty()) return say({"not green in {} before", "此前 {}都不是绿"}, runs);
  if (green.commits == 0)
    return say({"green with this commit in run {}", "同一提交在运行 {} 中为绿"}, green.run);
  const Sentence until =
      green.commit.empty() ? say({"run {}", "运行 {}"}, green.run) : as_is(short_commit(green.commit));
  return say({"green until {}, {} ago", "上次为绿：{}（{}之前）"}, until,
             green.commits ? count_of(*green.commits, "commit", "个提交") : runs);
}

std::string profile_of(const Report& report) {
  for (const CaseReport& one : report.cases)
    if (one.profile != "gate") return one.profile;
  return "";
}

Sentence shadow_words(const Report& report) {
  std::vector<std::string> red;
  std::int64_t judged = 0;
  std::string profile;
  for (const CaseReport& one : report.cases) {
    if (!one.shadow) continue;
    ++judged;
    profile = one.shadow->profile;
    if (is_red(one.shadow->verdict)) red.push_back(one.name);
  }
  if (judged == 0) return {};
  const Sentence words =
      say({"under profile {} {} of {} would be red", "按判定方案 {0}，{2} 个中有 {1} 个会是红"}, profile,
          red.size(), judged);
  return red.empty() ? words : words + colon + list_of(red);
}

Sentence shadow_words(const CaseReport& one) {
  if (!one.shadow || one.shadow->verdict == one.verdict) return {};
  const Sentence words = say({"profile {}: {}", "判定方案 {}：{}"}, one.shadow->profile,
                             words::verdict_text(one.shadow->verdict));
  return one.shadow->reason.empty() ? words : words + comma + one.shadow->reason;
}

bool is_red(Verdict verdict) { return verdict != passed && verdict != skipped; }

bool is_red(const CaseReport& report) { return is_red(report.verdict) && !report.quarantine; }

std::ptrdiff_t place_in_counts(Verdict verdict) {
  return std::ranges::find(closing_order, verdict) - closing_order.begin();
}

int place_among_red(const CaseReport& report) {
  if (report.verdict != Verdict::regressed && report.verdict != Verdict::unjudged) return 0;
  const bool has_no_number = std::ranges::any_of(report.checks, [](const Check& check) {
    return check.status == CheckStatus::fail && check.has_no_number();
  });
  return has_no_number ? 1 : report.verdict == Verdict::regressed ? 2 : 3;
}

bool is_waived(const CaseReport& report) {
  return std::ranges::any_of(report.checks,
                             [](const Check& check) { return check.status == CheckStatus::waived; });
}

bool is_recorded(const Report& report, const CaseReport& one) {
  return report.command == "record" && one.verdict == passed && one.artifacts.contains("candidate");
}

Sentence totals(const Report& report) {
  const bool recording = report.command == "record";
  const std::int64_t waived = recording ? 0 : std::ranges::count_if(report.cases, waived_pass);
  Parts parts;
  const std::int64_t recorded = count_recorded(report);
  add_count(parts, recorded, say({"recorded", "已录制"}));
  add_count(parts, report.count(passed) - waived - recorded, words::verdict_text(passed));
  add_count(parts, waived, say({"waived", "豁免"}));
  add_count(parts, report.count(skipped), say({"SKIPPED", "跳过"}));
  parts.push_back(quarantined_words(report));
  add_count(parts, count_red(report), kinds_of_red(report));
  Sentence words = join(parts, comma);
  if (recording) return words;
  words +=
      say({"   speed gated in {}", "   {} 个有速度门禁"}, std::ranges::count_if(report.cases, gates_speed));
  const std::optional<Duration> saved = report.device_time_saved();
  return saved ? words + say({"   stopped early: {}", "   提前停止：{}"}, saved_words(*saved)) : words;
}

Sentence saved_words(Duration device_time) {
  return say({"{} saved", "节省 {}"}, device_minutes(device_time));
}

Sentence device_use_words(const DeviceUse& use) {
  if (use.runs == 0) return {};
  const Sentence what =
      use.runs > 1 ? count_of(use.runs, "run", "次运行") : count_of(use.devices, "device", "个设备");
  std::vector<Sentence> parts{say({"{} used", "使用 {}"}, device_minutes(use.used))};
  const auto add = [&](Duration time, const Sentence& words) {
    if (time > Duration{}) parts.push_back(words);
  };
  add(use.saved, say({"{} saved by early stop", "提前停止节省 {}"}, minutes_of(use.saved)));
  add(use.hung, say({"{} lost to hangs", "挂起损失 {}"}, minutes_of(use.hung)));
  add(use.infra, say({"{} to infra", "环境故障损失 {}"}, minutes_of(use.infra)));
  add(use.idle, say({"{} idle", "空闲 {}"}, minutes_of(use.idle)));
  return say({"{}, {}: {}; at best {}", "{}，{}：{}；至少需要 {}"}, what, rough(use.duration),
             join(parts, comma), rough(use.best));
}

Sentence spent_words(const Report& report) {
  const std::optional<Duration> spent = report.device_time();
  return join(std::array{as_is(rough(report.duration)), spent ? device_minutes(*spent) : Sentence()}, comma);
}

Sentence closing_title(const Report& report) {
  if (judges_nothing(report)) return say({"NOTHING JUDGED:", "未判定任何内容："});
  if (report.command == "plan") return say({"PLAN:", "计划："});
  if (has_recorded(report)) return say({"RECORDED:", "已录制："});
  if (!is_green(report)) return say({"RED:", "红："});
  return report.rehearsal ? say({"REHEARSED:", "已预演："}) : say({"GREEN:", "绿："});
}

Sentence closing_line(const Report& report) {
  if (judges_nothing(report)) return nothing_line(report);
  if (has_recorded(report))
    return line_of(report, {count_of(count_recorded(report), "candidate", "个候选基线")}, passed);
  const std::int64_t waived = std::ranges::count_if(report.cases, waived_pass);
  Parts parts;
  if (!report.missing.empty())
    parts.push_back(missing_words(report));
  else if (!is_green(report) && count_red(report) == 0)
    parts.push_back(why_not_green(report));
  for (const Verdict verdict : closing_order) {
    add_verdict(parts, report, verdict);
    if (verdict == passed && waived > 0)
      parts.back() += say({" ({} of them waived)", "（其中 {} 豁免）"}, waived);
  }
  parts.push_back(quarantined_words(report));
  if (report.policy && !report.policy->findings.empty())
    parts.push_back(count_of(std::ssize(report.policy->findings), "policy finding", "条策略发现"));
  return line_of(report, parts);
}

Sentence plan_line(const Report& report) {
  if (judges_nothing(report)) return nothing_line(report);
  Parts parts;
  add_count(parts, report.count(not_run), say({"to run", "待运行"}));
  return line_of(report, std::move(parts), not_run);
}

Sentence header_line(const Report& report) {
  Parts parts{as_is("gate " + report.gate_version)};
  const auto add = [&](const std::string& part) { parts.push_back(as_is(part)); };
  const auto add_named = [&](const Sentence& name, const std::string& part) {
    if (!part.empty()) parts.push_back(name + as_is(" " + part));
  };
  const std::string place = place_word(report.platform, report.environment);
  if (report.command == "check") {
    parts.push_back(say({"check", "检查"}));
    add(place);
  } else {
    add(report.suite);
    add_named(say({"run", "运行"}), report.run);
    add_named(say({"strategy", "策略"}), report.strategy);
    if (report.shard) add_named(say({"shard", "分片"}), to_string(*report.shard));
    if (!report.merged.empty())
      add_named(say({"merged from", "合并自"}), some_of(report.merged, most_merged));
    add(report.host + (!report.host.empty() && !place.empty() ? ", " : "") + place);
    add_named(say({"commit", "提交"}), short_commit(report.commit));
  }
  add_named(say({"profile", "判定方案"}), profile_of(report));
  return join(parts, column);
}

}  // namespace gate::render
