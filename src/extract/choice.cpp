#include "extract/choice.h"

#include <algorithm>
#include <iterator>
#include <utility>

#include "gate/base/text.h"

namespace gate::extract {

namespace {

bool found_any(const Found& found) { return found.steps + found.others > 0; }

bool contains(const FormatSpec& format, const FormatSpec& other) {
  if (other.author == Author::person) return false;
  return std::find(format.over.begin(), format.over.end(), other.row.name) != format.over.end();
}

bool is_contained(const Found& found, std::span<const Found> all) {
  return std::any_of(all.begin(), all.end(), [&](const Found& other) {
    return found_any(other) && contains(*other.format, *found.format);
  });
}

std::string found_words(const Found& found) {
  return std::string(found.format->row.name) + " (" +
         (found.steps > 0 ? count_of(found.steps, "step") : count_of(found.others, "record")) + ")";
}

}  // namespace

Choice choose(std::span<const Found> found) {
  const auto weight = [&](std::size_t i) { return std::pair(found[i].steps, found[i].others); };
  std::vector<std::size_t> meant;
  for (std::size_t i = 0; i < found.size(); ++i)
    if (found_any(found[i]) && !is_contained(found[i], found)) meant.push_back(i);
  const auto best = std::max_element(meant.begin(), meant.end(),
                                     [&](std::size_t a, std::size_t b) { return weight(a) < weight(b); });
  if (best == meant.end()) return {};
  Choice choice{*best, {}};
  const auto ties = [&](std::size_t i) {
    const Found& most = found[*best];
    return most.steps > 0 ? found[i].steps * 2 >= most.steps : found[i].others * 2 >= most.others;
  };
  std::copy_if(meant.begin(), meant.end(), std::back_inserter(choice.tied),
               [&](std::size_t i) { return i != *best && ties(i); });
  return choice;
}

std::string tie_text(std::span<const Found> found, const Choice& choice) {
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

std::vector<std::string> also_read(std::span<const Found> found, const Choice& choice) {
  std::vector<std::string> notes;
  for (std::size_t i = 0; i < found.size(); ++i)
    if (i != *choice.best && found_any(found[i]) && !is_contained(found[i], found))
      notes.push_back("format " + found_words(found[i]) + " reads parts of this log, too; " +
                      found_words(found[*choice.best]) + " is used");
  return notes;
}

}  // namespace gate::extract
