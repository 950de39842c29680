#include "gate/model/numbers/guessed_metric.h"

#include <algorithm>
#include <array>
#include <initializer_list>

#include "gate/base/text.h"
#include "gate/base/utf8.h"

namespace gate {

namespace {

constexpr int last_place = 9, memory_place = 6, place_of_evaluation = 2;

// Names that hold one of the words; the first row that fits counts.
struct GuessRow {
  std::string_view words;  // by blanks
  MetricKind kind;
  Better better;
  bool is_progress;
  int place;
};

constexpr std::array guess_rows{
    GuessRow{"epoch epochs eta step steps iter iters iteration iterations timesteps seed wall remaining left "
             "progress",
             MetricKind::other, Better::none, true, last_place},
    GuessRow{"mem memory vram hbm rss alloc allocated reserved", MetricKind::memory, Better::lower, false,
             memory_place},
    GuessRow{"lr rate scale size batch bsz decay momentum mom beta temperature", MetricKind::other,
             Better::none, false, 8},
    GuessRow{"val valid validation eval evaluation test dev", MetricKind::accuracy, Better::none, false, 2},
    GuessRow{"loss 损失 nll xent ce bce logloss cost", MetricKind::accuracy, Better::none, false, 1},
    GuessRow{"ppl perplexity error err wer cer ter mse mae rmse bpb bpc bpd bits fid", MetricKind::accuracy,
             Better::lower, false, 3},
    GuessRow{"acc acc_1 acc_5 acc1 acc5 accuracy f1 bleu rouge precision recall auc reward rewards rew "
             "return score "
             "map map50 map75 iou miou dice ndcg psnr ssim top1 top5 prec_1 prec_5",
             MetricKind::accuracy, Better::higher, false, 3},
    GuessRow{"norm gnorm gradnorm kl entropy", MetricKind::accuracy, Better::none, false, 4},
    GuessRow{"throughput tput speed tps toks tokps wps ups tgs sps ips fps qps mfu hfu flops tflops mflops",
             MetricKind::speed, Better::higher, false, 5},
    GuessRow{"time times latency duration dt dtf dtb dtd dto took sec secs seconds", MetricKind::speed,
             Better::lower, false, 5},
};

// Chinese words of logs, whose names have no blanks between them, in the words of this table.
struct TranslatedWord {
  std::string_view printed, word;
};
constexpr std::array translated{TranslatedWord{"训练", "train"},    TranslatedWord{"验证", "valid"},
                                TranslatedWord{"评估", "eval"},     TranslatedWord{"测试", "test"},
                                TranslatedWord{"损失", "loss"},     TranslatedWord{"学习率", "lr"},
                                TranslatedWord{"困惑度", "ppl"},    TranslatedWord{"准确率", "accuracy"},
                                TranslatedWord{"精度", "accuracy"}, TranslatedWord{"吞吐", "throughput"},
                                TranslatedWord{"速度", "speed"},    TranslatedWord{"显存", "memory"},
                                TranslatedWord{"内存", "memory"},   TranslatedWord{"剩余", "remaining"},
                                TranslatedWord{"耗时", "time"},     TranslatedWord{"用时", "time"},
                                TranslatedWord{"时间", "time"},     TranslatedWord{"梯度", "grad"},
                                TranslatedWord{"范数", "norm"},     TranslatedWord{"轮", "epoch"},
                                TranslatedWord{"步", "step"},       TranslatedWord{"奖励", "reward"}};

constexpr std::array time_units{"ms", "s", "sec", "secs", "second", "seconds", "us", "min"};
// `train_time`, `total time`; where their values rise, they are since the start.
constexpr std::array<std::string_view, 9> since_start{"train", "training", "total",  "cumulative", "elapsed",
                                                      "wall",  "runtime",  "uptime", "since"};
constexpr std::array memory_units{"KB", "MB", "GB", "TB", "KiB", "MiB", "GiB", "TiB"};
constexpr std::array other_units{"%", "W", "MHz", "C"};

// What a training works through: `tokens_s` is as many of them by second.
constexpr std::string_view work_words =
    "tok toks token tokens sample samples seq seqs sequence sequences image images img imgs frame frames "
    "example examples word words steps iters iterations batches";

// What gate calls a thing that logs call otherwise.
struct CommonName {
  std::string_view printed, metric;
};
constexpr std::array common_names{
    CommonName{"lr", "learning_rate"},           CommonName{"gnorm", "grad_norm"},
    CommonName{"val_loss", "validation_loss"},   CommonName{"valid_loss", "validation_loss"},
    CommonName{"eval_loss", "validation_loss"},  CommonName{"val_acc", "eval_accuracy"},
    CommonName{"eval_acc", "eval_accuracy"},     CommonName{"eval_accuracy", "eval_accuracy"},
    CommonName{"val_accuracy", "eval_accuracy"},
};

// What a time may be one of: `step_avg: 95 ms`.
constexpr std::array<std::string_view, 6> each_words{"step", "iter", "iteration", "batch", "avg", "mean"};

bool holds(const std::vector<std::string>& words, std::string_view word) {
  return std::ranges::find(words, word) != words.end();
}

template <class List>
bool holds_any(const std::vector<std::string>& words, const List& wanted) {
  return std::ranges::any_of(wanted, [&](std::string_view word) { return holds(words, word); });
}

// What only goes with a loss: `scaled loss weight`.
constexpr std::array beside_losses{"scale",  "scaler", "scaling", "mask",       "masks",
                                   "weight", "coef",   "coeff",   "coefficient"};

// The last words of a name that say nothing: `Loss is 2.3`.
constexpr std::array<std::string_view, 2> verbs{"is", "was"};

// What may stand behind a loss: `loss is`, `Loss/train`, `loss_lm`.
constexpr std::array<std::string_view, 10> behind_losses{"is",    "was",  "train", "training", "lm",
                                                         "total", "mean", "avg",   "average",  "step"};

// `loss`, `train loss`, `lm loss`; of `z_loss` and the like nobody knows.
bool is_training_loss(const std::vector<std::string>& words) {
  static constexpr std::array of_training{"loss", "train", "training", "lm", "step"};
  return holds(words, "loss") && std::ranges::all_of(words, [](const std::string& word) {
           return std::ranges::find(of_training, word) != of_training.end();
         });
}

std::string metric_name(std::string_view name, const std::vector<std::string>& words) {
  if (is_training_loss(words)) return "lm_loss";
  std::string joined = join(words, "_");
  const auto* const common = std::ranges::find(common_names, joined, &CommonName::printed);
  if (common != common_names.end()) return std::string(common->metric);
  if (is_rate(name) && !joined.empty())
    joined.replace(joined.rfind('_') + 1, std::string::npos, "per_second");
  return joined.empty() ? "value" : joined;
}

// Chinese words stand apart then, in the words of the table.
std::string in_table_words(std::string_view name) {
  std::string text(name);
  if (std::ranges::all_of(name, is_ascii)) return text;
  for (const auto& [printed, word] : translated)
    for (std::size_t at = text.find(printed); at != std::string::npos; at = text.find(printed, at))
      text.replace(at, printed.size(), " " + std::string(word) + " ");
  return text;
}

bool is_second(std::string_view word) {
  return word == "s" || word == "sec" || word == "second" || word == "seconds";
}

// `tokens_per_sec` and `tokens_s`, and the other way round `sec_per_step`.
bool is_per_second(const std::vector<std::string>& words) {
  static const std::vector<std::string_view> works = split(work_words, ' ');
  for (std::size_t i = 1; i < words.size(); ++i)
    if (is_second(words[i]) &&
        (words[i - 1] == "per" || std::ranges::find(works, words[i - 1]) != works.end()))
      return true;
  return false;
}

bool is_time_per(const std::vector<std::string>& words) {
  const auto per = std::ranges::find(words, "per");
  return per != words.end() && per != words.begin() && is_time_unit(*(per - 1));
}

bool is_memory_unit(std::string_view unit) {
  return std::ranges::find(memory_units, unit) != memory_units.end();
}

// `hbm_gb`: the unit that a name ends with.
std::string_view memory_unit_in(const std::vector<std::string>& words) {
  const auto* const unit = std::ranges::find_if(
      memory_units, [&](const char* one) { return words.size() > 1 && words.back() == to_lower(one); });
  return unit == memory_units.end() ? "" : *unit;
}

void take_for_memory(const std::vector<std::string>& words, GuessedMetric& guess) {
  const bool is_left =
      holds_any(words, std::initializer_list<std::string_view>{"free", "avail", "available"});
  guess.metric.kind = MetricKind::memory;
  guess.metric.better = is_left ? Better::higher : Better::lower;
  guess.place = memory_place;
}

void take_for_time(GuessedMetric& guess) {
  guess.metric.kind = MetricKind::speed;
  guess.metric.better = Better::lower;
  guess.place = 5;
}

// What is evaluated the other words say.
void take_for_evaluation(const std::vector<std::string>& words, GuessedMetric& guess) {
  for (const GuessRow& row : guess_rows)
    if (row.place > place_of_evaluation && row.better != Better::none && row.kind != MetricKind::memory &&
        holds_any(words, split(row.words, ' '))) {
      guess.metric.kind = row.kind;
      guess.metric.better = row.better;
      if (row.kind == MetricKind::speed) guess.place = row.place;
      return;
    }
}

void guess_kind(std::vector<std::string> words, GuessedMetric& guess) {
  if (holds(words, "cross") && holds(words, "entropy")) words.emplace_back("xent");
  const bool is_loss =
      std::ranges::any_of(words, [](const std::string& word) { return word.ends_with("loss"); });
  if (is_loss) words.emplace_back("loss");  // `celoss`
  const bool is_each =                      // `elapsed time per iteration`, `step time`, `step loss`
      holds_any(words, std::initializer_list<std::string_view>{"per", "time"}) ||
      (is_time_unit(guess.metric.unit) && holds_any(words, each_words));
  const bool is_accuracy = std::ranges::any_of(guess_rows, [&](const GuessRow& row) {
    return row.kind == MetricKind::accuracy && holds_any(words, split(row.words, ' '));
  });
  for (const GuessRow& row : guess_rows) {
    if (!holds_any(words, split(row.words, ' ')) || (row.is_progress && (is_each || is_accuracy))) continue;
    guess.metric.kind = row.kind;
    guess.metric.better = row.better;
    guess.is_progress = row.is_progress;
    guess.place = row.place;
    if (row.kind == MetricKind::memory) take_for_memory(words, guess);
    if (guess.place == place_of_evaluation) take_for_evaluation(words, guess);
    break;
  }
  const bool is_unknown = guess.place == 0;
  if (is_unknown) guess.place = 7;
  if (is_unknown && is_memory_unit(guess.metric.unit)) take_for_memory(words, guess);
  const bool is_cost = guess.place == 1 && holds(words, "cost");
  if ((is_unknown || is_cost) && is_time_unit(guess.metric.unit)) take_for_time(guess);
}

}  // namespace

std::vector<std::string> name_words(std::string_view name) {
  std::vector<std::string> words;
  std::string word;
  char before = ' ';
  for (const char c : in_table_words(name)) {
    const bool is_camel = before >= 'a' && before <= 'z' && c >= 'A' && c <= 'Z';  // `globalStep`
    before = c;
    if (is_camel && !word.empty()) {
      words.push_back(to_lower(word));
      word.clear();
    }
    const bool is_part = is_letter_or_digit(c) || c == '@' || !is_ascii(c);
    if (is_part) word += c;
    if (is_part || word.empty()) continue;
    words.push_back(to_lower(word));
    word.clear();
  }
  if (!word.empty()) words.push_back(to_lower(word));
  for (std::string& one : words) std::ranges::replace(one, '@', '_');
  return words;
}

bool is_rate(std::string_view word) {
  const std::size_t slash = word.find('/');
  return slash != std::string_view::npos && slash > 0 &&
         std::ranges::any_of(
             std::initializer_list<std::string_view>{"s", "sec", "second", "s/gpu", "s/device"},
             [&](std::string_view end) { return to_lower(word.substr(slash + 1)) == end; });
}

// Of `31.2G` the value is read as 31200000000.
bool is_multiple(std::string_view word) {
  return word.size() == 1 && std::string_view("kKMGTB").find(word.front()) != std::string_view::npos;
}

bool is_time_unit(std::string_view word) { return std::ranges::find(time_units, word) != time_units.end(); }

bool is_time_each(std::string_view word) {
  const std::size_t slash = word.find('/');
  return slash != std::string_view::npos && is_time_unit(word.substr(0, slash));
}

bool is_unit(std::string_view word) {
  return is_rate(word) || is_time_unit(word) || is_time_each(word) || is_memory_unit(word) ||
         std::ranges::find(other_units, word) != other_units.end() ||
         to_lower(word).find("flop") != std::string::npos;
}

bool is_called_loss(std::string_view name) {
  std::vector<std::string> words = name_words(name);
  while (!words.empty() && holds_any({words.back()}, behind_losses)) words.pop_back();
  if (words.empty() || holds_any(words, beside_losses)) return false;
  const std::string_view last =
      std::string_view(words.back()).substr(0, words.back().find_last_not_of("0123456789") + 1);
  return last == "loss" || last == "losses" || name.ends_with("Loss");
}

GuessedMetric guess_metric(std::string_view name, std::string_view unit) {
  GuessedMetric guess;
  std::vector<std::string> words = name_words(name);
  if (words.size() > 1 && holds_any({words.back()}, verbs)) words.pop_back();
  if (words == std::vector<std::string>{"l"}) words = {"loss"};
  const std::string metric = metric_name(name, words);
  guess.metric.name = metric;
  const bool is_scaled = is_multiple(unit);
  if (unit.empty() || is_scaled)
    unit = is_rate(name) || is_time_each(name) ? name : is_scaled ? "" : memory_unit_in(words);
  guess.metric.unit = unit;
  guess_kind(words, guess);
  const bool is_speed = is_rate(guess.metric.unit) || is_per_second(words) ||
                        to_lower(guess.metric.unit).find("flop") != std::string::npos;
  if (is_speed && (guess.metric.kind == MetricKind::other || guess.metric.kind == MetricKind::speed)) {
    guess.metric.kind = MetricKind::speed;
    guess.metric.better = Better::higher;
    guess.place = 5;
    guess.is_progress = false;
  }
  if (is_time_each(guess.metric.unit) || is_time_per(words)) {  // whatever it is called
    guess.metric.kind = MetricKind::speed;
    guess.metric.better = Better::lower;
    guess.place = 5;
    guess.is_progress = false;
  }
  if (holds(words, "elapsed") && !holds(words, "per")) guess.is_progress = true;
  guess.is_since_start = holds_any(words, since_start) && !holds(words, "per") && !holds(words, "step");
  if (metric == "lm_loss") guess.place = 0;
  return guess;
}

bool names_step(std::string_view key) {
  constexpr std::array<std::string_view, 19> names{
      "step",       "steps",         "global_step", "global_steps", "_step",         "iteration",
      "iterations", "iter",          "iters",       "current_step", "current_steps", "current_iteration",
      "train_step", "training_step", "train_iter",  "num_updates",  "update",        "updates",
      "it"};
  std::string name = to_lower(key.substr(key.find_last_of("./") + 1));
  std::ranges::replace(name, ' ', '_');
  return std::ranges::find(names, name) != names.end();
}

}  // namespace gate
