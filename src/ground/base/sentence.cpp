#include "gate/base/sentence.h"

#include <algorithm>

namespace gate {

Sentence& Sentence::operator+=(const Sentence& more) {
  english_ += more.english_;
  chinese_ += more.chinese_;
  return *this;
}

Sentence join(std::span<const Sentence> sentences, const Sentence& separator) {
  Sentence all;
  for (const Sentence& one : sentences) {
    if (one.empty()) continue;
    if (!all.empty()) all += separator;
    all += one;
  }
  return all;
}

Sentence first_of(std::span<const Sentence> names, std::size_t most) {
  const Sentence first = join(names.first(std::min(names.size(), most)), ", ");
  return names.size() > most ? say({"{} and {} more", "{} 以及另外 {} 个"}, first, names.size() - most)
                             : first;
}

Sentence listed(std::span<const std::string> names, std::size_t most) {
  return first_of(std::vector<Sentence>(names.begin(), names.end()), most);
}

Sentence count_of(std::int64_t count, std::string_view english, std::string_view chinese) {
  return {fmt::format("{} {}{}", count, english, count == 1 ? "" : "s"),
          fmt::format("{} {}", count, chinese)};
}

}  // namespace gate
