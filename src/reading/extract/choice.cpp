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

std::string found_words(const FoundFormat& found) {
  return std::string(found.format->row.name) + " (" +
         (found.steps > 0 ? count_of(found.steps, "step") : count_of(found.others, "record")) + ")";
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

std::string tie_text(std::span<const FoundFormat> found, const Choice& choice) {
  const std::string best(found[*choice.best].format->row.name);
  std::string text = "formats " + found_words(found[*choice.best]);
  for (std::size_t i = 0; i < choice.tied.size(); ++i) {
    text += i + 1 == choice.tied.size() ? " and " : ", ";
    text += found_words(found[choice.tied[i]]);
  }
  text += choice.tied.size() == 1 ? " both" : " all";
  return text + " read this log: name the one that is meant, as in --format " + best + " or formats = [\"" +
         best + "\"]";
}

std::vector<std::string> also_read(std::span<const FoundFormat> found, const Choice& choice) {
  std::vector<std::string> notes;
  for (std::size_t i = 0; i < found.size(); ++i)
    if (i != *choice.best && found_any(found[i]) && !is_contained(found[i], found))
      notes.push_back("format " + found_words(found[i]) + " reads parts of this log, too; " +
                      found_words(found[*choice.best]) + " is used");
  return notes;
}

}  // namespace gate::extract
