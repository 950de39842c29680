#include "gate/judge/lint.h"

#include <algorithm>
#include <array>
#include <chrono>
#include <set>

#include "gate/base/text.h"
#include "gate/base/time.h"
#include "gate/model/numbers/guessed_metric.h"
#include "gate/words/remarks.h"
#include "gate/words/values.h"
#include "judge/lint/lint_rows.h"
#include "judge/rules/plan.h"
#include "judge/series/fold.h"
#include "judge/series/limits.h"

namespace gate::judge {

namespace {

// --- a baseline as a whole: what it guards, where it comes from, how old it is ---

constexpr std::int64_t old_from = 180;  // days

// Return the day of an ISO date or time as a number of days, or nothing.
std::optional<std::int64_t> day_of(const std::string& iso) {
  int year = 0, month = 0, day = 0;
  if (std::sscanf(iso.c_str(), "%4d-%2d-%2d", &year, &month, &day) != 3) return std::nullopt;
  const std::chrono::year_month_day date{std::chrono::year{year},
                                         std::chrono::month(static_cast<unsigned>(month)),
                                         std::chrono::day(static_cast<unsigned>(day))};
  if (!date.ok()) return std::nullopt;
  return std::chrono::sys_days(date).time_since_epoch().count();
}

std::string date_of(const Baseline& baseline) {
  return baseline.accepted.empty() ? baseline.provenance.date : baseline.accepted.back().when;
}

Flaws no_script(const Inspected& inspected) {
  if (inspected.input.no_script.empty()) return {};
  return {{"", std::nullopt, inspected.input.no_script}};
}

Sentence no_gate_of(MetricKind kind) {
  if (kind == MetricKind::accuracy) return say({"no accuracy is gated", "没有精度门禁"});
  return kind == MetricKind::speed ? say({"no speed is gated", "没有速度门禁"})
                                   : say({"no memory is gated", "没有显存门禁"});
}

// Return `; device_mem is printed and has no kind` for metrics that by their names are of the kind, and are
// not declared as such; "" without any.
Sentence untold_of(MetricKind kind, const GuardedCase& guard) {
  std::set<std::string> names;
  for (const ReferenceSeries& reference : guard.reference.series) {
    const Series& series = reference.runs.front();
    const bool has_kind = guard.metrics.get(series.metric()).kind != MetricKind::other;
    if (!has_kind && guess_metric(series.metric(), series.unit()).metric.kind == kind)
      names.insert(printable(series.metric(), 80));
  }
  if (names.empty()) return {};
  const std::string all = join(std::vector<std::string>(names.begin(), names.end()), ", ");
  return names.size() == 1 ? say({"; {} is printed and has no kind", "；{} 有打印，但没有 kind"}, all)
                           : say({"; {} are printed and have no kind", "；{} 有打印，但没有 kind"}, all);
}

constexpr std::string_view tool_memory = "device_memory";

// Return `; device_memory has a rule ...` where what a device's tool says has one, and the baseline holds
// none.
Sentence unread_of(MetricKind kind, const GuardedCase& guard) {
  if (kind != MetricKind::memory ||
      std::ranges::find(guard.rules, tool_memory, &Rule::metric) == guard.rules.end())
    return {};
  return say({"; {} has a rule, and the baseline no reading: a run shorter than sample has none",
              "；{} 有规则，但基线里没有读数：短于 sample 的运行没有读数"},
             tool_memory);
}

// Tell whether constants are so far from the baseline that a run twice as slow, or of twice the memory, is
// within them.
bool is_far(const Inspected::InspectedCheck& check) {
  const Tolerance& tolerance = check.target.rule->tolerance;
  if (needs_baseline(tolerance)) return false;
  const Intervals limits = limits_of(tolerance, std::nullopt);
  const bool is_higher_better = check.target.metric.better == Better::higher;
  return std::ranges::all_of(check.reference.runs, [&](const NumericSeries& run) {
    return std::ranges::all_of(values_at(run, check.reference.window), [&](const Number& value) {
      return within(limits, is_higher_better ? divide(value, 2) : times(value, {2, 0}));
    });
  });
}

// What a device's tool says of its memory guards memory, too.
bool is_guard(const Inspected::InspectedCheck& check, MetricKind kind) {
  const Metric& metric = check.target.metric;
  const bool is_of_tool = kind == MetricKind::memory && metric.name == tool_memory;
  return (metric.kind == kind || is_of_tool) && (kind == MetricKind::accuracy || !is_far(check));
}

Flaws not_guarded(const Inspected& inspected) {
  const GuardedCase& guard = inspected.input.guard;
  Flaws flaws;
  for (const MetricKind kind : {MetricKind::accuracy, MetricKind::speed, MetricKind::memory})
    if (std::ranges::any_of(guard.rules,
                            [&](const Rule& r) { return guard.metrics.get(r.metric).kind == kind; }) &&
        std::ranges::none_of(inspected.checks, [&](const auto& check) { return is_guard(check, kind); }))
      flaws.push_back({"", std::nullopt, no_gate_of(kind) + untold_of(kind, guard) + unread_of(kind, guard)});
  return flaws;
}

Flaws is_of_changed_script(const Inspected& inspected) {
  const std::string& now = inspected.input.script_sha256;
  Flaws flaws;
  for (const Baseline* file : inspected.input.files) {
    const std::string& then = file->provenance.script_sha256;
    if (!now.empty() && !then.empty() && now != then)
      flaws.push_back({"", std::nullopt,
                       say({"the script's sha256 is {}, recorded was {}", "脚本的 sha256 是 {}，录制时是 {}"},
                           now.substr(0, 12), then.substr(0, 12))});
  }
  return flaws;
}

Flaws old(const Inspected& inspected) {
  const std::optional<std::int64_t> today = day_of(inspected.input.today);
  Flaws flaws;
  for (const Baseline* file : inspected.input.files) {
    const std::optional<std::int64_t> day = day_of(date_of(*file));
    if (today && day && *today - *day > old_from)
      flaws.push_back(
          {"", std::nullopt,
           say({"of {}, {} days ago", "{} 的，{} 天以前"}, date_of(*file).substr(0, 10), *today - *day)});
  }
  return flaws;
}

Flaws not_accepted(const Inspected& inspected) {
  Flaws flaws;
  for (const Baseline* file : inspected.input.files)
    if (file->accepted.empty() && file->origin.empty())
      flaws.push_back({"", std::nullopt, say({"it holds no acceptance", "没有接受记录"})});
  return flaws;
}

Flaws ended_early(const Inspected& inspected) {
  Flaws flaws;
  for (const Baseline* file : inspected.input.files)
    for (const BaselineRun& run : file->runs)
      if (const std::int64_t last = last_step_of(run.series); run.total && last < *run.total)
        flaws.push_back({"", std::nullopt,
                         say({"it ends at step {} of {}", "在第 {} 步结束，应有 {} 步"}, last, *run.total)});
  return flaws;
}

// Return `; throughput is shorter than others and taken as the last steps 6-15`; "" where the reference is
// not.
Sentence place_of_shorter(const ReferenceSeries& reference) {
  const Series& series = reference.runs.front();
  if (!series.of_last_steps()) return {};
  return say({"; {} is shorter than other lists and taken as the last steps, {}",
              "；{} 比其他列表短，视为最后几步，即第 {} 步"},
             series.metric(), to_string(StepSet(series.samples().numbers())));
}

Flaws steps_assumed(const Inspected& inspected) {
  Flaws flaws;
  std::set<std::string> told;
  for (const Inspected::InspectedCheck& check : inspected.checks)
    for (const ReferenceSeries* reference : check.target.references)
      if (const Sentence place = place_of_shorter(*reference);
          reference->runs.front().assumed() && told.insert(reference->path + place.english()).second)
        flaws.push_back(
            {"", std::nullopt, say({"{} prints no step numbers", "{} 不打印步号"}, reference->path) + place});
  return flaws;
}

// What is found out of a case's settings, by lint_quarantine(), and out of its script, by lint_name().
Flaws not_of_baseline(const Inspected&) { return {}; }

// --- all checks ---

struct LintTableRow {
  LintRow row;
  Flaws (*find)(const Inspected& inspected);
};

constexpr std::array<LintTableRow, 33> lint_table{{
    {{"quarantine_ended",
      Weight::weak,
      {"the quarantine has ended: the case gates again", "隔离已结束：用例重新设门禁"},
      {"remove it from gate.toml", "请从 gate.toml 里删除"}},
     not_of_baseline},
    {{"quarantine_ends",
      Weight::weak,
      {"the quarantine ends within two weeks", "隔离在两周内结束"},
      {"fix the case, or extend its quarantine", "请修好用例，或延长隔离"}},
     not_of_baseline},
    {{"name",
      Weight::weak,
      {"the name of the case contradicts its script", "用例名所说的与脚本不符"},
      {"correct the script, or rename it and its baselines: gate baseline mv",
       "请更正脚本，或给它和基线改名：gate baseline mv"}},
     not_of_baseline},
    {{"feature",
      Weight::weak,
      {"the script turns on a feature that its models lack", "脚本打开了模型没有的功能"},
      {"remove the flag, or set model.implementation = \"Mcore\"",
       "请去掉该选项，或写明 model.implementation = \"Mcore\""}},
     not_of_baseline},
    {{"source_changed",
      Weight::weak,
      {"gate.toml asks for less than the files that it was made of", "gate.toml 的要求少于它的来源文件"},
      {"write it into gate.toml: gate init --dry-run prints what these files say now",
       "请写入 gate.toml：gate init --dry-run 会打印这些文件现在的内容"}},
     not_of_baseline},
    {{"no_golden",
      Weight::weak,
      {"an output has a golden file that is not there or cannot be used: no run of it is judged",
       "输出的基准文件不存在或不能用：没有一次运行会被判定"},
      {"put the file there, or correct it or its path", "请放入该文件，或更正文件或路径"}},
     not_of_baseline},
    {{"idle_rule",
      Weight::weak,
      {"a rule that somebody wrote judges nothing: no baseline has a value for it",
       "写下的规则什么都没有判定：没有基线含有它的值"},
      {"accept the metric of a run that prints it, or remove the rule",
       "请从打印它的运行中接受该指标，或删除该规则"}},
     not_of_baseline},
    {{"lost_metric",
      Weight::weak,
      {"a metric that judged runs is in no baseline any more", "曾用于判定的指标已不在任何基线里"},
      {"restore the baseline or golden file, accept the metric of a run, or turn its rule off",
       "请恢复基线或基准文件，从一次运行中接受该指标，或关闭它的规则"}},
     not_of_baseline},
    {{"no_script",
      Weight::weak,
      {"a baseline that guards nothing", "基线没有把关任何用例"},
      {"follow it, restore its script, or remove it: gate run offers the command",
       "请照它说的做，恢复脚本，或删除它：gate run 会给出命令"}},
     no_script},
    {{"refused",
      Weight::weak,
      {"the baseline does not pass its own rules", "基线通不过自己的规则"},
      {"record it again, or change the rule that gate explain shows",
       "请重新录制，或改动 gate explain 显示的规则"}},
     does_not_pass},
    {{"not_guarded",
      Weight::weak,
      {"rules are on for accuracy, speed or memory, and none applies",
       "打开了精度、速度或显存的规则，却没有一条适用"},
      {"record a run that prints it, accept it of one (gate baseline accept CASE --run RUN --metric METRIC), "
       "for memory a run longer than sample with a rule of device_memory, or turn the rules off",
       "请录制一次会打印这类指标的运行，从一次运行中接受它（gate baseline accept CASE --run RUN --metric "
       "METRIC），显存可给 device_memory 写规则并录制比采样间隔更长的运行，或关闭这些规则"}},
     not_guarded},
    {{"not_recorded",
      Weight::weak,
      {"a step without a number: nan, null, infinite or left out", "有一步没有数值：nan、null、无穷大或缺值"},
      {"record it again", "请重新录制"}},
     not_recorded},
    {{"ended_early",
      Weight::weak,
      {"shorter than its log announced", "比自己的日志预告的短"},
      {"record a run that reaches its end", "请录制跑到末尾的运行"}},
     ended_early},
    {{"few_values",
      Weight::weak,
      {"the window needs more values than there are", "窗口要求的值比实有的多"},
      {"record a longer run, or correct the window", "请录制更长的运行，或写明要用的窗口"}},
     few_values},
    {{"stall",
      Weight::weak,
      {"speed recorded during a stall: slower runs would pass", "速度是在停顿时录制的：会放过更慢的运行"},
      {"record it again on a quiet host", "请在空闲的主机上重新录制"}},
     stalls},
    {{"warm_up",
      Weight::weak,
      {"a speed window contains the first step (warm-up)", "速度窗口包含预热的第一步"},
      {"exclude it from the window: last 10, after 5", "请写不含它的窗口：last 10、after 5"}},
     warm_up_in_window},
    {{"ranks",
      Weight::weak,
      {"ranks disagree in what they report", "各 rank 报告的内容不一致"},
      {"check the log that it was recorded from", "请查看生成它的日志"}},
     uneven_ranks},
    {{"all_zero",
      Weight::weak,
      {"every value is 0", "每个值都是 0"},
      {"record a run that measures it, or turn the rule off", "请录制测量它的运行，或关闭该规则"}},
     all_zero},
    {{"noisy",
      Weight::weak,
      {"false-failure rate above 1 %", "误报率高于 1 %"},
      {"write a wider tolerance below [case.\"CASE\"] of gate.toml, or record more runs than it has: gate "
       "baseline record CASE --runs N",
       "请在 gate.toml 的 [case.\"CASE\"] 下放宽容差，或录制比现在更多的次数：gate baseline record CASE "
       "--runs N"}},
     noisy},
    {{"script_changed",
      Weight::weak,
      {"the script has changed since it was recorded", "脚本与录制时的不同"},
      {"check the change; record again", "请查看改动并重新录制"}},
     is_of_changed_script},
    {{"import_changed",
      Weight::weak,
      {"what it was imported from has changed since", "导入的来源在导入之后有改动"},
      {"look at the change, and import it again", "请查看改动并重新导入"}},
     not_of_baseline},
    {{"old",
      Weight::weak,
      {"recorded or accepted long ago", "录制或接受已经很久"},
      {"record it again, or accept it again with a reason", "请重新录制，或带理由重新接受"}},
     old},
    {{can_go_row,
      Weight::note,
      {"a case in quarantine was green wherever the others were", "其他用例为绿时，隔离中的用例也一直为绿"},
      {"remove the quarantine from gate.toml", "请从 gate.toml 里删除隔离"}},
     not_of_baseline},
    {{"not_accepted",
      Weight::note,
      {"nobody accepted it: it was added by hand", "没有人接受过它：是手工放入的"},
      {"gate baseline import LOG --case CASE --accept --reason \"...\"",
       "gate baseline import LOG --case CASE --accept --reason \"...\""}},
     not_accepted},
    {{"assumed",
      Weight::note,
      {"its file has no step numbers; steps 1 to N are assumed", "文件里是位置，按第 1 到 N 步处理"},
      {"import a log that prints steps: gate baseline import LOG --case CASE",
       "请导入打印步号的日志：gate baseline import LOG --case CASE"}},
     steps_assumed},
    {{"passed_over",
      Weight::note,
      {"its settings hold what its profile does not use", "它的设置里有判定方案不使用的内容"},
      {"remove it, or have gate make the verdict: profile = \"gate\"",
       "请删除，或由 gate 判定：profile = \"gate\""}},
     not_of_baseline},
    {{"script_differs",
      Weight::note,
      {"the script says otherwise than the settings of the case", "脚本所写与用例的设置不同"},
      {"look with -v, and correct one of them", "请用 -v 查看，并改正其中一个"}},
     not_of_baseline},
    {{"drops_exit",
      Weight::note,
      {"the script may end with 0 though its training failed; what the log says of a failure decides, and "
       "where "
       "nothing is compared the case is unjudged",
       "训练失败时脚本仍可能以 0 结束；由日志所说的失败来判定，没有比较任何内容的用例则未判定"},
      {"set -o pipefail before it, or end with its exit code",
       "请在它之前写 set -o pipefail，或以它的退出码结束"}},
     not_of_baseline},
    {{"redirected",
      Weight::note,
      {"the script sends a program's output to a file, and gate reads what the script prints",
       "脚本把某个程序的输出写到文件，而 gate 读取的是脚本打印的内容"},
      {"log = \"...\" names the file, if it is the training's",
       "如果是训练的输出，请用 log = \"...\" 指出这个文件"}},
     not_of_baseline},
    {{"name_hint",
      Weight::note,
      {"the name of the case omits what its script does, or cannot be checked",
       "用例名没有说全脚本所做的事，或无从核对"},
      {"check it with -v; rename the script and its baselines: gate baseline mv",
       "请用 -v 查看；给脚本和基线改名：gate baseline mv"}},
     not_of_baseline},
    {{"source_differs",
      Weight::note,
      {"gate.toml says other than the files that it was made of", "gate.toml 所写与它的来源文件不同"},
      {"leave it, if it is meant so, or write it into gate.toml: gate init --dry-run prints what these files "
       "say now",
       "若有意如此可不改，否则请写入 gate.toml：gate init --dry-run 会打印这些文件现在的内容"}},
     not_of_baseline},
    {{"source_lacks",
      Weight::note,
      {"the case is not what its framework's rules for cases ask for", "用例不符合其框架的用例规范"},
      {"mend it, where the case is to be submitted", "若要提交该用例，请改好"}},
     not_of_baseline},
    {{"one_run",
      Weight::note,
      {"the noise between runs is not known", "运行之间的噪声未知"},
      {"gate baseline record --runs 3", "gate baseline record --runs 3"}},
     noise_unknown},
}};

constexpr auto lint_rows = [] {
  std::array<LintRow, lint_table.size()> rows;
  std::ranges::transform(lint_table, rows.begin(), &LintTableRow::row);
  return rows;
}();

Inspected inspect(const LintInput& input, const CheckPlan& plan) {
  Inspected inspected{input, plan, {}};
  for (const RuleTarget& target : plan.targets)
    if (!target.open()) inspected.checks.push_back({target, reference_window_of(target)});
  return inspected;
}

// Findings alike of many series are one.
void add_findings(std::vector<Finding>& findings, const LintRow& row, const Flaws& flaws) {
  std::vector<SeriesRemark> remarks;
  for (const Flaw& flaw : flaws) {
    if (flaw.metric.empty())
      findings.push_back({&row, "", flaw.text});
    else
      remarks.push_back({flaw.metric, flaw.rank, Numbering::step, remark::Text{flaw.text}});
  }
  for (const Note& note : fold(remarks))
    findings.push_back({&row, words::subjects_text(note), words::text(note.remark)});
}

}  // namespace

std::span<const LintRow> lints() { return lint_rows; }

std::vector<Finding> findings_of(std::string_view row, const std::vector<Sentence>& texts) {
  std::vector<Finding> findings;
  for (const Sentence& text : texts)
    findings.push_back({&*std::ranges::find(lint_rows, row, &LintRow::name), "", text});
  return findings;
}

std::vector<Finding> lint_quarantine(const Quarantine& quarantine, const std::string& today,
                                     std::size_t green) {
  constexpr std::int64_t soon = 14;
  const auto days = days_between(today, quarantine.until);
  std::vector<Finding> findings;
  if (green > 0) findings = findings_of(can_go_row, {words::quarantine_can_go(green)});
  if (!days || *days > soon) return findings;
  const std::string_view name = *days < 0 ? "quarantine_ended" : "quarantine_ends";
  const auto& [until, owner, reason] = std::tie(quarantine.until, quarantine.owner, quarantine.reason);
  const Sentence text =
      *days < 0 ? say({"its quarantine ended on {}, owner {}: {}", "隔离已于 {} 结束，负责人 {}：{}"}, until,
                      owner, reason)
                : say({"its quarantine ends on {}, owner {}: {}", "隔离将于 {} 结束，负责人 {}：{}"}, until,
                      owner, reason);
  findings.insert(findings.begin(), {&*std::ranges::find(lint_rows, name, &LintRow::name), "", text});
  return findings;
}

std::vector<Finding> lint(const LintInput& input) {
  const GuardedCase& guard = input.guard;
  const CheckPlan plan = make_plan(guard.rules, guard.metrics, guard.reference, guard.platform);
  const Inspected inspected = inspect(input, plan);
  std::vector<Finding> findings;
  for (std::size_t i = 0; i < lint_table.size(); ++i)
    add_findings(findings, lint_rows[i], lint_table[i].find(inspected));
  return findings;
}

std::int64_t Lint::count(Weight weight) const {
  std::int64_t count = 0;
  for (const LintCase& c : cases)
    count += std::ranges::count(c.findings, weight, [](const Finding& f) { return f.row->weight; });
  return count;
}

std::optional<double> Lint::false_red() const {
  std::vector<double> rates;
  for (const LintCase& c : cases)
    for (const Noise& noise : c.noise)
      if (noise.rate) rates.push_back(*noise.rate);
  return rates.empty() ? std::nullopt : std::optional(any_of(rates));
}

int Lint::exit_code() const {
  if (count(Weight::weak) > 0) return exit_code::regressed;
  const bool none = std::ranges::all_of(cases, [](const LintCase& c) { return !c.why_not.empty(); });
  return none || std::ranges::any_of(cases, &LintCase::unreadable) ? exit_code::refused : exit_code::ok;
}

}  // namespace gate::judge
