#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <utility>

#include "gate/base/columns.h"
#include "gate/base/text.h"
#include "gate/render/status.h"
#include "gate/words/values.h"
#include "render/words/downsample.h"

namespace gate::render {

namespace {

std::string time_since(const std::string& moment, Moment now) {
  const std::optional<Moment> since = parse_iso(moment);
  if (!since) return "";
  return rough(std::max(Duration{}, std::chrono::duration_cast<Duration>(now - *since)));
}

Sentence state_words(JobState state) {
  switch (state) {
    case JobState::pending:
      return say({"pending", "等待中"});
    case JobState::running:
      return say({"running", "运行中"});
    case JobState::success:
      return say({"success", "成功"});
    case JobState::failed:
      return say({"failed", "失败"});
    case JobState::stopped:
      return say({"stopped", "已停止"});
  }
  return {};
}

Sentence word_of(const CaseStatus& status) {
  return status.verdict ? words::verdict_text(*status.verdict) : state_words(status.state);
}

std::string steps_of(const CaseStatus& status) {
  if (status.step == 0 && status.state == JobState::pending) return "";
  return std::to_string(status.step) + (status.total ? "/" + std::to_string(*status.total) : "");
}

Sentence since_when(const RunStatus& run, Moment now) {
  if (run.state == JobState::running) return say({"for {}", "已运行 {}"}, time_since(run.started, now));
  const std::string ago = time_since(run.updated, now);
  return run.exit_code ? say({"ended {} ago, exit code {}", "{} 前结束，退出码 {}"}, ago, *run.exit_code)
                       : say({"cut off, last seen {} ago; gate run --resume {} finishes it",
                              "意外中断，{} 前最后一次更新；gate run --resume {} 可把它做完"},
                             ago, run.run);
}

Sentence who(const RunStatus& run) {
  const Sentence process =
      run.pid > 0 ? say({"pid {} of {}", "pid {}，用户 {}"}, run.pid, run.user) : Sentence();
  if (run.host.empty()) return process;
  return process + (process.empty() ? Sentence() : Sentence(" ", "，")) + say({"on {}", "主机 {}"}, run.host);
}

// How long the case will go on; "" where nothing tells it.
std::string time_left(const CaseStatus& status, Moment now) {
  const std::optional<Moment> since = parse_iso(status.since);
  if (!since) return "";
  const auto gone = std::chrono::duration_cast<Duration>(now - *since);
  const auto whole = whole_time(gone, status.expected.value_or(Duration{}), status.step, status.total);
  return whole ? "~" + rough(std::chrono::ceil<std::chrono::seconds>(*whole - gone)) : "";
}

std::string devices_and_hosts(const CaseStatus& status, Language language) {
  if (status.hosts.empty()) return status.devices;
  if (status.devices.empty()) return status.hosts.in(language);
  return say({"{} of {}", "{1} 的 {0}"}, status.devices, status.hosts).in(language);
}

// How far the metric is from its baseline: a speed in percent.
std::string deviation_of(const LiveCurve& curve) {
  if (!std::isfinite(curve.baseline_now)) return "";
  const bool is_share = curve.tolerance.ends_with('%') && curve.baseline_now != 0;
  return is_share ? fmt::format("{:+.2g} %", 100 * (curve.now / curve.baseline_now - 1))
                  : fmt::format("{:+.2g}", curve.now - curve.baseline_now);
}

// `+0.0014 (±0.01)  OUT OF TOLERANCE since step 30`.
Sentence tolerance_words(const LiveCurve& curve) {
  std::vector<Sentence> parts;
  const std::string deviation = deviation_of(curve);
  const std::string limit = curve.tolerance.empty() ? "" : "(" + curve.tolerance + ")";
  parts.emplace_back(deviation + (deviation.empty() || limit.empty() ? "" : " ") + limit);
  if (curve.beyond_since)
    parts.push_back(say({"OUT OF TOLERANCE since step {}", "自第 {} 步起超出容差"}, *curve.beyond_since));
  std::erase_if(parts, [](const Sentence& part) { return part.empty(); });
  return join(parts, as_is("  "));
}

std::string value_of(const LiveCurve& curve) {
  return fmt::format("{:.5g}", curve.now) + (curve.unit.empty() ? "" : " " + curve.unit);
}

// `lm_loss     █▅▃▂▁  2.3412  baseline █▅▃▂▁ 2.3398  +0.0014 (±0.01)`: both curves on one scale.
Sentence curve_words(const LiveCurve& curve, std::size_t name_width) {
  constexpr std::size_t width = 20;
  std::vector<double> values = curve.values;
  values.insert(values.end(), curve.baseline.begin(), curve.baseline.end());
  const bool has_baseline = !curve.baseline.empty() && curve.baseline.size() == curve.values.size();
  const std::string both = sparkline(values, has_baseline ? 2 * width : width);
  const std::size_t half = has_baseline ? fitting(both, columns(both) / 2) : both.size();
  std::string name = curve.metric;
  name.resize(std::max(name_width, name.size()), ' ');
  std::vector<Sentence> parts{"    " + name, both.substr(0, half), value_of(curve)};
  if (has_baseline)
    parts.push_back(say({"baseline {} {:.5g}", "基线 {} {:.5g}"}, both.substr(half), curve.baseline_now));
  parts.push_back(tolerance_words(curve));
  std::erase_if(parts, [](const Sentence& part) { return part.empty(); });
  return join(parts, as_is("  "));
}

std::string curve_lines(const CaseStatus& status, const Style& style) {
  std::size_t name_width = 0;
  for (const LiveCurve& curve : status.curves) name_width = std::max(name_width, curve.metric.size());
  std::string out;
  for (const LiveCurve& curve : status.curves)
    out += safe(curve_words(curve, name_width).in(style.language)) + "\n";
  return out;
}

TextRow row_of(const CaseStatus& status, Moment now, Language language) {
  const bool goes_on = status.state == JobState::running;
  Sentence last = status.waits_for;
  if (last.empty() && status.launches > 1) last = say({"launch {}", "第 {} 次启动"}, status.launches);
  return {"  " + status.name,
          word_of(status),
          goes_on ? time_since(status.since, now) : "",
          goes_on ? time_left(status, now) : "",
          steps_of(status),
          devices_and_hosts(status, language),
          last};
}

Sentence counts_of(const RunStatus& run) {
  std::map<std::string, std::pair<Sentence, std::int64_t>> counts;  // by the word in English
  for (const CaseStatus& c : run.cases) {
    auto& [word, count] = counts[word_of(c).english()];
    word = word_of(c);
    ++count;
  }
  std::vector<Sentence> words;
  for (const auto& [english, one] : counts) words.push_back(say({"{} {}", "{} {}"}, one.second, one.first));
  return words.empty() ? say({"no case", "没有用例"}) : join(words, comma);
}

Sentence of_suite(const std::string& suite) {
  return suite.empty() ? Sentence() : say({" of {}", "（{}）"}, suite);
}

std::string block_of(const RunStatus& run, Moment now, const Style& style) {
  const std::vector<Sentence> lines{say({"run {}{}: {} {}", "运行 {}{}：{} {}"}, run.run, of_suite(run.suite),
                                        run.command, since_when(run, now)),
                                    "  " + join(std::array{who(run), as_is(run.folder)}, comma),
                                    run.waits_for.empty() ? "" : "  " + run.waits_for};
  std::string out;
  for (const Sentence& line : lines)
    if (!line.empty()) out += safe(line.in(style.language)) + "\n";
  TextRows rows{{say({"  case", "  用例"}), say({"state", "状态"}), say({"for", "已用"}),
                 say({"left", "剩余"}), say({"step", "步"}), say({"devices", "设备"}), ""}};
  std::vector<const CaseStatus*> shown;
  for (const CaseStatus& c : run.cases)
    if (style.verbose || c.state == JobState::running) shown.push_back(&c);
  for (const CaseStatus* c : shown) rows.push_back(row_of(*c, now, style.language));
  const std::string text = shown.empty() ? "" : table(rows, style);
  const std::vector<std::string_view> table_lines = split(text, '\n');
  std::size_t row = 0;  // of the table, whose rows may go over several lines
  for (std::size_t i = 0; i < table_lines.size(); ++i) {
    if (!table_lines[i].empty()) out += std::string(table_lines[i]) + "\n";
    const bool ends_row = i + 1 == table_lines.size() || !table_lines[i + 1].starts_with("   ");
    if (ends_row && row++ > 0 && row <= shown.size() + 1) out += curve_lines(*shown[row - 2], style);
  }
  return inert(out) + "  " + counts_of(run).in(style.language) + "\n";
}

}  // namespace

std::string status_text(const std::vector<RunStatus>& runs, Moment now, const Style& style) {
  std::string out;
  for (const RunStatus& run : runs) out += (out.empty() ? "" : "\n") + block_of(run, now, style);
  return out.empty() ? say({"no run goes on\n", "没有正在进行的运行\n"}).in(style.language) : out;
}

std::string status_line(const RunStatus& run, const CaseStatus& status, const std::string& of, Moment now,
                        const Style& style) {
  std::vector<Sentence> parts;
  if (status.verdict || status.state != JobState::running) parts.push_back(word_of(status));
  parts.push_back(say({"step {}", "第 {} 步"}, steps_of(status)));
  const std::string left = status.state == JobState::running ? time_left(status, now) : "";
  if (!left.empty()) parts.push_back(say({"{} left", "剩余 {}"}, left));
  for (const LiveCurve& curve : status.curves)
    parts.push_back(as_is(curve.metric + " " + value_of(curve) + " ") + tolerance_words(curve));
  if (!status.waits_for.empty()) parts.push_back(status.waits_for);
  return safe((as_is(run.run) + of_suite(of) + as_is(" " + status.name) + colon + join(parts, comma))
                  .in(style.language)) +
         "\n";
}

}  // namespace gate::render
