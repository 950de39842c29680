// What the event files of one run hold and gate leaves out: counted, and said once for all of them.
#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <string_view>
#include <vector>

namespace gate::extract {

// Why a scalar is left out.
//   numbered_otherwise  by samples or tokens: see is_numbered_otherwise
//   told_already        another tag that came earlier in its file means the same metric
//   too_many_tags       the file has more tags of its own than are read
enum class LeftOut : std::uint8_t { numbered_otherwise, told_already, too_many_tags };

class EventTally {
 public:
  // Return a number for the metric: the same in all files.
  std::size_t index_of(std::string_view metric);

  void leave_out(LeftOut why, std::string_view tag);
  void add_other_values(std::int64_t count) { other_values_ += count; }

  // Return a note for each reason, with some of the tags. The order in which files come makes no difference.
  std::vector<std::string> notes() const;

 private:
  struct Count {
    std::int64_t scalars = 0;
    std::set<std::string> tags;  // at most most_tags
  };
  static constexpr std::size_t most_tags = 1000;
  static constexpr std::size_t reasons = static_cast<std::size_t>(LeftOut::too_many_tags) + 1;

  std::array<Count, reasons> counts_;
  std::map<std::string, std::size_t, std::less<>> indices_;
  std::int64_t other_values_ = 0;
};

}  // namespace gate::extract
