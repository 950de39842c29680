#include "extract/choice.h"

#include <algorithm>
#include <iterator>
#include <utility>

#include "gate/base/text.h"

namespace gate::extract {

namespace {

bool found_any(const FoundFormat& found) { return found.steps + found.others > 0; }

// Tell whether another format that found anything contains this one.
bool is_contained(const FoundFormat& found, std::span<const FoundFormat> all) {
  return std::ranges::any_of(all, [&](const FoundFormat& other) {
    const auto& contained = other.format->supersedes;
    return found_any(other) && found.format->author != Author::person &&
           std::ranges::find(contained, found.format->row.name) != contained.end();
  });
}

Sentence found_words(const FoundFormat& found) {
  return say(
      {"{} ({})", "{}（{}）"}, found.format->row.name,
      found.steps > 0 ? count_of(found.steps, "step", "步") : count_of(found.others, "record", "条记录"));
}

}  // namespace

Choice choose(std::span<const FoundFormat> found) {
  const auto weight = [&](std::size_t i) { return std::pair(found[i].steps, found[i].others); };
  std::vector<std::size_t> eligible;
  for (std::size_t i = 0; i < found.size(); ++i)
    if (found_any(found[i]) && !is_contained(found[i], found)) eligible.push_back(i);
  const auto best = std::ranges::max_element(eligible, {}, weight);
  if (best == eligible.end()) return {};
  Choice choice{*best, {}};
  const auto ties = [&](std::size_t i) {
    const FoundFormat& most = found[*best];
    return most.steps > 0 ? found[i].steps * 2 >= most.steps : found[i].others * 2 >= most.others;
  };
  std::ranges::copy_if(eligible, std::back_inserter(choice.tied),
                       [&](std::size_t i) { return i != *best && ties(i); });
  return choice;
}

Sentence tie_text(std::span<const FoundFormat> found, const Choice& choice) {
  const std::string best(found[*choice.best].format->row.name);
  Sentence names = found_words(found[*choice.best]);
  for (std::size_t i = 0; i < choice.tied.size(); ++i)
    names += (i + 1 == choice.tied.size() ? say({" and ", "和 "}) : say({", ", "、"})) +
             found_words(found[choice.tied[i]]);
  return say(
      {"formats {0} {2} read this log: name the one that is meant, as in --format {1} or formats = [\"{1}\"]",
       "格式 {0}{2}能读这份日志：请指明一个，例如 --format {1} 或 formats = [\"{1}\"]"},
      names, best, choice.tied.size() == 1 ? say({"both", "都"}) : say({"all", "都"}));
}

std::vector<Sentence> also_read(std::span<const FoundFormat> found, const Choice& choice) {
  std::vector<Sentence> notes;
  for (std::size_t i = 0; i < found.size(); ++i)
    if (i != *choice.best && found_any(found[i]) && !is_contained(found[i], found))
      notes.push_back(say(
          {"format {} reads parts of this log, too; {} is used", "格式 {}也能读这份日志的一部分；采用 {}"},
          found_words(found[i]), found_words(found[*choice.best])));
  return notes;
}

}  // namespace gate::extract
