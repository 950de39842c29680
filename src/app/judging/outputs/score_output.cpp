#include <algorithm>
#include <cmath>
#include <filesystem>
#include <fstream>

#include "gate/base/text.h"
#include "gate/judging/case_outputs.h"
#include "gate/schema/output_file.h"
#include "gate/score/numbers.h"
#include "gate/score/results.h"
#include "gate/score/text_score.h"
#include "judging/outputs/weights.h"

namespace gate::app {

namespace {

// One of the two sides cannot be used, and why.
struct BadSide {
  enum class Side { actual, golden } side;
  Sentence why;
};
template <typename T>
using Scored = tl::expected<T, BadSide>;

tl::unexpected<BadSide> bad_actual(Sentence why) {
  return tl::unexpected(BadSide{BadSide::Side::actual, std::move(why)});
}
tl::unexpected<BadSide> bad_golden(Sentence why) {
  return tl::unexpected(BadSide{BadSide::Side::golden, std::move(why)});
}

Sentence empty_words(const fs::Path& path) { return say({"{}: is empty", "{}：是空的"}, path.string()); }

// The lines of a file, or all of it as a single one.
class TextFile {
 public:
  TextFile(const fs::Path& path, config::Segments segments)
      : segments_(segments), in_(path, std::ios::binary) {}

  // Return whether there is a next line.
  bool next() {
    line_.clear();
    if (segments_ == config::Segments::lines) return static_cast<bool>(std::getline(in_, line_));
    if (is_read_) return false;
    is_read_ = true;
    line_.assign(std::istreambuf_iterator<char>(in_), {});
    return !line_.empty();
  }

  const std::string& line() const { return line_; }

  bool is_broken() const { return in_.bad(); }

 private:
  config::Segments segments_;
  std::ifstream in_;
  std::string line_;
  bool is_read_ = false;
};

// What a pass over a text file finds.
struct TextSurvey {
  std::int64_t lines = 0;
  bool is_blank = true;
  bool has_han = false;
};

TextSurvey survey_text(const fs::Path& path, config::Segments segments) {
  TextSurvey survey;
  for (TextFile file(path, segments); file.next(); ++survey.lines) {
    survey.is_blank &= holds_nothing(file.line());
    survey.has_han |= score::has_han(file.line());
  }
  return survey;
}

// Of the metrics that count n-grams of words: of Chinese its characters are its words.
void settle_tokenizer(score::TextOptions& options, bool golden_has_han) {
  if (options.tokenizer != score::Tokenizer::automatic) return;
  if (options.metric == "bleu") options.tokenizer = score::choose_tokenizer(golden_has_han);
  if (options.metric.starts_with("rouge") && golden_has_han) options.tokenizer = score::Tokenizer::zh;
}

Scored<score::TextOptions> text_options(const config::CaseOutput& output, const fs::Path& file,
                                        const std::vector<fs::Path>& golden) {
  score::TextOptions options = output.text;
  const Sentence unreadable = why_not_plain(file);
  if (!unreadable.empty()) return bad_actual(unreadable);
  const TextSurvey actual = survey_text(file, output.segments);
  if (actual.is_blank) return bad_actual(empty_words(file));
  bool has_han = false;
  for (const fs::Path& path : golden) {
    if (const Sentence why = why_not_plain(path); !why.empty()) return bad_golden(why);
    const TextSurvey survey = survey_text(path, output.segments);
    if (survey.is_blank) return bad_golden(empty_words(path));
    if (survey.lines != actual.lines)
      return bad_actual(
          say({"{}: has {}, and {} has {}; segments = \"file\" lays them side by side as one piece",
               "{}：有 {}，{} 有 {} 行；segments = \"file\" 可把它们作为整体对照"},
              file.string(), count_of(actual.lines, "line", "行"), path.string(), survey.lines));
    has_han |= survey.has_han;
  }
  settle_tokenizer(options, has_han);
  return options;
}

Sentence torn_words(const fs::Path& path) {
  return say({"{}: cannot be read to its end", "{}：无法读到末尾"}, path.string());
}

OutputScore taken(const score::Score& score) {
  OutputScore taken;
  taken.value = score.value;
  taken.signature = score.signature;
  taken.compared = score.compared;
  taken.differing = score.differing;
  taken.first = score.first;
  taken.worst = score.worst;
  return taken;
}

Scored<OutputScore> score_text(const config::CaseOutput& output, const fs::Path& file,
                               const std::vector<fs::Path>& golden) {
  GATE_TRY(const auto options, text_options(output, file, golden));
  const auto scorer = score::make_text_scorer(options, golden.size());
  if (!scorer) return bad_golden(scorer.error().message);
  TextFile actual(file, output.segments);
  std::vector<TextFile> references;
  for (const fs::Path& path : golden) references.emplace_back(path, output.segments);
  std::vector<std::string_view> lines(references.size());
  while (actual.next()) {
    for (std::size_t i = 0; i < references.size(); ++i) {
      references[i].next();
      lines[i] = references[i].line();
    }
    (*scorer)->add(actual.line(), lines);
  }
  if (actual.is_broken()) return bad_actual(torn_words(file));
  for (std::size_t i = 0; i < references.size(); ++i)
    if (references[i].is_broken()) return bad_golden(torn_words(golden[i]));
  return taken((*scorer)->score());
}

Result<Numbers> numbers_in(const fs::Path& path, const std::vector<std::string>& keys) {
  if (const Sentence why = why_not_plain(path); !why.empty()) return fail(why.english());
  if (names_pickle(path.string())) return fail(why_pickle(path.string()));
  const auto format = schema::number_format_of(path.filename().string());
  if (!format)
    return fail(path.string() +
                ": the metric is of numbers, and the file's name tells no format of these; .json, .jsonl, "
                ".csv and .npy are read");
  GATE_TRY(const std::string bytes, fs::read_file(path));
  if (holds_nothing(bytes)) return fail(path.string() + ": is empty");
  GATE_TRY(Numbers numbers,
           schema::read_numbers(bytes, *format, keys.empty() ? "" : keys.front(), path.string()));
  if (numbers.values.empty()) return fail(path.string() + ": holds no number");
  return numbers;
}

Scored<OutputScore> score_numbers(const config::CaseOutput& output, const fs::Path& file,
                                  const fs::Path& golden) {
  const auto expected = numbers_in(golden, output.key);
  if (!expected) return bad_golden(expected.error().message);
  const auto actual = numbers_in(file, output.key);
  if (!actual) return bad_actual(actual.error().message);
  const auto scored = score::score_numbers(output.metric, *actual, *expected);
  if (!scored) return bad_actual(file.string() + ": " + scored.error().message);
  return taken(*scored);
}

Result<EvalResults> results_of(const fs::Path& path) {
  if (const Sentence why = why_not_plain(path); !why.empty()) return fail(why.english());
  GATE_TRY(const std::string bytes, fs::read_file(path));
  if (holds_nothing(bytes)) return fail(path.string() + ": is empty");
  return schema::read_eval_results(bytes, path.string());
}

// Return the globs of a key, whose members may have several by commas, as `--key` has.
std::vector<std::string> globs_of(const std::vector<std::string>& key) {
  const std::string all = join(key, ",");
  std::vector<std::string> globs;
  if (!all.empty())
    for (const std::string_view glob : split(all, ',')) globs.emplace_back(trim(glob));
  return globs;
}

bool is_selected(const EvalScore& score, const std::string& glob) {
  return glob_match(glob, score.task + "." + score.metric);
}

const EvalScore* find_score(const EvalResults& results, const EvalScore& wanted) {
  const auto score = std::ranges::find_if(results.scores, [&](const EvalScore& one) {
    return one.task == wanted.task && one.metric == wanted.metric;
  });
  return score == results.scores.end() ? nullptr : &*score;
}

const EvalTask* find_task(const EvalResults& results, const std::string& name) {
  return row_in(results.tasks, name, &EvalTask::task);
}

Sentence why_not_comparable(const EvalResults& actual, const EvalResults& golden, const std::string& task) {
  if (actual.tool != golden.tool)
    return say({"results of {}, and golden ones of {}", "结果来自 {}，基准结果来自 {}"}, actual.tool,
               golden.tool);
  const EvalTask *ours = find_task(actual, task), *theirs = find_task(golden, task);
  return ours == nullptr || theirs == nullptr ? Sentence() : score::why_incomparable(*ours, *theirs);
}

OutputScore eval_score(const EvalScore& wanted, const EvalResults& actual, const EvalResults* golden) {
  OutputScore score;
  score.metric = wanted.task + "." + wanted.metric;
  score.better = wanted.better;
  score.signature = actual.tool;
  if (const EvalScore* own = find_score(actual, wanted)) {
    score.value = own->value;
    score.standard_error = own->standard_error;
    if (const EvalTask* task = find_task(actual, wanted.task)) score.samples = task->samples;
    score.compared = 1;
  }
  if (golden == nullptr) return score;
  score.golden = wanted.value;
  score.golden_standard_error = wanted.standard_error;
  score.incomparable = why_not_comparable(actual, *golden, wanted.task);
  return score;
}

// A task that the golden file names without a score is not passed over.
void add_unscored_tasks(const EvalResults& golden, std::vector<OutputScore>& scores) {
  for (const EvalTask& task : golden.tasks) {
    if (std::ranges::find(golden.scores, task.task, &EvalScore::task) != golden.scores.end()) continue;
    OutputScore score;
    score.metric = task.task;
    score.signature = golden.tool;
    score.incomparable = say({"the golden results name the task, and have no score of it; choose with key",
                              "基准结果列出了该任务，但没有它的得分；请用 key 选择"});
    scores.push_back(std::move(score));
  }
}

// Those of the golden file, so that one which the run lacks is noticed; without one, those of the run.
Scored<std::vector<OutputScore>> score_results(const config::CaseOutput& output, const fs::Path& file,
                                               const std::vector<fs::Path>& golden) {
  std::optional<EvalResults> expected;
  if (!golden.empty()) {
    auto read = results_of(golden.front());
    if (!read) return bad_golden(read.error().message);
    expected = std::move(*read);
  }
  const auto actual = results_of(file);
  if (!actual) return bad_actual(actual.error().message);
  std::vector<OutputScore> scores;
  if (expected && output.key.empty()) add_unscored_tasks(*expected, scores);
  const std::vector<EvalScore>& known = expected ? expected->scores : actual->scores;
  const std::vector<std::string> globs = globs_of(output.key);
  for (const EvalScore& wanted : known)
    if (globs.empty() ||
        std::ranges::any_of(globs, [&](const auto& glob) { return is_selected(wanted, glob); }))
      scores.push_back(eval_score(wanted, *actual, expected ? &*expected : nullptr));
  std::vector<std::string> idle = globs;
  std::erase_if(idle, [&](const std::string& glob) {
    return glob.empty() ||
           std::ranges::any_of(known, [&](const EvalScore& score) { return is_selected(score, glob); });
  });
  if (!scores.empty() && idle.empty()) return scores;
  const std::string where = (expected ? golden.front() : file).string();
  const Sentence none = idle.empty() ? say({"{}: holds no score", "{}：没有得分"}, where)
                                     : say({"{}: holds no score that {} selects", "{}：没有 {} 选中的得分"},
                                           where, join(idle, ", "));
  return expected ? bad_golden(none) : bad_actual(none);
}

bool is_of_weights(const config::CaseOutput& output, const fs::Path& file) {
  if (output.metric == config::results_metric) return false;
  const score::Input input = score::find_metric(output.metric)->input;
  return input == score::Input::tensors || (input == score::Input::numbers && names_weights(file.string()));
}

bool is_of_numbers(const config::CaseOutput& output, const fs::Path& file) {
  const score::MetricRow* const row = score::find_metric(output.metric);
  return row != nullptr && row->input == score::Input::numbers && !is_of_weights(output, file);
}

Scored<OutputScore> score_weights_of(const config::CaseOutput& output, const fs::Path& file,
                                     const fs::Path& path) {
  const std::vector<std::string> globs = globs_of(output.key);
  auto golden = Weights::open(path);
  if (!golden) return bad_golden(golden.error().message);
  if (const auto idle = golden->select(globs); !idle.empty())
    return bad_golden(say({"{}: holds no tensor that {} selects", "{}：没有 {} 选中的张量"}, path.string(),
                          join(idle, ", ")));
  auto actual = Weights::open(file);
  if (!actual) return bad_actual(actual.error().message);
  actual->select(globs);
  bool golden_fault = false;
  const auto scored = score_weights(output.metric, *actual, *golden, golden_fault);
  if (!scored && golden_fault) return bad_golden(scored.error().message);
  if (!scored) return bad_actual(file.string() + ": " + scored.error().message);
  return taken(*scored);
}

// An output of a run that makes a baseline: what it will be compared with must be such a file, too.
Scored<std::vector<OutputScore>> unscored(const config::CaseOutput& output, const fs::Path& file) {
  if (const Sentence why = why_no_golden(output, file); !why.empty()) return bad_actual(why);
  if (!is_of_numbers(output, file)) return std::vector<OutputScore>{};
  const auto numbers = numbers_in(file, output.key);
  if (!numbers) return bad_actual(numbers.error().message);
  const auto bad = std::ranges::find_if_not(numbers->values, [](double one) { return std::isfinite(one); });
  if (bad != numbers->values.end())
    return bad_actual(say({"{}: value {} is {}, and no finite number", "{}：第 {} 个值是 {}，不是有限数"},
                          file.string(), bad - numbers->values.begin() + 1, *bad));
  return std::vector<OutputScore>{};
}

Scored<std::vector<OutputScore>> scores_of(const config::CaseOutput& output, const fs::Path& file,
                                           const std::vector<fs::Path>& golden) {
  if (output.metric == config::results_metric) return score_results(output, file, golden);
  if (golden.empty()) return unscored(output, file);
  const score::MetricRow& row = *score::find_metric(output.metric);
  auto score = is_of_weights(output, file) || is_of_weights(output, golden.front())
                   ? score_weights_of(output, file, golden.front())
               : row.input == score::Input::text ? score_text(output, file, golden)
                                                 : score_numbers(output, file, golden.front());
  if (!score) return tl::unexpected(std::move(score.error()));
  score->metric = output.metric;
  score->better = row.better;
  return std::vector{std::move(*score)};
}

}  // namespace

Sentence why_no_golden(const config::CaseOutput& output, const fs::Path& file) {
  constexpr std::uintmax_t most_bytes = 256U << 20U;
  if (Sentence why = why_not_plain(file); !why.empty()) return why;
  const auto fault = [](const auto& read) { return read ? Sentence() : as_is(read.error().message); };
  if (output.metric != config::results_metric && is_of_weights(output, file))
    return fault(Weights::open(file));
  if (fs::size_of(file) > most_bytes) return {};
  if (output.metric == config::results_metric) return fault(results_of(file));
  if (survey_text(file, config::Segments::lines).is_blank) return empty_words(file);
  return is_of_numbers(output, file) ? fault(numbers_in(file, output.key)) : Sentence();
}

bool is_same_file(const fs::Path& a, const fs::Path& b) {
  std::error_code error;
  return std::filesystem::equivalent(a, b, error) && !error;
}

OutputResult score_output(const std::string& name, const config::CaseOutput& output, const fs::Path& path,
                          const std::vector<fs::Path>& golden) {
  const fs::Path file = weights_in(path);
  OutputResult result{name, file.string(), golden.empty() ? "" : golden.front().string(), "", "", {}};
  for (const fs::Path& one : golden)
    if (is_same_file(file, one)) {
      result.missing = say({"{}: is the golden file itself", "{}：就是基准文件本身"}, file.string());
      return result;
    }
  auto scores = scores_of(output, file, golden);
  if (!scores) {  // no score, and not 0, which is perfect for an error rate: decision 58
    (scores.error().side == BadSide::Side::actual ? result.missing : result.unjudged) = scores.error().why;
    return result;
  }
  for (OutputScore& score : *scores) {
    score.metric = config::metric_of_output(name, score.metric);
    result.scores.push_back(std::move(score));
  }
  return result;
}

}  // namespace gate::app
