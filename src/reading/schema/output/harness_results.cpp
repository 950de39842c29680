#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>

#include "gate/base/text.h"
#include "schema/json/json_fields.h"
#include "schema/json/json_in.h"
#include "schema/output/eval_readers.h"
#include "schema/output/number_readers.h"

namespace gate::schema {

namespace {

constexpr std::string_view error_suffix = "_stderr";
constexpr std::string_view no_filter = "none";

// Members of a task of version 0.3 that are numbers and no scores; version 0.4 tells scores by a comma.
constexpr std::array<std::string_view, 3> no_scores{"sample_len", "sample_count", "num_fewshot"};

// What the tool writes for a task whose answers it only saved.
constexpr std::string_view unscored_metric = "bypass";

// A member's name, taken apart: `exact_match_stderr,strict-match`.
struct ScoreKey {
  std::string_view metric, filter;

  explicit ScoreKey(std::string_view key)
      : metric(key.substr(0, key.find(','))), filter(key.substr(std::min(metric.size() + 1, key.size()))) {}

  bool is_error() const { return metric.ends_with(error_suffix); }

  std::string error_key() const {
    return std::string(metric) + std::string(error_suffix) + (filter.empty() ? "" : ",") +
           std::string(filter);
  }

  std::string name() const {
    return std::string(metric) + (filter.empty() || filter == no_filter ? "" : "/" + std::string(filter));
  }
};

std::optional<double> finite_of(const Json& json) {
  if (json.kind != Json::Kind::number) return std::nullopt;
  const auto number = number_of_word(json.text);
  return number && std::isfinite(*number) ? number : std::nullopt;
}

std::optional<std::int64_t> count_in(const Json* json) {
  if (json == nullptr) return std::nullopt;
  const auto number = finite_of(*json);
  if (!number || *number < 0 || *number > 9e15 || *number != std::floor(*number)) return std::nullopt;
  return static_cast<std::int64_t>(*number);
}

// The members of an object by their names.
class Members {
 public:
  explicit Members(const Json* object) {
    if (object == nullptr || object->kind != Json::Kind::object) return;
    for (const Json& member : object->items)
      if (member.kind != Json::Kind::null) members_.emplace(member.key, &member);
  }

  // Return the member, or nullptr; one that is null counts as absent.
  const Json* find(std::string_view name) const { return value_under(members_, name); }

 private:
  std::unordered_map<std::string_view, const Json*> members_;
};

// A task, and what `higher_is_better` says of its metrics: an object, or a word for all of them.
struct HarnessTask {
  const Json& json;
  const Json* better;
  Members members{&json};
  Members better_members{better};
};

bool has_commas(const Json& tasks) {
  return std::ranges::any_of(tasks.items, [](const Json& task) {
    return std::ranges::any_of(task.items,
                               [](const Json& member) { return member.key.find(',') != std::string::npos; });
  });
}

class HarnessReader {
 public:
  HarnessReader(const Json& document, std::string_view text, const std::string& file)
      : document_(document),
        complaints_(text, file),
        file_(file),
        versions_(document.find("versions")),
        shots_(document.find("n-shot")),
        samples_(document.find("n-samples")),
        configs_(document.find("configs")),
        better_(document.find("higher_is_better")),
        subtasks_(document.find("group_subtasks")),
        task_results_(document.find("results")) {}

  Result<EvalResults> read() {
    results_.tool = "lm-evaluation-harness";
    const Json* tasks = Fields(document_, complaints_).object("results");
    if (tasks == nullptr && complaints_.empty())
      return fail(file_ + ": no results of lm-evaluation-harness: it has no \"results\"");
    if (tasks != nullptr) add_all(*tasks, Members(nullptr));
    if (const Json* groups = Fields(document_, complaints_).object("groups"); groups != nullptr)
      add_all(*groups, Members(tasks));
    if (!complaints_.empty()) return tl::unexpected(complaints_.error());
    if (results_.tasks.empty()) return fail(file_ + ": holds results of no task");
    return std::move(results_);
  }

 private:
  // Add the tasks but those that others has as well.
  void add_all(const Json& tasks, const Members& others) {
    const bool commas = has_commas(tasks);
    for (const Json& task : tasks.items)
      if (others.find(task.key) == nullptr) add(task, commas);
  }

  void add(const Json& task, bool commas) {
    const Fields fields(task, complaints_);  // complains of what is no object
    const HarnessTask whole{.json = task, .better = better_.find(task.key)};
    results_.tasks.push_back(
        {task.key, version_of(task.key), shots_of(task.key), samples_of(task.key, whole.members)});
    for (const Json& member : task.items)
      if (is_score(member, commas)) add_score(whole, member);
  }

  static bool is_score(const Json& member, bool commas) {
    const ScoreKey key(member.key);
    if (key.is_error() || key.metric == unscored_metric) return false;
    if (commas) return member.key.find(',') != std::string::npos;
    return member.kind == Json::Kind::number && std::ranges::find(no_scores, member.key) == no_scores.end();
  }

  void add_score(const HarnessTask& task, const Json& member) {
    const ScoreKey key(member.key);
    EvalScore score{task.json.key, key.name(), 0, std::nullopt, better_of(task, key)};
    const auto value = finite_of(member);
    if (!value) {
      complaints_.add(member.at, "the score " + printable(score.metric, 80) + " of " +
                                     printable(score.task, 80) + " is no finite number");
      return;
    }
    if (!seen_.emplace(score.task, score.metric).second) {
      complaints_.add(member.key_at, "the score " + printable(score.metric, 80) + " of " +
                                         printable(score.task, 80) + " a second time");
      return;
    }
    score.value = *value;
    if (const Json* error = task.members.find(key.error_key()); error != nullptr)
      score.standard_error = finite_of(*error);
    results_.scores.push_back(std::move(score));
  }

  static Better better_of(const HarnessTask& task, const ScoreKey& key) {
    const Json* of_metric = task.better_members.find(key.metric);
    const Json* told = of_metric != nullptr ? of_metric : task.better;
    if (told == nullptr || told->kind != Json::Kind::boolean) return better_of_metric(key.metric);
    return told->text == "true" ? Better::higher : Better::lower;
  }

  // A number in its shortest form: some versions of the tool write `1`, others `1.0`.
  std::string version_of(const std::string& task) const {
    const Json* version = versions_.find(task);
    if (version == nullptr) return "";
    if (const auto number = finite_of(*version)) return fmt::format("{}", *number);
    return version->kind == Json::Kind::text ? std::string(trim(version->text)) : "";
  }

  std::optional<std::int64_t> shots_of(const std::string& task) const {
    if (const auto shots = count_in(shots_.find(task))) return shots;
    const Json* config = configs_.find(task);
    if (config == nullptr) config = document_.find("config");
    return config == nullptr ? std::nullopt : count_in(config->find("num_fewshot"));
  }

  std::optional<std::int64_t> samples_of(const std::string& task, const Members& members) {
    const Json* told = samples_.find(task);
    if (told != nullptr && told->kind == Json::Kind::object) told = told->find("effective");
    if (const auto samples = count_in(told)) return samples;
    if (const auto samples = count_in(members.find("sample_len"))) return samples;
    return is_empty_group(task, members) ? std::optional<std::int64_t>(0) : std::nullopt;
  }

  // A group tells its samples by scores, newer versions of the tool at least. One within itself is not empty.
  bool is_empty_group(const std::string& task, const Members& members) {
    const auto [known, is_new] = empty_groups_.emplace(task, false);
    const Json *parts = subtasks_.find(task), *counts = members.find("sample_count");
    if (counts != nullptr && !counts->items.empty())
      known->second = std::ranges::all_of(counts->items, [](const Json& one) { return count_in(&one) == 0; });
    else if (is_new && parts != nullptr && !parts->items.empty())
      known->second = std::ranges::all_of(parts->items, [&](const Json& part) {
        return samples_of(part.text, Members(task_results_.find(part.text))) == 0;
      });
    return known->second;
  }

  const Json& document_;
  Complaints complaints_;
  const std::string& file_;
  Members versions_, shots_, samples_, configs_, better_, subtasks_, task_results_;  // of tasks
  std::map<std::string, bool> empty_groups_;
  EvalResults results_;
  std::set<std::pair<std::string, std::string>> seen_;
};

}  // namespace

Result<EvalResults> read_harness_results(std::string_view text, const std::string& file) {
  GATE_TRY(const Json document, parse_json(text, file, NonFinite::taken));
  return HarnessReader(document, text, file).read();
}

}  // namespace gate::schema
