#include <algorithm>
#include <array>
#include <map>
#include <utility>

#include "gate/base/columns.h"
#include "gate/base/text.h"
#include "gate/render/status.h"
#include "gate/words/values.h"

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

TextRow row_of(const CaseStatus& status, Moment now) {
  const bool goes_on = status.state == JobState::running;
  Sentence last = status.waits_for;
  if (last.empty() && status.launches > 1) last = say({"launch {}", "第 {} 次启动"}, status.launches);
  return {"  " + status.name, word_of(status), goes_on ? time_since(status.since, now) : "",
          steps_of(status),   status.devices,  last};
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

std::string block_of(const RunStatus& run, Moment now, const Style& style) {
  const Sentence of = run.suite.empty() ? Sentence() : say({" of {}", "（{}）"}, run.suite);
  const std::vector<Sentence> lines{
      say({"run {}{}: {} {}", "运行 {}{}：{} {}"}, run.run, of, run.command, since_when(run, now)),
      "  " + join(std::array{who(run), as_is(run.folder)}, comma),
      run.waits_for.empty() ? "" : "  " + run.waits_for};
  std::string out;
  for (const Sentence& line : lines)
    if (!line.empty()) out += safe(line.in(style.language)) + "\n";
  TextRows rows{{say({"  case", "  用例"}), say({"state", "状态"}), say({"for", "已用"}), say({"step", "步"}),
                 say({"devices", "设备"}), ""}};
  for (const CaseStatus& c : run.cases)
    if (style.verbose || c.state == JobState::running) rows.push_back(row_of(c, now));
  if (rows.size() > 1) out += table(rows, style);
  return inert(out) + "  " + counts_of(run).in(style.language) + "\n";
}

}  // namespace

std::string status_text(const std::vector<RunStatus>& runs, Moment now, const Style& style) {
  std::string out;
  for (const RunStatus& run : runs) out += (out.empty() ? "" : "\n") + block_of(run, now, style);
  return out.empty() ? say({"no run goes on\n", "没有正在进行的运行\n"}).in(style.language) : out;
}

}  // namespace gate::render
