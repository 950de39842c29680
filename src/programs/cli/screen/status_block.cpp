#include "cli/screen/status_block.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "gate/base/columns.h"
#include "gate/base/text.h"
#include "gate/model/reports/run_status.h"

namespace gate::cli {

namespace {

// Of several that a log prints the first one in this list is shown.
struct SpeedRow {
  std::string_view metric, unit;
};
constexpr std::array<SpeedRow, 4> speeds{{{"throughput", "TFLOP/s"},
                                          {"tokens_per_second", "tokens/s"},
                                          {"samples_per_second", "samples/s"},
                                          {"iteration_time", "ms"}}};

std::size_t rank_of(std::string_view metric) {
  return static_cast<std::size_t>(std::ranges::find(speeds, metric, &SpeedRow::metric) - speeds.begin());
}

std::string cut(const std::string& text, int width) {
  if (columns(text) <= width) return text;
  return width < 1 ? "" : text.substr(0, fitting(text, width - 1)) + "~";
}

// `1m03s of ~4m`.
Sentence time_words(Duration gone, std::optional<Duration> whole) {
  const std::string text =
      gone < std::chrono::seconds(1) ? "0s" : rough(std::chrono::duration_cast<std::chrono::seconds>(gone));
  return whole ? say({"{} of ~{}", "{}，预计 ~{}"}, text, rough(*whole)) : as_is(text);
}

std::optional<double> finite_value(const std::optional<Sample>& sample) {
  return sample && sample->value.is_finite() ? std::optional(sample->value.number.to_double()) : std::nullopt;
}

// The number short enough to be read at a glance, else what was printed.
std::string brief(const Sample& sample) {
  if (const auto number = finite_value(sample)) return fmt::format("{:.5g}", *number);
  return sample.text.empty() ? "left out" : safe(sample.text);
}

// `+0.0012`; "" where one of them is no number.
std::string difference(const Sample& sample, const std::optional<Sample>& baseline) {
  const std::optional<double> value = finite_value(sample), reference = finite_value(baseline);
  return value && reference ? fmt::format("{:+.2g}", *value - *reference) : "";
}

// `-2.3 %`; "" where one of them is no number, or the baseline is 0.
std::string deviation(const Sample& sample, const std::optional<Sample>& baseline) {
  const std::optional<double> value = finite_value(sample), reference = finite_value(baseline);
  return value && reference && *reference != 0 ? fmt::format("{:+.1f} %", (*value / *reference - 1) * 100)
                                               : "";
}

std::string add_remark(const std::string& text, const std::string& remark) {
  return remark.empty() ? text : text + " (" + remark + ")";
}

// A part of a line: the smaller `rank`, the longer it stays.
struct LinePart {
  int rank;
  std::string text;
};

std::string fitted(std::string line, std::vector<LinePart> parts, int width) {
  const auto length = [&] {
    int sum = columns(line);
    for (const LinePart& part : parts) sum += part.text.empty() ? 0 : 2 + columns(part.text);
    return sum;
  };
  while (!parts.empty() && length() > width)
    parts.erase(std::ranges::max_element(parts, {}, &LinePart::rank));
  for (const LinePart& part : parts)
    if (!part.text.empty()) line += "  " + part.text;
  return line;
}

}  // namespace

void StatusBlock::on_event(const RunPlanned& event) { cases_ = event.report.count(Verdict::not_run); }

void StatusBlock::on_event(const CaseStarted& event, Clock::time_point now) {
  RunningCase& one = running_.emplace_back();
  one.name = event.name;
  one.shown_name = safe(event.name);
  one.devices = event.devices.empty() || event.hosts.empty()
                    ? event.devices + event.hosts.in(language_)
                    : say({"{} of {}", "{1} 的 {0}"}, event.devices, event.hosts).in(language_);
  one.total = event.total;
  one.began = now;
  one.expected = event.expected;
}

StatusBlock::RunningCase* StatusBlock::find(const std::string& name) {
  return row_in(running_, name, &RunningCase::name);
}

void StatusBlock::on_event(const LaunchBegun& event) {
  if (RunningCase* one = find(event.case_name)) one->waits_for.clear();
}

void StatusBlock::on_event(const Message& event) {
  if (RunningCase* one = event.is_waiting ? find(event.case_name) : nullptr)
    one->waits_for = safe(event.text.in(language_));
}

void StatusBlock::on_event(const SampleSeen& event) {
  RunningCase* one = find(event.case_name);
  if (one == nullptr || event.rank.value_or(0) != 0) return;
  if (event.metric == "lm_loss") {
    one->step = event.sample.number;
    one->loss = event.sample;
    one->loss_baseline = event.baseline;
  }
  const std::size_t rank = rank_of(event.metric);
  if (rank > std::min(rank_of(one->speed_name), speeds.size() - 1)) return;
  one->speed_name = event.metric;
  one->speed_unit = speeds[rank].unit;
  one->speed = event.sample;
  one->speed_baseline = event.baseline;
}

void StatusBlock::on_event(const CaseFinished& event) {
  std::erase_if(running_, [&](const RunningCase& one) { return one.name == event.report.name; });
  ++done_;
  if (is_failure(event.report.verdict) && !event.report.quarantine) ++red_;
}

std::string StatusBlock::head(int width) const {
  const auto running = static_cast<std::int64_t>(running_.size());
  const std::int64_t waiting = std::max<std::int64_t>(0, cases_ - done_ - running);
  const auto shown = [&](const Sentence& words) { return words.in(language_); };
  return fitted(shown(say({"{} of {} done", "已完成 {}/{}"}, done_, cases_)),
                {{0, red_ > 0 ? shown(say({"{} RED", "{} 红"}, red_)) : ""},
                 {1, shown(say({"{} running", "{} 运行中"}, running))},
                 {2, waiting > 0 ? shown(say({"{} waiting", "{} 等待"}, waiting)) : ""}},
                width);
}

std::string StatusBlock::line(const RunningCase& one, Clock::time_point now, int name_width,
                              int width) const {
  const auto shown = [&](const Sentence& words) { return words.in(language_); };
  const auto gone = std::chrono::duration_cast<Duration>(now - one.began);
  const std::string of_total = one.total ? "/" + std::to_string(*one.total) : "";
  const std::string step = !one.waits_for.empty() ? cut(one.waits_for, width - name_width - 2)
                           : one.step > 0 ? shown(say({"step {}{}", "第 {}{} 步"}, one.step, of_total))
                                          : shown(say({"no step yet", "还没有步"}));
  const std::string loss = one.loss
                               ? shown(say({"loss ", "损失 "})) +
                                     add_remark(brief(*one.loss), difference(*one.loss, one.loss_baseline))
                               : "";
  const std::string speed = one.speed ? add_remark(brief(*one.speed) + " " + one.speed_unit,
                                                   deviation(*one.speed, one.speed_baseline))
                                      : "";
  std::string name = cut(one.shown_name, name_width);
  name.append(static_cast<std::size_t>(std::max(0, name_width - columns(name))), ' ');
  return fitted(std::move(name),
                {{0, step},
                 {2, loss},
                 {3, speed},
                 {1, shown(time_words(gone, whole_time(gone, one.expected, one.step, one.total)))},
                 {4, one.devices.empty() ? "" : shown(say({"devices {}", "设备 {}"}, one.devices))}},
                width);
}

std::vector<std::string> StatusBlock::lines(Clock::time_point now, int width, int rows) const {
  if (running_.empty()) return {};
  const int room = width - 1;  // a full last column makes some terminals begin a new row
  const auto most = static_cast<std::size_t>(std::max(1, rows - 2));
  const std::size_t shown = running_.size() <= most ? running_.size() : most - 1;
  int name_width = 0;
  for (const RunningCase& one : running_) name_width = std::max(name_width, columns(one.shown_name));
  name_width = std::min({name_width, std::max(12, room / 3), room});
  std::vector<std::string> all{cut(head(room), room)};
  for (std::size_t i = 0; i < shown; ++i) all.push_back(line(running_[i], now, name_width, room));
  if (shown < running_.size())
    all.push_back(cut(say({"and {} more", "以及另外 {} 个"}, running_.size() - shown).in(language_), room));
  return all;
}

}  // namespace gate::cli
