#include "judge/early_stop/track.h"

#include <algorithm>
#include <utility>

#include "gate/words/values.h"
#include "judge/rules/quantum.h"

namespace gate::judge {

namespace {

using Why = std::optional<std::string>;

std::vector<std::int64_t> required_of(const Target& target, const std::optional<int>& rank) {
  for (const ReferenceSeries* reference : target.references) {
    if (reference->runs.front().rank() != rank || reference->runs.front().numbered() == Numbering::time)
      continue;
    std::vector<const Series*> runs;
    for (const Series& series : reference->runs) runs.push_back(&series);
    return recorded_numbers(runs);
  }
  return {};
}

std::string distance_text(const Number& actual, const std::optional<Number>& baseline, const Limits& limits,
                          const Tolerance& tolerance) {
  const bool plain = tolerance.any_of.size() == 1 && tolerance.any_of.front().size() == 1;
  const auto allowed = baseline ? allowance(tolerance, *baseline) : std::nullopt;
  if (plain && allowed && side_of(tolerance) == Bound::Side::both)
    return "|d| = " + text(magnitude(minus(actual, *baseline))) + " > " + text(*allowed);
  const std::string sign = all_below(limits, actual) ? " > " : all_above(limits, actual) ? " < " : " not ";
  return text(actual) + sign + text(limits);
}

// Return the value that `pick` leaves of two for one number.
const Sample& picked(Pick pick, const Sample& before, const Sample& next) {
  if (pick == Pick::first || !before.value.is_finite()) return before;
  if (pick == Pick::last || !next.value.is_finite()) return next;
  const bool below = next.value.number < before.value.number;
  return below == (pick == Pick::min) ? next : before;
}

bool is_decidable(const Watched& watched) {
  const Target& target = watched.target;
  if (watched.yardstick.problem || target.rule->rank != RankMode::each) return false;
  const std::vector<const Series*> baseline = baseline_series(target);
  return !too_fine(*target.rule, watched.yardstick, finest_exponent(baseline));
}

}  // namespace

Watched watched(const Target& target) {
  Watched watched{target, {}, true};
  target.open() ? void(watched.yardstick.variants.emplace_back())
                : void(watched.yardstick = make_yardstick(target));
  watched.decidable = is_decidable(watched);
  return watched;
}

Track::Track(std::shared_ptr<const Watched> watched, std::optional<int> rank, Begin begin)
    : watched_(std::move(watched)),
      label_(words::label(watched_->target.metric.name, rank)),
      required_(required_of(watched_->target, rank)),
      begin_(begin),
      misses_(watched_->yardstick.variants.size()) {}

Why Track::see(const Sample& sample) {
  if (watched_->target.metric.pick == Pick::none) return take(sample);
  if (pending_ && pending_->number == sample.number) {
    pending_ = Sample(picked(watched_->target.metric.pick, *pending_, sample));
    return std::nullopt;
  }
  const std::optional<Sample> settled = std::exchange(pending_, sample);
  return settled ? take(*settled) : std::nullopt;
}

Why Track::take(const Sample& sample) {
  if (last_ && sample.number <= *last_) return std::nullopt;
  Why why = passed_over(sample.number);
  last_ = sample.number;
  if (sample.value.kind != ValueKind::left_out) ++count_;
  if (why) return why;
  if (!sample.value.is_finite())
    return label_ + " " + words::number_text(sample.number, watched_->target.metric.numbered) + ": " +
           words::value_text(sample.value);
  if (!watched_->decidable || !in_window(sample)) return std::nullopt;
  return watched_->target.rule->reduce == Reduce::each ? value_out_of_bounds(sample)
                                                       : reduced_out_of_reach(sample);
}

Why Track::passed_over(std::int64_t number) const {
  if (!last_ && begin_ == Begin::later_attempt) return std::nullopt;
  const auto next = last_ ? std::upper_bound(required_.begin(), required_.end(), *last_) : required_.begin();
  if (next == required_.end() || *next >= number) return std::nullopt;
  return label_ + " " + words::number_text(*next, watched_->target.metric.numbered) + " passed over";
}

bool Track::in_window(const Sample& sample) const {
  const ReferenceWindow& yardstick = watched_->yardstick;
  if (!watched_->target.open())
    return yardstick.numbered == Numbering::time || yardstick.in_window(sample.number);
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

Why Track::value_out_of_bounds(const Sample& sample) {
  const Rule& rule = *watched_->target.rule;
  const Number actual = number(sample.value.number);
  Why why;
  bool all_used_up = true;
  for (std::size_t i = 0; i < misses_.size(); ++i) {
    const Point* point = watched_->yardstick.variants[i].line.find(sample.number);
    const std::optional<Number> baseline = point != nullptr ? std::optional(point->value) : std::nullopt;
    const Limits limits = limits_of(rule.tolerance, baseline);
    if (!within(limits, actual)) {
      ++misses_[i];
      why = label_ + " " + words::number_text(sample.number, watched_->target.metric.numbered) + ", " +
            distance_text(actual, baseline, limits, rule.tolerance);
    }
    all_used_up &= misses_[i] > rule.max_misses;
  }
  return all_used_up ? why : std::nullopt;
}

Why Track::reduced_out_of_reach(const Sample& sample) {
  const Target& target = watched_->target;
  if (watched_->yardstick.numbered == Numbering::time && !target.open()) return std::nullopt;
  progress_.see(number(sample.value.number));
  const auto full = static_cast<std::int64_t>(watched_->yardstick.window.size());
  if (target.open() && target.rule->reduce != Reduce::max && target.rule->reduce != Reduce::min)
    return std::nullopt;
  const Interval reachable = progress_.reachable(*target.rule, target.metric, target.open() ? count_ : full);
  Why why;
  for (const Variant& variant : watched_->yardstick.variants) {
    const Limits limits = limits_of(target.rule->tolerance, variant.reduced);
    if (!out_of_reach(reachable, limits)) return std::nullopt;
    why = label_ + ": its " + std::string(to_string(target.rule->reduce)) + " cannot come back into " +
          text(limits);
  }
  return why;
}

}  // namespace gate::judge
