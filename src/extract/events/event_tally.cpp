#include "extract/events/event_tally.h"

#include "gate/base/text.h"

namespace gate::extract {

namespace {

constexpr std::size_t most_named = 8;
constexpr std::size_t longest_tag = 80;

constexpr std::array<std::string_view, 3> because{
    " of the event files left out, numbered by samples or tokens instead of steps: ",
    " of the event files left out, an earlier tag of the file means the same metric: ",
    " of the event files left out, behind the first 1000 tags: "};

}  // namespace

std::size_t EventTally::index_of(std::string_view metric) {
  return indices_.try_emplace(std::string(metric), indices_.size()).first->second;
}

void EventTally::leave_out(LeftOut why, std::string_view tag) {
  Count& count = counts_.at(static_cast<std::size_t>(why));
  ++count.scalars;
  if (count.tags.size() < most_tags) count.tags.insert("`" + printable(tag, longest_tag) + "`");
}

std::vector<std::string> EventTally::notes() const {
  std::vector<std::string> notes;
  for (std::size_t why = 0; why < reasons; ++why) {
    const Count& count = counts_.at(why);
    if (count.scalars == 0) continue;
    const std::vector<std::string> tags(count.tags.begin(), count.tags.end());
    std::string note = count_of(count.scalars, "scalar");
    note += because.at(why);
    notes.push_back(note + some_of(tags, most_named));
  }
  if (other_values_ > 0)
    notes.push_back(count_of(other_values_, "value") +
                    " of the event files left out, no scalars: histograms, images, texts");
  return notes;
}

}  // namespace gate::extract
