// Which cases must have ended in a run before another one starts: those that it comes after (the setting
// `after`, decision 46), and its partners, beside whose runs it is judged (decision 8).
#pragma once

#include <cstdint>
#include <functional>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "gate/base/diagnostics.h"
#include "gate/base/sentence.h"
#include "gate/suite/suite.h"

namespace gate::app {

// Return the other cases that the formulas of the case's rules name; sorted.
std::vector<std::string> partners_of(const config::Case& spec);

// Return the cases that it comes after, and its partners; sorted.
std::vector<std::string> predecessors_of(const config::Case& spec);

// What binds a case to its predecessors.
struct Bond {
  std::vector<std::string> (*names)(const config::Case& spec);
  Sentence of_one, of_several;  // what is said of the cases that are bound
};

// That they come after; and, where runs are judged, that they are judged beside.
enum class Bonds : std::uint8_t { all, after };
std::span<const Bond> all_of(Bonds bonds);

// Add to the names of cases their predecessors by these bonds, and so on.
void add_predecessors(const std::vector<config::Case>& cases, Bonds bonds, std::set<std::string>& names);

// Add to the names of cases those whose predecessors they are, and so on.
void add_successors(const std::vector<config::Case>& cases, std::set<std::string>& names);

// Where the setting `after` of a case is said.
using PlaceOfAfter = std::function<Position(const config::Case&)>;

// Return what the case says of those that it comes after and that cannot be: a name that is none of `names`,
// which are sorted; its own.
Diagnostics check_after(const config::Case& spec, const std::vector<std::string>& names,
                        const PlaceOfAfter& place);

// Return for each circle of cases that come after one another a mistake that names all of it, at the place of
// the first case. The cases are sorted by name.
Diagnostics check_circles(const std::vector<config::Case>& cases, const PlaceOfAfter& place);

}  // namespace gate::app
