#include "app/suite/shared_logs.h"

#include <algorithm>
#include <numeric>

#include "gate/base/text.h"
#include "gate/config/names.h"

namespace gate::app {

namespace {

struct LogGlob {
  std::string glob;  // from the root on
  std::string shown;
  std::size_t of = 0;  // which case

  // Everything that the glob matches begins and ends with these.
  std::string_view head() const { return std::string_view(glob).substr(0, glob.find_first_of("*?[")); }
  std::string_view tail() const {
    const std::size_t last = glob.find_last_of("*?]");
    return last == std::string::npos ? std::string_view(glob) : std::string_view(glob).substr(last + 1);
  }
};

// The folder that the glob names without a glob character may be reached through links.
std::string without_links(const fs::Path& glob) {
  const std::string text = glob.string();
  const std::size_t end = text.rfind('/', text.find_first_of("*?["));
  std::error_code unknown;
  const fs::Path folder = std::filesystem::weakly_canonical(text.substr(0, end), unknown);
  return unknown ? text : (folder / text.substr(end + 1)).string();
}

std::vector<LogGlob> sorted_globs(const std::vector<std::vector<std::string>>& globs, const fs::Path& cwd) {
  std::vector<LogGlob> all;
  for (std::size_t i = 0; i < globs.size(); ++i)
    for (const std::string& glob : globs[i]) {
      const std::string any_rank = config::expand(glob, {{"rank", "*"}}).value_or(glob);
      all.push_back({without_links(std::filesystem::absolute(cwd / any_rank).lexically_normal()), glob, i});
    }
  std::ranges::sort(all, [](const LogGlob& a, const LogGlob& b) { return a.head() < b.head(); });
  return all;
}

bool may_overlap(const LogGlob& a, const LogGlob& b) {
  return (a.tail().ends_with(b.tail()) || b.tail().ends_with(a.tail())) && globs_overlap(a.glob, b.glob);
}

// Sets of cases that are joined one by one.
class Joined {
 public:
  explicit Joined(std::size_t count) : parents_(count) {
    std::iota(parents_.begin(), parents_.end(), std::size_t{0});
  }
  std::size_t root(std::size_t one) {
    while (parents_[one] != one) one = parents_[one] = parents_[parents_[one]];
    return one;
  }
  void join(std::size_t a, std::size_t b) { parents_[root(a)] = root(b); }

 private:
  std::vector<std::size_t> parents_;
};

}  // namespace

SharedLogs shared_logs(const std::vector<std::vector<std::string>>& globs, const fs::Path& cwd) {
  const std::vector<LogGlob> all = sorted_globs(globs, cwd);
  Joined joined(globs.size());
  std::vector<std::pair<std::size_t, std::size_t>> pairs;
  for (std::size_t i = 0; i < all.size(); ++i)
    for (std::size_t j = i + 1; j < all.size() && all[j].head().starts_with(all[i].head()); ++j) {
      if (joined.root(all[i].of) == joined.root(all[j].of) || !may_overlap(all[i], all[j])) continue;
      joined.join(all[i].of, all[j].of);
      pairs.emplace_back(i, j);
    }
  SharedLogs shared{std::vector<std::optional<std::size_t>>(globs.size()), {}};
  std::vector<std::optional<std::size_t>> group_of(globs.size());  // by root
  for (const auto& [i, j] : pairs) {
    std::optional<std::size_t>& group = group_of[joined.root(all[i].of)];
    if (group) continue;
    group = shared.examples.size();
    shared.examples.emplace_back(all[i].shown, all[j].shown);
  }
  for (std::size_t i = 0; i < globs.size(); ++i) shared.groups[i] = group_of[joined.root(i)];
  return shared;
}

}  // namespace gate::app
