#include "extract/records/problem_log.h"

#include <algorithm>
#include <tuple>
#include <utility>

namespace gate::extract {

void ProblemLog::add(ProblemKind kind, Place place, std::string text) {
  if (++counts_.at(static_cast<std::size_t>(kind)) > most_of_a_kind) return;
  entries_.push_back({place, {kind, "", place.line, std::move(text)}});
}

void ProblemLog::add(const ProblemLog& other) {
  for (const Entry& entry : other.entries_) {
    std::size_t& count = counts_.at(static_cast<std::size_t>(entry.problem.kind));
    if (++count <= most_of_a_kind) entries_.push_back(entry);
  }
  for (std::size_t kind = 0; kind < kinds; ++kind)
    counts_.at(kind) += other.counts_.at(kind) - std::min(other.counts_.at(kind), most_of_a_kind);
}

void ProblemLog::move_into(Extraction& extraction) {
  std::stable_sort(entries_.begin(), entries_.end(), [](const Entry& a, const Entry& b) {
    return std::tie(a.place.file, a.place.line) < std::tie(b.place.file, b.place.line);
  });
  for (Entry& entry : entries_) {
    if (entry.place.file < extraction.files.size()) entry.problem.file = extraction.files[entry.place.file];
    extraction.problems.push_back(std::move(entry.problem));
  }
  for (std::size_t kind = 0; kind < kinds; ++kind)
    if (counts_.at(kind) > most_of_a_kind)
      extraction.notes.push_back("and " + std::to_string(counts_.at(kind) - most_of_a_kind) +
                                 " more problems of kind " +
                                 std::string(to_string(static_cast<ProblemKind>(kind))));
}

}  // namespace gate::extract
