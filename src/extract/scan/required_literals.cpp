// RE2's prefilter turns a pattern into a formula of literals, `loss` and (`train` or `eval`) say, and tells
// of a set of literals whether a text that holds these alone might match. Asked with all literals but a few,
// it answers no exactly where every match holds one of these few.
#include "extract/scan/required_literals.h"

#include <re2/filtered_re2.h>

#include <algorithm>
#include <numeric>
#include <string_view>

#include "extract/scan/pattern.h"

namespace gate::extract {

namespace {

constexpr std::size_t shortest = 2;

class Formula {
 public:
  explicit Formula(const std::string& pattern) : filter_(static_cast<int>(shortest)) {
    int id = 0;
    ok_ = filter_.Add(pattern, pattern_options(), &id) == RE2::NoError;
    if (ok_) filter_.Compile(&literals_);
  }

  const std::vector<std::string>& literals() const { return literals_; }

  // Tell whether each match holds one of the literals that are marked.
  bool demands(const std::vector<bool>& marked) const {
    std::vector<int> others, might;
    for (std::size_t i = 0; i < literals_.size(); ++i)
      if (!marked[i]) others.push_back(static_cast<int>(i));
    if (ok_) filter_.AllPotentials(others, &might);
    return ok_ && might.empty();
  }

 private:
  re2::FilteredRE2 filter_;
  std::vector<std::string> literals_;
  bool ok_ = false;
};

// Return the longest part that is ASCII: what a byte above it is in another case is not asked here.
std::string_view ascii_part(std::string_view literal) {
  std::string_view best;
  const auto is_ascii = [](char c) { return static_cast<unsigned char>(c) < 0x80; };
  for (auto begin = literal.begin(); begin != literal.end();) {
    const auto end = std::find_if_not(begin, literal.end(), is_ascii);
    const std::string_view part(begin, end);
    if (part.size() > best.size()) best = part;
    begin = end == literal.end() ? end : end + 1;
  }
  return best;
}

}  // namespace

std::vector<std::string> required_literals(const std::string& pattern) {
  const Formula formula(pattern);
  std::vector<bool> marked(formula.literals().size(), true);
  if (marked.empty() || !formula.demands(marked)) return {};
  std::vector<std::size_t> order(marked.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
    return formula.literals()[a].size() < formula.literals()[b].size();
  });
  for (const std::size_t i : order) {
    marked[i] = false;
    marked[i] = !formula.demands(marked);
  }
  std::vector<std::string> required;
  for (std::size_t i = 0; i < marked.size(); ++i)
    if (marked[i]) required.emplace_back(ascii_part(formula.literals()[i]));
  const auto is_short = [](const std::string& literal) { return literal.size() < shortest; };
  return std::any_of(required.begin(), required.end(), is_short) ? std::vector<std::string>{} : required;
}

}  // namespace gate::extract
