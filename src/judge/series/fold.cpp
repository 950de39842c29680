#include "judge/series/fold.h"

#include <algorithm>

namespace gate::judge {

namespace {

Note& note_with(std::vector<Note>& notes, const SeriesRemark& of) {
  const auto it = std::ranges::find_if(
      notes, [&](const Note& note) { return note.numbered == of.numbered && note.remark == of.remark; });
  return it != notes.end() ? *it : notes.emplace_back(Note{{}, of.numbered, of.remark});
}

Ranks& ranks_in(Note& note, const std::string& metric) {
  const auto it = std::ranges::find(note.subjects, metric, &Note::Subject::name);
  return it != note.subjects.end() ? it->ranks : note.subjects.emplace_back(Note::Subject{metric, {}}).ranks;
}

}  // namespace

std::vector<Note> fold(std::span<const SeriesRemark> remarks) {
  std::vector<Note> notes;
  for (const SeriesRemark& of : remarks) {
    Ranks& ranks = ranks_in(note_with(notes, of), of.metric);
    if (std::ranges::find(ranks, of.rank) == ranks.end()) ranks.push_back(of.rank);
  }
  for (Note& note : notes)
    for (Note::Subject& subject : note.subjects) std::ranges::sort(subject.ranks);
  return notes;
}

}  // namespace gate::judge
