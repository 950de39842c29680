#include "gate/model/rules/policy_finding.h"

#include <algorithm>
#include <array>

#include "gate/base/text.h"

namespace gate {

namespace {

constexpr std::array<std::string_view, 9> area_names{"gate.toml", "suite",    "rule",   "metric", "setting",
                                                     "header",    "baseline", "script", "command"};
constexpr std::array<std::string_view, 6> shift_names{"loosened", "tightened", "changed",
                                                      "added",    "removed",   "renamed"};

template <typename Enum, std::size_t n>
std::optional<Enum> enumerator_named(const std::array<std::string_view, n>& names, std::string_view name) {
  const auto found = std::find(names.begin(), names.end(), name);
  return found == names.end() ? std::nullopt : std::optional(static_cast<Enum>(found - names.begin()));
}

bool is_constant(const Bound& bound) { return !comparison_sign(bound.kind).empty(); }

// Tell whether a value can lie there from both amounts: -1 is below, 0 at and 1 above.
bool can_lie(std::strong_ordering outer_to_inner, int from_outer, int from_inner) {
  if (outer_to_inner < 0) return from_outer > 0 || from_inner < 0;
  if (outer_to_inner > 0) return from_outer < 0 || from_inner > 0;
  return from_outer == from_inner;
}

bool covers_constant(const Bound& outer, const Bound& inner) {
  const auto holds = [](const Bound& bound, int from) { return compares({from, 0}, bound.kind, {}); };
  for (const int from_outer : {-1, 0, 1})
    for (const int from_inner : {-1, 0, 1})
      if (can_lie(compare(outer.amount, inner.amount), from_outer, from_inner) && holds(inner, from_inner) &&
          !holds(outer, from_outer))
        return false;
  return true;
}

// Tell whether whatever is within `inner` is within `outer`.
bool covers(const Bound& outer, const Bound& inner) {
  using enum Bound::Kind;
  const bool is_side = outer.side == inner.side || inner.side == Bound::Side::both;
  if (is_constant(outer) && is_constant(inner)) return covers_constant(outer, inner);
  if (outer.kind != inner.kind)
    return inner.kind == exact && (outer.kind == absolute || outer.kind == relative);
  if (outer.kind == absolute || outer.kind == relative) return is_side && !(outer.amount < inner.amount);
  if (outer.kind == error) return !(outer.amount < inner.amount);
  return outer == inner;
}

// Bounds that must all hold.
bool covers(const std::vector<Bound>& outer, const std::vector<Bound>& inner) {
  return std::all_of(outer.begin(), outer.end(), [&](const Bound& wide) {
    return std::any_of(inner.begin(), inner.end(), [&](const Bound& narrow) { return covers(wide, narrow); });
  });
}

bool covers(const Tolerance& outer, const Tolerance& inner) {
  return std::all_of(inner.any_of.begin(), inner.any_of.end(), [&](const auto& narrow) {
    return std::any_of(outer.any_of.begin(), outer.any_of.end(),
                       [&](const auto& wide) { return covers(wide, narrow); });
  });
}

}  // namespace

void add_finding(std::vector<PolicyFinding>& all, PolicyFinding finding) {
  const auto same = std::ranges::find_if(all, [&](const PolicyFinding& one) {
    return one.area == finding.area && one.shift == finding.shift && one.subject == finding.subject &&
           one.before == finding.before && one.after == finding.after;
  });
  if (same == all.end()) return all.push_back(std::move(finding));
  for (std::string& name : finding.cases)
    if (std::ranges::find(same->cases, name) == same->cases.end()) same->cases.push_back(std::move(name));
}

std::string_view to_string(PolicyArea area) { return area_names.at(static_cast<std::size_t>(area)); }
std::string_view to_string(PolicyShift shift) { return shift_names.at(static_cast<std::size_t>(shift)); }

std::optional<PolicyArea> parse_policy_area(std::string_view name) {
  return enumerator_named<PolicyArea>(area_names, name);
}

std::optional<PolicyShift> parse_policy_shift(std::string_view name) {
  return enumerator_named<PolicyShift>(shift_names, name);
}

PolicyShift shift_of(const Tolerance& before, const Tolerance& after) {
  const bool is_wider = covers(after, before), is_narrower = covers(before, after);
  if (is_wider == is_narrower) return PolicyShift::changed;
  return is_wider ? PolicyShift::loosened : PolicyShift::tightened;
}

// `gate.toml:14:13`, `scripts/a.sh`.
FindingPlace PolicyFinding::place() const {
  const bool is_gone = shift == PolicyShift::removed || shift == PolicyShift::renamed;
  if (area == PolicyArea::baseline || area == PolicyArea::gate_toml) return {is_gone ? "" : subject};
  FindingPlace place{where};
  for (std::size_t colon; (colon = place.file.rfind(':')) != std::string::npos;) {
    const std::optional<std::int64_t> number = parse_integer(place.file.substr(colon + 1));
    if (!number) break;
    place = {place.file.substr(0, colon), *number};
  }
  return place;
}

}  // namespace gate
