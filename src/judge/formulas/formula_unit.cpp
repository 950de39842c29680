// Units of formulas.
#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>

#include "gate/base/text.h"
#include "gate/judge/formula.h"

namespace gate::judge {

namespace {

using TermKind = Term::Kind;

struct Power {
  std::string name;
  int power = 0;
  bool operator==(const Power&) const = default;
};

// A product of powers: `tokens/s` is tokens^1 s^-1. No powers: no unit.
struct Unit {
  std::vector<Power> powers;  // in the order in which people wrote them
  bool open = false;          // a number had its part in it
};

bool same(const Unit& a, const Unit& b) {
  return a.powers.size() == b.powers.size() &&
         std::is_permutation(a.powers.begin(), a.powers.end(), b.powers.begin());
}

void multiply_by(Unit& unit, const std::string& name, int power) {
  const auto known = std::find_if(unit.powers.begin(), unit.powers.end(),
                                  [&](const Power& factor) { return factor.name == name; });
  if (known == unit.powers.end()) return unit.powers.push_back({name, power});
  if ((known->power += power) == 0) unit.powers.erase(known);
}

Unit read_unit(std::string_view text) {
  Unit unit;
  int power = 1;
  for (const std::string_view part : split(text, '/')) {
    for (const std::string_view factor : split(part, '*'))
      if (const std::string_view name = trim(factor); !name.empty() && name != "1")
        multiply_by(unit, std::string(name), power);
    power = -1;
  }
  return unit;
}

std::string text_of(const Unit& unit) {
  std::string above, below;
  for (const auto& [name, power] : unit.powers)
    for (int i = 0; i < std::abs(power); ++i)
      power > 0 ? above += (above.empty() ? "" : "*") + name : below += "/" + name;
  return above.empty() && !below.empty() ? "1" + below : above + below;
}

std::string shown(const Unit& unit) { return unit.powers.empty() ? "no unit" : text_of(unit); }

Unit product_unit(Unit a, const Unit& b, int power) {
  if (a.open || b.open) return {{}, true};
  for (const auto& [name, times] : b.powers) multiply_by(a, name, power * times);
  return a;
}

tl::unexpected<Error> complain(const Formula& formula, const std::string& what) {
  return fail("formula \"" + printable(formula.text, 80) + "\": " + what);
}

Result<Unit> sum(const Formula& formula, const Term& term, const Unit& a, const Unit& b) {
  if (a.open) return b;
  if (b.open || same(a, b)) return a;
  return complain(formula,
                  fmt::format("\"{}\" at character {} stands between {} and {}",
                              term.kind == TermKind::add ? '+' : '-', term.character, shown(a), shown(b)));
}

// Replace the units of both operands, the last two, by that of the result.
Status combine_units(const Formula& formula, const Term& term, std::vector<Unit>& units) {
  const Unit b = units.back();
  units.pop_back();
  Unit& a = units.back();
  if (term.kind == TermKind::multiply || term.kind == TermKind::divide) {
    a = product_unit(a, b, term.kind == TermKind::multiply ? 1 : -1);
    return {};
  }
  return sum(formula, term, a, b).map([&](Unit unit) { a = std::move(unit); });
}

Result<Unit> computed_unit(const Formula& formula, const MetricTable& metrics) {
  std::vector<Unit> units;
  for (const Term& term : formula.terms) {
    if (term.kind == TermKind::number)
      units.push_back({{}, true});
    else if (term.kind == TermKind::metric)
      units.push_back(read_unit(metrics.get(term.metric).unit));
    else if (term.kind != TermKind::negate)
      if (Status combined = combine_units(formula, term, units); !combined)
        return tl::unexpected(combined.error());
  }
  return units.back();
}

}  // namespace

Result<std::string> unit_of(const Formula& formula, const MetricTable& metrics,
                            const std::optional<std::string>& declared) {
  GATE_TRY(const Unit unit, computed_unit(formula, metrics));
  if (!declared) return unit.open ? "" : text_of(unit);
  const bool any = unit.open || unit.powers.empty();
  if (any || same(read_unit(*declared), unit)) return *declared;
  const std::string said = declared->empty() ? "no unit" : printable(*declared, 40);
  return complain(formula, "it gives " + text_of(unit) + ", and the unit of the metric is " + said +
                               "; what converts is a number, as in \"* 1000\"");
}

Result<Numbering> numbering_of(const Formula& formula, const MetricTable& metrics) {
  const Term* first = nullptr;
  for (const Term& term : formula.terms) {
    if (term.kind != TermKind::metric) continue;
    if (first == nullptr) first = &term;
    const Numbering here = metrics.get(term.metric).numbered, there = metrics.get(first->metric).numbered;
    if (here != there)
      return complain(formula, first->metric + " is numbered by " + std::string(to_string(there)) + ", " +
                                   term.metric + " by " + std::string(to_string(here)));
    if (here == Numbering::time)
      return complain(formula,
                      term.metric + " is numbered by time: nothing else has a value at the same moment");
  }
  return metrics.get(first->metric).numbered;
}

}  // namespace gate::judge
