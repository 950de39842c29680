#include "gate/suite/predecessors.h"

#include <algorithm>
#include <array>
#include <map>

#include "gate/base/text.h"

namespace gate::app {

namespace {

std::vector<std::string> cases_before(const config::Case& spec) { return spec.settings.after; }

const std::array<Bond, 2> bonds_of_cases{
    {{cases_before, {" comes after it", "在它之后运行"}, {" come after it", "在它之后运行"}},
     {partners_of, {" is judged beside it", "与它并排判定"}, {" are judged beside it", "与它并排判定"}}}};

using CasesByName = std::map<std::string, const config::Case*, std::less<>>;

// Return those of which each waits for another one of them: all are taken away, one after the other, for
// which nothing waits any more, or the other way about, until none can be.
CasesByName in_circles(CasesByName cases) {
  std::map<std::string_view, std::vector<const config::Case*>> successors;
  std::map<const config::Case*, std::size_t> open;  // how many it waits for
  std::vector<const config::Case*> ready;
  for (const auto& [name, spec] : cases) {
    for (const std::string& before : spec->settings.after)
      if (cases.contains(before)) successors[before].push_back(spec), ++open[spec];
    if (!open.contains(spec)) ready.push_back(spec);
  }
  while (!ready.empty()) {
    const config::Case* const spec = ready.back();
    ready.pop_back();
    for (const config::Case* next : successors[spec->name])
      if (--open[next] == 0) ready.push_back(next);
    cases.erase(spec->name);
  }
  return cases;
}

// Return one circle among cases each of which waits for another one of them; the first by its name comes
// first.
std::vector<const config::Case*> circle_among(const CasesByName& cases) {
  std::vector<const config::Case*> way;
  const config::Case* at = cases.begin()->second;
  while (std::ranges::find(way, at) == way.end()) {
    way.push_back(at);
    const auto next = std::ranges::find_if(at->settings.after,
                                           [&](const std::string& name) { return cases.contains(name); });
    at = cases.find(*next)->second;
  }
  way.erase(way.begin(), std::ranges::find(way, at));
  std::rotate(way.begin(), std::ranges::min_element(way, {}, &config::Case::name), way.end());
  return way;
}

std::string circle_words(const std::vector<const config::Case*>& circle) {
  std::vector<std::string> links;
  for (std::size_t i = 0; i < circle.size(); ++i)
    links.push_back(printable(circle[i]->name, 80) + (i == 0 ? " comes after " : " after ") +
                    printable(circle[(i + 1) % circle.size()]->name, 80));
  return join(links, ", ") + ": none of them could ever start";
}

}  // namespace

std::vector<std::string> partners_of(const config::Case& spec) {
  std::set<std::string> names;
  for (const judge::Derivation& derivation : spec.derivations)
    if (std::ranges::find(spec.rules, derivation.metric, &Rule::metric) != spec.rules.end())
      names.insert(derivation.cases.begin(), derivation.cases.end());
  names.erase(spec.name);
  return {names.begin(), names.end()};
}

std::span<const Bond> all_of(Bonds bonds) {
  return std::span(bonds_of_cases).first(bonds == Bonds::all ? bonds_of_cases.size() : 1);
}

std::vector<std::string> predecessors_of(const config::Case& spec) {
  std::set<std::string> names;
  for (const Bond& bond : bonds_of_cases)
    for (std::string& name : bond.names(spec)) names.insert(std::move(name));
  return {names.begin(), names.end()};
}

void add_predecessors(const std::vector<config::Case>& cases, Bonds bonds, std::set<std::string>& names) {
  for (std::size_t before = names.size() + 1; before != names.size();) {
    before = names.size();
    for (const config::Case& one : cases)
      for (const Bond& bond : all_of(bonds))
        if (names.contains(one.name))
          for (std::string& name : bond.names(one)) names.insert(std::move(name));
  }
}

void add_successors(const std::vector<config::Case>& cases, std::set<std::string>& names) {
  for (std::size_t before = names.size() + 1; before != names.size();) {
    before = names.size();
    for (const config::Case& one : cases)
      if (std::ranges::any_of(predecessors_of(one), [&](const auto& name) { return names.contains(name); }))
        names.insert(one.name);
  }
}

Diagnostics check_after(const config::Case& spec, const std::vector<std::string>& names,
                        const PlaceOfAfter& place) {
  Diagnostics mistakes;
  for (const std::string& name : spec.settings.after)
    if (name == spec.name)
      mistakes.push_back({place(spec), "case " + printable(name, 80) + " cannot come after itself"});
    else if (!std::ranges::binary_search(names, name))
      mistakes.push_back(
          {place(spec), "no case \"" + printable(name, 80) + "\"" + did_you_mean(name, names)});
  return mistakes;
}

Diagnostics check_circles(const std::vector<config::Case>& cases, const PlaceOfAfter& place) {
  CasesByName left;
  for (const config::Case& one : cases)
    if (!one.settings.after.empty()) left.emplace(one.name, &one);
  Diagnostics mistakes;
  while (!(left = in_circles(std::move(left))).empty()) {
    const std::vector<const config::Case*> circle = circle_among(left);
    if (circle.size() > 1) mistakes.push_back({place(*circle.front()), circle_words(circle)});
    for (const config::Case* one : circle) left.erase(one->name);
  }
  return mistakes;
}

}  // namespace gate::app
