#include "gate/judge/watch.h"

#include <algorithm>
#include <map>
#include <utility>

#include "gate/words/values.h"
#include "judge/rules/plan.h"
#include "judge/rules/reference_window.h"
#include "judge/series/limits.h"
#include "judge/series/reduce.h"

namespace gate::judge {

namespace {

using Why = std::optional<std::string>;
using WatchKey = std::pair<std::string, std::optional<int>>;  // metric, rank

// What does not change with the attempts of a run: a target and its reference window.
struct Watched {
  RuleTarget target;
  ReferenceWindow reference;  // empty for constants without a baseline
  bool decidable = true;      // false: what is out of bounds could still turn out to be incomparable
};

Watched watched_of(const RuleTarget& target) {
  Watched watched{target, {}, true};
  if (target.open())
    watched.reference.variants.emplace_back();
  else
    watched.reference = reference_window_of(target);
  watched.decidable = !watched.reference.problem && target.rule->rank == RankMode::each &&
                      watched.reference.front == Front::first_of_run &&
                      !too_fine(*target.rule, watched.reference, finest_exponent(baseline_series(target)));
  return watched;
}

std::vector<std::int64_t> required_of(const RuleTarget& target, const std::optional<int>& rank) {
  for (const ReferenceSeries* reference : target.references)
    if (reference->runs.front().rank() == rank && reference->runs.front().numbered() != Numbering::time)
      return recorded_numbers(pointers_to(reference->runs));
  return {};
}

std::string distance_text(const Number& actual, const std::optional<Number>& baseline,
                          const Intervals& limits, const Tolerance& tolerance) {
  const bool plain = tolerance.any_of.size() == 1 && tolerance.any_of.front().size() == 1;
  const auto allowed = baseline ? allowance(tolerance, *baseline) : std::nullopt;
  if (plain && allowed && side_of(tolerance) == Bound::Side::both)
    return "|d| = " + text(magnitude(minus(actual, *baseline))) + " > " + text(*allowed);
  const bool is_open =
      std::ranges::any_of(limits, [](const Interval& i) { return i.low_open || i.high_open; });
  const std::string order = is_open                     ? " not "
                            : all_below(limits, actual) ? " > "
                            : all_above(limits, actual) ? " < "
                                                        : " not ";
  return text(actual) + order + text(limits);
}

// Return the value that `pick` leaves of two for one number.
const Sample& picked(Pick pick, const Sample& before, const Sample& next) {
  if (pick == Pick::first || !before.value.is_finite()) return before;
  if (pick == Pick::last || !next.value.is_finite()) return next;
  const bool below = next.value.number < before.value.number;
  return below == (pick == Pick::min) ? next : before;
}

// One series of a run while it grows, held against one rule.
class SeriesWatch {
 public:
  enum class Begin { first_attempt, later_attempt };

  // Required are the numbers that the baseline has for this rank, rising. In a later attempt those before its
  // first sample may come from an earlier one, and so may those right behind it: its line may be one of the
  // attempt before that stands too late, and no other attempt has begun.
  SeriesWatch(std::shared_ptr<const Watched> watched, std::optional<int> rank, Begin begin)
      : watched_(std::move(watched)),
        label_(words::label(watched_->target.metric.name, rank)),
        required_(required_of(watched_->target, rank)),
        begin_(begin),
        misses_(watched_->reference.variants.size()) {}

  const std::string& rule_name() const { return watched_->target.rule->name; }

  // Add the next sample; a number that is not above the last one is none. Returns why the rule can no longer
  // hold.
  Why add(const Sample& sample) {
    if (watched_->target.metric.pick == Pick::none) return check_sample(sample);
    if (pending_ && pending_->number == sample.number) {
      pending_ = Sample(picked(watched_->target.metric.pick, *pending_, sample));
      return std::nullopt;
    }
    const std::optional<Sample> complete = std::exchange(pending_, sample);
    return complete ? check_sample(*complete) : std::nullopt;
  }

 private:
  Why check_sample(const Sample& sample) {
    if (last_ && sample.number <= *last_) return std::nullopt;
    Why why = passed_over(sample.number);
    if (!first_) first_ = sample.number;
    last_ = sample.number;
    if (sample.value.kind != ValueKind::left_out) ++count_;
    if (why) return why;
    if (may_be_left_out_by_both(sample)) return std::nullopt;
    if (!sample.value.is_finite()) return place_of(sample.number) + ": " + words::value_text(sample.value);
    if (!watched_->decidable || !in_window(sample)) return std::nullopt;
    return watched_->target.rule->reduce == Reduce::each ? value_out_of_bounds(sample)
                                                         : reduced_out_of_reach(sample);
  }

  // The baseline may have the step without its value, too.
  bool may_be_left_out_by_both(const Sample& sample) const {
    return sample.value.kind == ValueKind::left_out && !watched_->target.open() &&
           !std::ranges::binary_search(required_, sample.number);
  }

  // `lm_loss step 3`
  std::string place_of(std::int64_t number) const {
    return label_ + " " + words::number_text(number, watched_->target.metric.numbered).english();
  }

  Why passed_over(std::int64_t number) const {
    if (last_ == first_ && begin_ == Begin::later_attempt) return std::nullopt;
    const auto next = last_ ? std::ranges::upper_bound(required_, *last_) : required_.begin();
    return next == required_.end() || *next >= number ? Why() : place_of(*next) + " passed over";
  }

  bool in_window(const Sample& sample) const {
    const ReferenceWindow& reference = watched_->reference;
    if (!watched_->target.open())
      return reference.numbered == Numbering::time || reference.in_window(sample.number);
    const Window& window = watched_->target.rule->window;
    switch (window.kind) {
      case Window::Kind::all:
        return true;
      case Window::Kind::first:
        return begin_ == Begin::first_attempt && count_ <= window.a;
      case Window::Kind::last:
        return false;
      case Window::Kind::between:
        return window.a <= sample.number && sample.number <= window.b;
      case Window::Kind::after:
        return sample.number > window.a;
      case Window::Kind::step:
        return sample.number == window.a;
    }
    return false;
  }

  Why value_out_of_bounds(const Sample& sample) {
    const Rule& rule = *watched_->target.rule;
    const Number actual = number(sample.value.number);
    Why why;
    bool all_used_up = true;
    for (std::size_t i = 0; i < misses_.size(); ++i) {
      const Point* point = watched_->reference.variants[i].series.find(sample.number);
      const std::optional<Number> baseline = point != nullptr ? std::optional(point->value) : std::nullopt;
      const Intervals limits = limits_of(rule.tolerance, baseline);
      if (!within(limits, actual)) {
        ++misses_[i];
        why = place_of(sample.number) + ", " + distance_text(actual, baseline, limits, rule.tolerance);
      }
      all_used_up &= misses_[i] > rule.max_misses;
    }
    return all_used_up ? why : std::nullopt;
  }

  Why reduced_out_of_reach(const Sample& sample) {
    const RuleTarget& target = watched_->target;
    const Rule& rule = *target.rule;
    if (watched_->reference.numbered == Numbering::time && !target.open()) return std::nullopt;
    const NumericSeries& baseline = watched_->reference.variants.front().series;
    seen_.add(number(sample.value.number), paired_value(rule, baseline, sample.number));
    if (target.open() && rule.reduce != Reduce::max && rule.reduce != Reduce::min) return std::nullopt;
    const std::int64_t n = target.open() ? count_ : std::ssize(watched_->reference.window);
    const Interval reachable = seen_.reachable(rule, target.metric, n);
    Why why;
    for (const ReferenceVariant& variant : watched_->reference.variants) {
      const Intervals limits = limits_of(rule.tolerance, variant.reduced);
      if (!out_of_reach(reachable, limits)) return std::nullopt;
      why =
          label_ + ": its " + std::string(to_string(rule.reduce)) + " cannot come back into " + text(limits);
    }
    return why;
  }

  std::shared_ptr<const Watched> watched_;
  std::string label_;
  std::vector<std::int64_t> required_;
  Begin begin_;
  std::optional<std::int64_t> first_;
  std::optional<std::int64_t> last_;
  std::optional<Sample> pending_;  // of a metric with `pick`: more values may come for its number
  std::int64_t count_ = 0;
  std::vector<std::int64_t> misses_;  // per variant
  PartialReduction seen_;
};

}  // namespace

struct Watch::State {
  std::vector<Rule> rules;
  Reference reference;
  std::map<std::string, std::vector<std::shared_ptr<const Watched>>, std::less<>> by_metric;
  std::map<WatchKey, std::vector<SeriesWatch>> running;
  SeriesWatch::Begin begin = SeriesWatch::Begin::first_attempt;
  bool told = false;

  std::vector<SeriesWatch>& watches_of(std::string_view metric, const std::optional<int>& rank) {
    const auto [it, added] = running.try_emplace(WatchKey(metric, rank));
    if (!added) return it->second;
    for (const auto& watched : by_metric.find(metric)->second)
      if (watched->target.open() || std::ranges::count(watched->target.ranks, rank) > 0)
        it->second.emplace_back(watched, rank, begin);
    return it->second;
  }

  // A rank that the baseline does not have is watched for values that are no numbers only.
  std::optional<Certain> check_other_rank(const RuleTarget& target, const std::optional<int>& rank,
                                          const Sample& sample) {
    if (sample.value.is_finite() || target.rule->rank != RankMode::each || target.metric.pick != Pick::none)
      return std::nullopt;
    const std::string where = words::number_text(sample.number, target.metric.numbered).english();
    return Certain{target.rule->name, words::label(target.metric.name, rank) + " " + where + ": " +
                                          words::value_text(sample.value)};
  }

  std::optional<Certain> add(std::string_view metric, const std::optional<int>& rank, const Sample& sample) {
    const auto known = by_metric.find(metric);
    if (known == by_metric.end()) return std::nullopt;
    std::vector<SeriesWatch>& watches = watches_of(metric, rank);
    if (watches.empty()) return check_other_rank(known->second.front()->target, rank, sample);
    for (SeriesWatch& watch : watches)
      if (const Why why = watch.add(sample)) return Certain{watch.rule_name(), *why};
    return std::nullopt;
  }
};

Watch::Watch(std::span<const Rule> rules, const MetricTable& metrics, const Reference& reference,
             const std::string& platform)
    : state_(std::make_unique<State>()) {
  state_->rules.assign(rules.begin(), rules.end());
  state_->reference = reference;
  for (const RuleTarget& target : make_plan(state_->rules, metrics, state_->reference, platform).targets)
    if (!target.rule->waive)  // the failure of a waived rule would not be one while the waiver holds
      state_->by_metric[target.metric.name].push_back(std::make_shared<const Watched>(watched_of(target)));
}

Watch::Watch(Watch&&) noexcept = default;
Watch& Watch::operator=(Watch&&) noexcept = default;
Watch::~Watch() = default;

std::optional<Certain> Watch::on_sample(std::string_view metric, std::optional<int> rank,
                                        const Sample& sample) {
  if (state_->told) return std::nullopt;
  std::optional<Certain> certain = state_->add(metric, rank, sample);
  state_->told = certain.has_value();
  return certain;
}

void Watch::restart() {
  state_->running.clear();
  state_->begin = SeriesWatch::Begin::later_attempt;
  state_->told = false;
}

}  // namespace gate::judge
