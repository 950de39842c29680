#include "gate/judge/watch.h"

#include <algorithm>
#include <map>
#include <utility>

#include "gate/words/values.h"
#include "judge/early_stop/track.h"
#include "judge/rules/plan.h"

namespace gate::judge {

namespace {

using Key = std::pair<std::string, std::optional<int>>;  // metric, rank

struct RunningRule {
  std::shared_ptr<const Watched> watched;
  Track track;
};

bool watches(const Watched& watched, const std::optional<int>& rank) {
  const std::vector<std::optional<int>>& ranks = watched.target.ranks;
  return watched.target.open() || std::find(ranks.begin(), ranks.end(), rank) != ranks.end();
}

}  // namespace

struct Watch::State {
  std::vector<Rule> rules;
  Reference reference;
  std::map<std::string, std::vector<std::shared_ptr<const Watched>>, std::less<>> by_metric;
  std::map<Key, std::vector<RunningRule>> running;
  Track::Begin begin = Track::Begin::first_attempt;
  bool told = false;

  void add(const Target& target) {
    if (target.rule->waive) return;  // its failure would not be one while the waiver holds
    by_metric[target.metric.name].push_back(std::make_shared<const Watched>(watched(target)));
  }

  std::vector<RunningRule>& tracks(std::string_view metric, const std::optional<int>& rank) {
    const auto [it, added] = running.try_emplace(Key(metric, rank));
    if (!added) return it->second;
    for (const auto& watched : by_metric.find(metric)->second)
      if (watches(*watched, rank)) it->second.push_back({watched, Track(watched, rank, begin)});
    return it->second;
  }

  // A rank that the baseline does not have is watched for values that are no numbers only.
  std::optional<Certain> see_other_rank(const Target& target, const std::optional<int>& rank,
                                        const Sample& sample) {
    if (sample.value.is_finite() || target.rule->rank != RankMode::each || target.metric.pick != Pick::none)
      return std::nullopt;
    const std::string where = words::number_text(sample.number, target.metric.numbered);
    return Certain{target.rule->name, words::label(target.metric.name, rank) + " " + where + ": " +
                                          words::value_text(sample.value)};
  }

  std::optional<Certain> see(std::string_view metric, const std::optional<int>& rank, const Sample& sample) {
    const auto known = by_metric.find(metric);
    if (known == by_metric.end()) return std::nullopt;
    std::vector<RunningRule>& here = tracks(metric, rank);
    if (here.empty()) return see_other_rank(known->second.front()->target, rank, sample);
    for (RunningRule& rule : here)
      if (const auto why = rule.track.see(sample)) return Certain{rule.watched->target.rule->name, *why};
    return std::nullopt;
  }
};

Watch::Watch(std::span<const Rule> rules, const MetricTable& metrics, const Reference& reference,
             const std::string& platform)
    : state_(std::make_unique<State>()) {
  state_->rules.assign(rules.begin(), rules.end());
  state_->reference = reference;
  const Plan plan = make_plan(state_->rules, metrics, state_->reference, platform);
  for (const Target& target : plan.targets) state_->add(target);
}

Watch::Watch(Watch&&) noexcept = default;
Watch& Watch::operator=(Watch&&) noexcept = default;
Watch::~Watch() = default;

std::optional<Certain> Watch::see(std::string_view metric, std::optional<int> rank, const Sample& sample) {
  if (state_->told) return std::nullopt;
  std::optional<Certain> certain = state_->see(metric, rank, sample);
  state_->told = certain.has_value();
  return certain;
}

void Watch::restart() {
  state_->running.clear();
  state_->begin = Track::Begin::later_attempt;
  state_->told = false;
}

}  // namespace gate::judge
