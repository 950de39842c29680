// Values that are no numbers, and values that are not there.
#include <algorithm>

#include "gate/words/values.h"
#include "judge/rules/run_coverage.h"
#include "judge/selftest/mutations.h"

namespace gate::judge {

namespace {

std::int64_t last_number(const MutationContext& scene) { return scene.line.points().back().number; }

Mutants only(Extraction run, std::string what) {
  Mutants mutants;
  mutants.list.push_back({std::move(run), std::move(what), std::nullopt});
  return mutants;
}

// --- values that are no numbers ---------------------------------------------------------------------

Sample odd(std::int64_t number, ValueKind kind) {
  const char* const word = kind == ValueKind::nan ? "nan" : kind == ValueKind::left_out ? "" : "inf";
  return {number, {kind, {}}, word, 0, 0};
}

Extraction with_sample(const MutationContext& scene, const Sample& sample) {
  Extraction run = edited(scene, [&](const Series&, const Sample& old) {
    return std::optional(old.number == sample.number ? sample : old);
  });
  for (Series& series : run.series)  // a number that the run does not have comes at its end
    if (belongs(series, scene.target) && sample.number > last_number(scene)) series.append(sample);
  return run;
}

Mutants odd_inside(const MutationContext& scene, ValueKind kind) {
  const std::int64_t number = number_at(scene.yardstick.window, Place::middle);
  const Sample sample = odd(number, kind);
  return only(with_sample(scene, sample),
              words::number_text(number, scene.yardstick.numbered) + ": " + words::value_text(sample.value));
}

// Return a number out of the window: the first one behind it; else the last one before it; else a further
// one.
std::int64_t outside(const MutationContext& scene) {
  const std::vector<std::int64_t>& window = scene.yardstick.window;
  std::optional<std::int64_t> before;
  for (const Point& point : scene.line.points()) {
    if (point.number > window.back()) return point.number;
    if (point.number < window.front()) before = point.number;
  }
  return before.value_or(last_number(scene) + 1);
}

Mutants odd_outside(const MutationContext& scene, ValueKind kind) {
  if (scene.by_time()) return {{}, "all samples by time are judged together"};
  const Sample sample = odd(outside(scene), kind);
  return only(with_sample(scene, sample), words::number_text(sample.number, scene.yardstick.numbered) + ": " +
                                              words::value_text(sample.value));
}

// --- what is not there ------------------------------------------------------------------------------

// Return the numbers that every run must have, within the window or out of it.
std::vector<std::int64_t> demanded_steps(const MutationContext& scene, bool inside) {
  std::vector<std::int64_t> numbers;
  for (const std::int64_t number : scene.yardstick.required) {
    const auto demands = [&](const ReferenceSeries* r) { return is_demanded(*r, number); };
    const auto& references = scene.target.references;
    if (scene.yardstick.in_window(number) == inside &&
        std::any_of(references.begin(), references.end(), demands))
      numbers.push_back(number);
  }
  return numbers;
}

std::string why_none(const MutationContext& scene, bool inside) {
  if (scene.by_time()) return "samples by time have no steps";
  if (scene.target.open()) return "only constants: nothing says which steps there must be";
  return inside ? "the reference is a list that repeats itself" : "the window is the whole series";
}

Extraction without(const MutationContext& scene, std::int64_t number) {
  return edited(scene, [&](const Series&, const Sample& old) {
    return old.number == number ? std::nullopt : std::optional(old);
  });
}

Mutants missing(const MutationContext& scene, bool inside) {
  const std::vector<std::int64_t> numbers =
      scene.by_time() ? std::vector<std::int64_t>{} : demanded_steps(scene, inside);
  if (numbers.empty()) return {{}, why_none(scene, inside)};
  const std::int64_t number = number_at(numbers, Place::middle);
  return only(without(scene, number), words::number_text(number, scene.yardstick.numbered) + " missing");
}

Extraction without_series(const MutationContext& scene, const std::function<bool(const Series&)>& drop) {
  Extraction run = scene.run;
  std::erase_if(run.series, drop);
  return run;
}

}  // namespace

Mutants nan_inside(const MutationContext& scene) { return odd_inside(scene, ValueKind::nan); }
Mutants nan_outside(const MutationContext& scene) { return odd_outside(scene, ValueKind::nan); }
Mutants inf_inside(const MutationContext& scene) { return odd_inside(scene, ValueKind::positive_infinity); }
Mutants inf_outside(const MutationContext& scene) { return odd_outside(scene, ValueKind::positive_infinity); }
Mutants left_out(const MutationContext& scene) { return odd_inside(scene, ValueKind::left_out); }

Mutants inf_on_both_sides(const MutationContext& scene) {
  if (scene.target.open()) return {{}, "only constants: there is no other side"};
  Mutants mutants = odd_inside(scene, ValueKind::positive_infinity);
  const std::int64_t number = number_at(scene.yardstick.window, Place::middle);
  const Edit to_infinity = [&](const Series&, const Sample& old) {
    return std::optional(old.number == number ? odd(number, ValueKind::positive_infinity) : old);
  };
  Reference reference = scene.guard.reference;
  for (ReferenceSeries& of_rank : reference.series)
    for (Series& series : of_rank.runs)
      if (belongs(series, scene.target)) series = edited(series, to_infinity);
  mutants.list.front().reference = std::move(reference);
  mutants.list.front().what += " on both sides";
  return mutants;
}

Mutants missing_inside(const MutationContext& scene) { return missing(scene, true); }
Mutants missing_outside(const MutationContext& scene) { return missing(scene, false); }

Mutants missing_and_one_more(const MutationContext& scene) {
  Mutants mutants = missing(scene, true);
  for (Mutant& mutant : mutants.list) {
    for (Series& series : mutant.run.series) {
      if (!belongs(series, scene.target) || series.empty()) continue;
      Sample further = series.samples().back();
      further.number = last_number(scene) + 1;
      series.append(further);
    }
    mutant.what += ", one more at the end";
  }
  return mutants;
}

Mutants missing_rank(const MutationContext& scene) {
  const std::optional<int> rank = scene.target.ranks.front();
  const std::string& metric = scene.target.metric.name;
  const auto of_metric = std::count_if(scene.run.series.begin(), scene.run.series.end(),
                                       [&](const Series& s) { return s.metric() == metric; });
  if (!rank || of_metric < 2 || scene.target.open()) return {{}, "there is one series only"};
  return only(
      without_series(scene, [&](const Series& s) { return s.metric() == metric && s.rank() == rank; }),
      words::label(metric, rank) + " not in the run");
}

Mutants truncated(const MutationContext& scene) {
  if (scene.by_time() || scene.target.open()) return {{}, why_none(scene, true)};
  const std::vector<std::int64_t> inside = demanded_steps(scene, true),
                                  outside = demanded_steps(scene, false);
  const std::int64_t last =
      std::max(inside.empty() ? 0 : inside.back(), outside.empty() ? 0 : outside.back());
  const std::int64_t half = number_at(scene.yardstick.required, Place::middle);
  const std::int64_t cut = std::min(half, last);
  if (scene.yardstick.required.front() >= cut) return {{}, "there is one value only"};
  return only(
      edited(scene, [&](const Series&,
                        const Sample& old) { return old.number < cut ? std::optional(old) : std::nullopt; }),
      "cut off before " + words::number_text(cut, scene.yardstick.numbered));
}

Mutants empty_series(const MutationContext& scene) {
  return only(edited(scene, [](const Series&, const Sample&) { return std::optional<Sample>(); }),
              "a series without values");
}

Mutants absent_metric(const MutationContext& scene) {
  return only(without_series(scene, [&](const Series& s) { return s.metric() == scene.target.metric.name; }),
              scene.target.metric.name + " not in the run");
}

}  // namespace gate::judge
