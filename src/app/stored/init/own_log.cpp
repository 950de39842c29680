#include "stored/init/trees.h"

#include <algorithm>
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
#include "gate/judging/read_logs.h"

namespace gate::app {

namespace {

using config::OwnMetric;

constexpr std::size_t most_looked_at = std::size_t{8} << 20;

bool is_read(const Extraction& extraction, std::string_view metric) {
  return std::ranges::any_of(
      extraction.series, [&](const Series& series) { return series.metric() == metric && !series.empty(); });
}

// Tell whether the known formats read the word that the example prints, under whatever name.
bool is_read(const Extraction& extraction, const extract::SurveyedMetric& metric, const std::string& step) {
  const std::optional<std::int64_t> number = parse_integer(step);
  return std::ranges::any_of(extraction.series, [&](const Series& series) {
    return std::ranges::any_of(series.samples(), [&](const Sample& sample) {
      return sample.text == metric.word && (!number || sample.number == *number);
    });
  });
}

// Say of the metric what its values tell of tolerances.
void tell_values(const Extraction& extraction, OwnMetric& own) {
  std::optional<double> least;
  std::optional<Value> first;
  int finest = 0;
  own.is_constant = true;
  for (const Series& series : extraction.series) {
    if (series.metric() != own.guess.metric.name) continue;
    for (const Sample& sample : series.samples()) {
      if (!first) first = sample.value;
      own.is_constant = own.is_constant && sample.value == *first;
      if (!sample.value.is_finite()) continue;
      finest = std::min(finest, static_cast<int>(sample.value.number.exponent));
      const double size = std::abs(sample.value.number.to_double());
      least = std::min(least.value_or(size), size);
    }
  }
  own.least = least.value_or(0);
  own.last_digit = Decimal{1, finest};
}

// Tell whether the values are those of a clock that runs since the start, which says nothing of the speed:
// they rise from line to line, but where it is set back. A time of each step does so at a few lines only.
bool runs_since_start(const Extraction& extraction, const GuessedMetric& guess) {
  constexpr std::int64_t several = 3, seldom = 10;
  if (guess.metric.kind != MetricKind::speed || guess.metric.better != Better::lower) return false;
  std::int64_t rises = 0, others = 0;
  double first = 0, last = 0;
  for (const Series& series : extraction.series) {
    if (series.metric() != guess.metric.name || series.empty()) continue;
    first = series.samples().front().value.number.to_double();
    last = series.samples().back().value.number.to_double();
    for (auto before = series.samples().begin(), at = std::next(before); at != series.samples().end();
         ++before, ++at)
      ++(at->value.number.to_double() > before->value.number.to_double() ? rises : others);
  }
  const bool is_far = last > first * static_cast<double>(rises) / 2;  // as many steps as lines, or more
  return rises + 1 >= several && others * seldom <= rises && (guess.is_since_start || is_far);
}

// What the ranks of a metric print.
struct RankSteps {
  std::map<std::int64_t, int> printed;  // by how many ranks, each step
  std::size_t fewest = SIZE_MAX, most = 0;
  std::uint32_t last_begin = 0, first_end = UINT32_MAX;  // lines

  RankSteps(const Extraction& extraction, std::string_view metric) {
    for (const Series& series : extraction.series) {
      if (series.metric() != metric || series.empty()) continue;
      for (const Sample& sample : series.samples()) ++printed[sample.number];
      fewest = std::min(fewest, series.size());
      most = std::max(most, series.size());
      last_begin = std::max(last_begin, series.samples().front().line);
      first_end = std::min(first_end, series.samples().back().line);
    }
  }
};

// One way to read the log's own lines, and what it gives.
class OwnReading {
 public:
  OwnReading(const std::string& log, const extract::LineReading& lines, bool is_drawn,
             const Extraction& known) {
    for (const extract::SurveyedMetric& metric : lines.metrics) {
      const bool is_twice = is_read(known, metric, lines.step);
      if (is_twice || (metric.guess.is_progress && metric.guess.metric.name != "lm_loss")) continue;
      OwnMetric own{metric.guess, metric.printed, metric.pattern};
      own.guess.metric.numbered = lines.step.empty() ? Numbering::report : Numbering::step;
      metrics_.push_back(std::move(own));
    }
    read(log);
    if (is_one_run() && has(ProblemKind::conflict)) {  // lines of another kind print the same names
      for (OwnMetric& own : metrics_) own.pattern = anchored(lines, own.pattern);
      read(log);
    }
    if (is_drawn && is_one_run() && has(ProblemKind::conflict)) {  // the last drawing of a step counts
      for (OwnMetric& own : metrics_) own.guess.metric.pick = Pick::last;
      read(log);
    }
    std::erase_if(metrics_, [&](const OwnMetric& own) {
      return !is_read(extraction_, own.guess.metric.name) || runs_since_start(extraction_, own.guess);
    });
    for (OwnMetric& own : metrics_) tell_values(extraction_, own);
  }

  // Tell whether the lines are one run, each number at a step of its own.
  bool is_good() const { return !metrics_.empty() && is_one_run() && !has(ProblemKind::conflict); }
  bool is_one_run() const {
    return extraction_.doubt.empty() && extraction_.attempts.size() <= 1 && !has(ProblemKind::restart);
  }
  // Tell whether what the lines call a rank is one: several ranks print the same steps. Of a number of
  // another name they print all of them, and beside each other.
  bool has_ranks(const extract::LineReading& lines) const;
  std::vector<OwnMetric> metrics() const { return metrics_; }

 private:
  static std::string anchored(const extract::LineReading& lines, const std::string& pattern) {
    const auto it = std::ranges::find(lines.metrics, pattern, &extract::SurveyedMetric::pattern);
    return it == lines.metrics.end() || it->anchored.empty() ? pattern : it->anchored;
  }

  bool has(ProblemKind kind) const {
    return std::ranges::find(extraction_.problems, kind, &Problem::kind) != extraction_.problems.end();
  }

  void read(const std::string& log) {
    extract::Options options;
    options.formats = {"none"};
    for (const OwnMetric& own : metrics_) {
      options.metrics.put(own.guess.metric);
      options.patterns.push_back({own.guess.metric.name, own.pattern});
    }
    if (auto extraction = read_logs({log}, std::move(options))) extraction_ = std::move(*extraction);
  }

  std::vector<OwnMetric> metrics_;
  Extraction extraction_;
};

bool OwnReading::has_ranks(const extract::LineReading& lines) const {
  if (metrics_.empty()) return false;
  const RankSteps steps(extraction_, metrics_.front().guess.metric.name);
  constexpr int several = 2;
  const auto common = std::ranges::count_if(steps.printed, [](const auto& step) { return step.second > 1; });
  if (lines.is_rank_named && !lines.step.empty()) return common >= several;
  return common >= several && steps.printed.size() == steps.most && steps.fewest + 1 >= steps.most &&
         steps.last_begin < steps.first_end;
}

// Of a training that goes over its data several times steps begin anew with each epoch: its lines are
// counted.
std::vector<OwnMetric> own_metrics(const std::string& log, const extract::LineSurvey& survey,
                                   const Extraction& known) {
  std::optional<std::vector<OwnMetric>> likeliest;
  for (const extract::LineReading& lines : survey.readings) {
    const OwnReading reading(log, lines, survey.is_drawn, known);
    if (!lines.rank.empty() && !reading.has_ranks(lines)) continue;
    if (reading.is_good()) return reading.metrics();
    if (!likeliest) likeliest = reading.metrics();
  }
  return likeliest.value_or(std::vector<OwnMetric>());
}

// What a format reads and no built-in rule judges; a loss of the training is judged at all its steps.
std::vector<OwnMetric> known_metrics(const Extraction& known) {
  const std::vector<Rule> built_in = judge::built_in_rules();
  const MetricTable table;
  std::vector<OwnMetric> metrics;
  for (const Series& series : known.series) {
    const Metric metric = table.get(series.metric());
    const bool is_ruled = std::ranges::find(built_in, metric.name, &Rule::metric) != built_in.end();
    const auto is_it = [&](const OwnMetric& own) { return own.guess.metric.name == metric.name; };
    if (series.empty() || metric.kind == MetricKind::other || std::ranges::any_of(metrics, is_it)) continue;
    if (is_ruled && metric.name != "lm_loss") continue;
    GuessedMetric guess = guess_metric(metric.name, metric.unit);
    guess.metric = metric;
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

// Return the lines that hold no sample.
std::string without_read_lines(std::string_view text, const Extraction& known) {
  std::set<std::uint32_t> read;
  for (const Series& series : known.series)
    for (const Sample& sample : series.samples()) read.insert(sample.line);
  std::string rest;
  std::uint32_t number = 0;
  for (const std::string_view line : split(text, '\n'))
    if (!read.contains(++number)) rest.append(line) += '\n';
  return rest;
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

}  // namespace

Answer<void> propose_own_log(const std::string& log, bool has_cases, config::Proposal& proposal) {
  if (log == "-") return usage("--from -: the log is read several times; name a file");
  GATE_TRY(const Extraction known, read_logs({log}, {}));
  GATE_TRY(const std::string text, beginning_of(log));
  const bool is_known = is_read(known, "lm_loss") && !std::ranges::count(known.formats, "jsonl");
  std::vector<OwnMetric> metrics = known_metrics(known);
  const auto survey = is_known && known.unread.empty()
                          ? std::nullopt
                          : extract::survey_lines(is_known ? without_read_lines(text, known) : text);
  if (survey) std::ranges::move(own_metrics(log, *survey, known), std::back_inserter(metrics));
  std::set<std::string> names;  // the first of a name counts
  std::erase_if(metrics, [&](const OwnMetric& own) { return !names.insert(own.guess.metric.name).second; });
  if (metrics.empty())
    return refused(log + ": no line has a number with a name before it; gate extract shows its lines");
  std::vector<config::ProposedTable> tables = config::tables_of(metrics);
  tables.front().comment =
      "What " + log + " prints" + (is_known ? " (format " + join(known.formats, ", ") + ")" : "") +
      (survey ? ": " + count_of(survey->lines, "line") + " like\n  " + survey->example : "") +
      "\nTolerances are guesses: they know nothing of the noise between your runs." +
      (tables.front().comment.empty() ? "" : "\n" + tables.front().comment);
  std::ranges::move(tables, std::back_inserter(proposal.tables));
  say_next(log, has_cases, proposal);
  return {};
}

}  // namespace gate::app
