// A log of one's own as tables of gate.toml. What its lines print is surveyed (extract::survey_log), read by
// the patterns that this gives as any log is, and judged by the rules that follow: against itself, and
// against what it would be with a loss twice as high, slower, or cut. What is not caught is said.
#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <map>
#include <optional>
#include <set>

#include "gate/base/fs.h"
#include "gate/base/text.h"
#include "gate/config/own_metrics.h"
#include "gate/extract/survey.h"
#include "gate/judge/rules.h"
#include "gate/judging/case_judge.h"
#include "gate/judging/read_logs.h"
#include "stored/init/own_trial.h"
#include "stored/init/trees.h"

namespace gate::app {

namespace {

using config::OwnMetric;

constexpr std::size_t most_looked_at = std::size_t{8} << 20;

bool is_read(const Extraction& extraction, std::string_view metric) {
  return std::ranges::any_of(
      extraction.series, [&](const Series& series) { return series.metric() == metric && !series.empty(); });
}

// Tell whether the known formats read the number that the example prints, under a name that gate knows.
bool is_read(const Extraction& extraction, const extract::SurveyedMetric& metric) {
  static const MetricTable table;
  return std::ranges::any_of(extraction.series, [&](const Series& series) {
    return table.find(series.metric()) != nullptr &&
           std::ranges::any_of(series.samples(),
                               [&](const Sample& sample) { return sample.text == metric.word; });
  });
}

// Say of the metric what its values tell of tolerances.
void tell_values(const Extraction& extraction, OwnMetric& own) {
  int finest = 0;
  own.values.clear();
  for (const Series& series : extraction.series) {
    if (series.metric() != own.guess.metric.name) continue;
    const bool is_first = own.values.empty();
    for (const Sample& sample : series.samples()) {
      if (!sample.value.is_finite()) continue;
      finest = std::min(finest, static_cast<int>(sample.value.number.exponent));
      if (is_first) own.values.push_back(sample.value.number.to_double());
    }
  }
  own.last_digit = Decimal{1, finest};
}

extract::Options options_of(const std::vector<OwnMetric>& metrics, const std::string& json_step) {
  extract::Options options;
  options.json.step = json_step;
  for (const OwnMetric& own : metrics) {
    if (!own.key.empty()) options.json.metrics.push_back({own.guess.metric.name, own.key});
    if (own.pattern.empty()) continue;
    options.patterns.push_back({own.guess.metric.name, own.pattern});
    options.patterns.back().thousands = own.has_thousands;
  }
  for (const OwnMetric& own : metrics) options.metrics.put(own.guess.metric);
  return options;
}

bool has(const Extraction& extraction, ProblemKind kind) {
  return std::ranges::find(extraction.problems, kind, &Problem::kind) != extraction.problems.end();
}

// Tell whether each value has a step of its own; a word that is no number (`nanms`) is none, and is told
// then.
bool is_whole(const Extraction& extraction, std::string_view metric) {
  return is_read(extraction, metric) && !has(extraction, ProblemKind::conflict);
}

// The metrics of a survey, as they are read.
class OwnReading {
 public:
  OwnReading(std::string log, std::vector<std::string> formats, const extract::LogSurvey& survey,
             const Extraction& known)
      : log_(std::move(log)), formats_(std::move(formats)), json_step_(survey.json_step) {
    const bool reads_keys = known.formats.empty() || std::ranges::count(known.formats, "jsonl") > 0;
    if (!reads_keys) json_step_.clear();
    for (const extract::SurveyedLines& lines : survey.lines)
      for (const extract::SurveyedMetric& metric : lines.metrics)
        if (!is_read(known, metric) && (reads_keys || metric.key.empty()))
          metrics_.push_back({metric.guess,
                              metric.printed,
                              metric.pattern,
                              metric.key,
                              extract::reads_thousands(metric.pattern),
                              {},
                              {}});
    read();
    if (has(extraction_, ProblemKind::conflict) || has(extraction_, ProblemKind::malformed)) mend();
    for (OwnMetric& own : metrics_) tell_values(extraction_, own);
    std::erase_if(metrics_, [&](const OwnMetric& own) {
      return own.values.empty() && left(own, say({"it was not read", "没有读出"}));
    });
  }

  const std::vector<OwnMetric>& metrics() const { return metrics_; }
  const Extraction& extraction() const { return extraction_; }
  const std::string& json_step() const { return json_step_; }
  const std::vector<extract::UnjudgedNumber>& left_out() const { return left_out_; }

 private:
  bool left(const OwnMetric& own, const Sentence& why) {
    left_out_.push_back({own.printed.empty() ? own.guess.metric.name : own.printed, why});
    return true;
  }

  void read() {
    extract::Options options = options_of(metrics_, json_step_);
    options.formats = formats_;
    if (auto extraction = read_logs({log_}, std::move(options))) extraction_ = std::move(*extraction);
  }

  // Which of them it is nobody says: each is read alone, counted where its steps are in conflict, or let go.
  // One without a step needs the others'.
  void mend() {
    for (OwnMetric& own : metrics_) {
      if (!own.key.empty()) continue;
      const bool has_step = own.pattern.find("(?P<step>") != std::string::npos;
      if (has_step && is_whole(read_alone(own), own.guess.metric.name)) continue;
      if (has_step && own.guess.metric.kind == MetricKind::speed) {  // lines of one step with other clocks
        own.guess.metric.pick = Pick::last;
        if (is_whole(read_alone(own), own.guess.metric.name)) continue;
        own.guess.metric.pick = Pick::none;
      }
      if (!has_step && own.guess.metric.numbered == Numbering::step)
        own.guess.metric.numbered = Numbering::report;
      if (!is_whole(read_alone(own), own.guess.metric.name)) own.pattern.clear();
    }
    std::erase_if(metrics_, [&](const OwnMetric& own) {
      return own.pattern.empty() && own.key.empty() &&
             left(own, say({"its lines print a step several times", "它的行多次打印同一步"}));
    });
    read();
  }

  Extraction read_alone(const OwnMetric& own) const {
    extract::Options options = options_of({own}, "");
    options.formats = {"none"};
    auto extraction = read_logs({log_}, std::move(options));
    return extraction ? std::move(*extraction) : Extraction{};
  }

  std::string log_;
  std::vector<std::string> formats_;
  std::string json_step_;
  std::vector<OwnMetric> metrics_;
  std::vector<extract::UnjudgedNumber> left_out_;
  Extraction extraction_;
};

// What a format reads and no built-in rule judges; a loss of the training is judged at all its steps.
std::vector<OwnMetric> known_metrics(const Extraction& known) {
  const std::vector<Rule> built_in = judge::built_in_rules();
  const MetricTable table;
  std::vector<OwnMetric> metrics;
  for (const Series& series : known.series) {
    const Metric* const metric = table.find(series.metric());
    if (metric == nullptr) continue;
    GuessedMetric guess = guess_metric(series.metric(), series.unit());
    guess.metric = *metric;
    const bool is_ruled = std::ranges::find(built_in, series.metric(), &Rule::metric) != built_in.end();
    const auto is_it = [&](const OwnMetric& own) { return own.guess.metric.name == series.metric(); };
    if (series.empty() || guess.metric.kind == MetricKind::other || std::ranges::any_of(metrics, is_it))
      continue;
    if (is_ruled && series.metric() != "lm_loss") continue;
    guess.is_progress = false;
    metrics.push_back({guess});
    tell_values(known, metrics.back());
  }
  return metrics;
}

Answer<std::string> beginning_of(const std::string& log) {
  GATE_TRY(const std::vector<std::string> files, log_files({log}));
  std::string text;
  GATE_TRY_STATUS(or_usage(fs::read_blocks(files.front(), [&](std::string_view block) {
    if (text.size() < most_looked_at) text += block;
  })));
  return text;
}

// Tell whether lines that a format reads hold numbers under names of their own besides: JSON, columns, bars,
// and what speedruns add to theirs.
bool holds_more(const Extraction& known) {
  constexpr std::array<std::string_view, 3> formats{"jsonl", "lightning", "modded-nanogpt"};
  return std::ranges::any_of(known.formats, [&](const std::string& format) {
    return std::ranges::find(formats, format) != formats.end();
  });
}

// Return the lines that may hold more than is read.
std::string without_read_lines(std::string_view text, const Extraction& known) {
  if (holds_more(known)) return std::string(text);
  std::set<std::uint32_t> read;
  for (const Series& series : known.series)
    for (const Sample& sample : series.samples()) read.insert(sample.line);
  std::string rest;
  std::uint32_t number = 0;
  for (const std::string_view line : split(text, '\n'))
    if (!read.contains(++number)) rest.append(line) += '\n';
  return rest;
}

// Read the log as formats that gate knows; as none, and say so, where two JSON objects of one step are read
// as one metric: which of them it is patterns tell.
Answer<Extraction> read_known(const std::string& log, std::vector<std::string>& formats) {
  const auto read = [&] {
    extract::Options options;
    options.formats = formats;
    return read_logs({log}, std::move(options));
  };
  GATE_TRY(Extraction known, read());
  const bool is_json = known.formats == std::vector<std::string>{"jsonl"};
  if (!formats.empty() || !is_json || !has(known, ProblemKind::conflict)) return known;
  formats = {"none"};
  return read();
}

void say_next(const std::string& log, bool has_cases, config::Proposal& proposal) {
  const std::string quoted = shell_quote(log);
  const std::string check = "gate check NEW.log --baseline " + quoted;
  proposal.next.insert(
      proposal.next.begin(),
      {check, say({"judge another run's log by these rules", "用这些规则判定另一次运行的日志"})});
  if (has_cases)
    proposal.next.push_back({"gate baseline import " + quoted + " --case CASE",
                             say({"the log as a case's candidate", "把日志作为用例的候选基线"})});
}

// Say what is not judged: numbers, and lines of which none is.
void say_left_out(const extract::LogSurvey& survey, const OwnReading& reading, config::Proposal& proposal) {
  constexpr std::size_t longest = 100;
  std::vector<extract::UnjudgedNumber> all = reading.left_out();
  for (const extract::SurveyedLines& lines : survey.lines) {
    all.insert(all.end(), lines.left_out.begin(), lines.left_out.end());
    if (!lines.metrics.empty() || !lines.left_out.empty()) continue;
    proposal.untold.push_back(say({"{} like {}", "{}形如 {}"}, count_of(lines.lines, "line", "行"),
                                  printable(lines.example, longest)));
  }
  for (const OwnMetric& own : reading.metrics())
    if (!config::rule_of(own) && !own.guess.is_progress)
      all.push_back({own.printed, say({"it varies too much for a rule: gate extract shows it",
                                       "变化太大，定不出规则：gate extract 可以看到"})});
  std::set<std::string> said;
  for (const auto& [printed, why] : all)
    if (said.insert(printed).second)
      proposal.untold.push_back(say({"{} has no rule: {}", "{} 没有规则：{}"}, printable(printed), why));
}

// Say a line that tells a loss where no loss is read: the worst that may be missed.
void say_lost_loss(std::string_view text, const std::vector<OwnMetric>& metrics, config::Proposal& proposal) {
  constexpr std::size_t longest = 100;
  const bool has_loss = std::ranges::any_of(metrics, [](const OwnMetric& own) {
    return own.guess.metric.name == "lm_loss" || is_called_loss(own.printed) ||
           is_called_loss(own.guess.metric.name);
  });
  if (has_loss) return;
  for (const std::string_view line : split(text, '\n')) {
    const std::string small = to_lower(line);
    const bool tells = small.find("loss") != std::string::npos || small.find("损失") != std::string::npos;
    if (!tells || std::ranges::none_of(line, is_digit)) continue;
    proposal.untold.push_back(
        say({"no loss is read, and this line tells one: {}", "没有读出损失，而这一行里有：{}"},
            printable(line, longest)));
    return;
  }
}

std::string heading_of(const std::string& log, const Extraction& known, const extract::LogSurvey& survey) {
  std::string comment = "What " + log + " prints";
  if (!known.formats.empty()) comment += " (format " + join(known.formats, ", ") + ")";
  for (const extract::SurveyedLines& lines : survey.lines)
    if (!lines.metrics.empty()) comment += "\n" + count_of(lines.lines, "line") + " like\n  " + lines.example;
  return comment + "\nTolerances are guesses: they know nothing of the noise between your runs.";
}

}  // namespace

Answer<void> propose_own_log(const std::string& log, bool has_cases, config::Proposal& proposal) {
  if (log == "-") return usage("init -: the log is read several times; name a file");
  GATE_TRY(const Extraction known, read_known(log, proposal.formats));
  GATE_TRY(const std::string text, beginning_of(log));
  const bool is_known = is_read(known, "lm_loss") && known.unread.empty();
  const extract::LogSurvey survey = is_known && !holds_more(known)
                                        ? extract::LogSurvey{}
                                        : extract::survey_log(without_read_lines(text, known));
  const OwnReading reading(log, proposal.formats, survey, known);
  std::vector<OwnMetric> metrics = known_metrics(known);
  std::ranges::copy(reading.metrics(), std::back_inserter(metrics));
  std::set<std::string> names;  // the first of a name counts
  std::erase_if(metrics, [&](const OwnMetric& own) { return !names.insert(own.guess.metric.name).second; });
  std::vector<config::ProposedTable> tables = config::tables_of(metrics);
  const bool has_rule =
      std::ranges::any_of(metrics, [](const OwnMetric& own) { return config::rule_of(own).has_value(); });
  if (!has_rule)
    return refused(log + ": no line has a number with a name before it; gate extract shows its lines");
  if (!reading.json_step().empty()) {
    config::ProposedTable json{"jsonl"};
    json.add("step", reading.json_step());
    tables.insert(tables.begin(), std::move(json));
  }
  tables.front().comment =
      heading_of(log, known, survey) + (tables.front().comment.empty() ? "" : "\n" + tables.front().comment);
  std::ranges::move(tables, std::back_inserter(proposal.tables));
  say_lost_loss(text, metrics, proposal);
  say_left_out(survey, reading, proposal);
  if (const Sentence early = early_end(known.series, known.total); !early.empty())
    proposal.untold.push_back(say({"the end of {}: {}", "{} 的末尾：{}"}, log, early));
  const bool has_accuracy = std::ranges::any_of(
      metrics, [](const OwnMetric& own) { return own.guess.metric.kind == MetricKind::accuracy; });
  if (!has_accuracy)
    proposal.untold.push_back(
        say({"no loss and no other accuracy: these rules see a run that trains badly as green",
             "没有损失，也没有其他精度：训练变差时，这些规则看不出来"}));
  std::ranges::move(try_rules(reading.metrics().empty() ? known : reading.extraction(), metrics),
                    std::back_inserter(proposal.untold));
  say_next(log, has_cases, proposal);
  return {};
}

}  // namespace gate::app
