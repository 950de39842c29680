#include "render/words/fold.h"

#include <algorithm>
#include <limits>
#include <tuple>

#include "gate/base/text.h"
#include "gate/model/decimal.h"
#include "gate/model/step_set.h"
#include "gate/words/remarks.h"

namespace gate::render {

namespace {

bool is_judged(CheckStatus status) {
  return status == CheckStatus::fail || status == CheckStatus::waived || status == CheckStatus::pass;
}

bool alike(const Check& a, const Check& b) {
  return a.rule == b.rule && a.metric == b.metric && a.status == b.status && a.rank && b.rank &&
         (is_judged(a.status) || a.remarks == b.remarks);
}

auto place(const Check& check) {
  constexpr std::int64_t behind_all = std::numeric_limits<std::int64_t>::max();
  return std::tuple(check.first_miss ? check.first_miss->number : behind_all, check.rank.value_or(-1));
}

Decimal deviation(const Check& check) {
  const std::optional<Value>& delta = check.largest ? check.largest->delta : check.delta;
  return is_finite(delta) ? delta->number.abs() : Decimal{};
}

std::int64_t ranks_with(const std::vector<Check>& checks, const Check& like) {
  std::vector<int> ranks;
  for (const Check& check : checks)
    if (check.rule == like.rule && check.metric == like.metric && check.rank) ranks.push_back(*check.rank);
  std::sort(ranks.begin(), ranks.end());
  return std::unique(ranks.begin(), ranks.end()) - ranks.begin();
}

void put_rank(std::vector<std::int64_t>& ranks, std::int64_t rank) {
  const auto it = std::lower_bound(ranks.begin(), ranks.end(), rank);
  if (it == ranks.end() || *it != rank) ranks.insert(it, rank);
}

void fold_in(Fold& into, const Check& check) {
  if (into.first == nullptr || place(check) < place(*into.first)) into.first = &check;
  if (into.largest == nullptr || deviation(*into.largest) < deviation(check)) into.largest = &check;
  if (check.rank) put_rank(into.ranks, *check.rank);
  into.misses += check.misses;
  into.compared += check.compared;
  const std::string note = words::note_text(check);
  const bool told = std::find(into.notes.begin(), into.notes.end(), note) != into.notes.end();
  if (!note.empty() && !told) into.notes.push_back(note);
}

}  // namespace

std::vector<Fold> fold(const std::vector<Check>& checks) {
  std::vector<Fold> folds;
  for (const Check& check : checks) {
    auto it = std::find_if(folds.begin(), folds.end(), [&](const Fold& f) { return alike(*f.first, check); });
    if (it == folds.end()) {
      it = folds.insert(folds.end(), Fold{});
      it->all_ranks = ranks_with(checks, check);
    }
    fold_in(*it, check);
  }
  return folds;
}

std::string ranks_of(const Fold& fold) {
  if (fold.ranks.empty()) return "";
  if (fold.all_ranks == 1) return "rank " + to_string(StepSet(fold.ranks));
  return std::to_string(fold.ranks.size()) + " of " + count_of(fold.all_ranks, "rank") + " (" +
         to_string(StepSet(fold.ranks)) + ")";
}

}  // namespace gate::render
