#include "judge/fold.h"

#include <algorithm>
#include <map>
#include <set>

#include "gate/base/text.h"
#include "judge/words.h"

namespace gate::judge {

namespace {

// A map whose keys keep the order in which they came; `at` adds a new one.
template <typename Value>
class Ordered {
 public:
  Value& at(const std::string& key) {
    const auto [it, added] = index_.try_emplace(key, values_.size());
    if (added) values_.emplace_back(key, Value{});
    return values_[it->second].second;
  }
  const std::vector<std::pair<std::string, Value>>& values() const { return values_; }

 private:
  std::map<std::string, std::size_t> index_;
  std::vector<std::pair<std::string, Value>> values_;
};

using Subjects = Ordered<std::set<std::optional<int>>>;

std::string names_of(const Subjects& subjects) {
  std::vector<std::string> names;
  for (const auto& [metric, ranks] : subjects.values()) {
    const std::string text = ranks_text(std::vector<std::optional<int>>(ranks.begin(), ranks.end()));
    names.push_back(metric + (text.empty() ? "" : " " + text));
  }
  return join(names, ", ");
}

}  // namespace

std::vector<std::string> fold(std::span<const Remark> remarks) {
  Ordered<Subjects> by_text;
  for (const Remark& remark : remarks) by_text.at(remark.text).at(remark.metric).insert(remark.rank);
  std::vector<std::string> lines;
  for (const auto& [text, subjects] : by_text.values()) lines.push_back(names_of(subjects) + ": " + text);
  return lines;
}

}  // namespace gate::judge
