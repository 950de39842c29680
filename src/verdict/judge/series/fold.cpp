#include "judge/series/fold.h"

#include <algorithm>

namespace gate::judge {

std::vector<Note> fold(std::span<const SeriesRemark> remarks) {
  std::vector<Note> notes;
  for (const SeriesRemark& next : remarks) {
    const auto note = std::ranges::find_if(notes, [&](const Note& known) {
      return known.numbered == next.numbered && known.remark == next.remark;
    });
    auto& subjects =
        (note != notes.end() ? *note : notes.emplace_back(Note{{}, next.numbered, next.remark})).subjects;
    const auto subject = std::ranges::find(subjects, next.metric, &Note::Subject::name);
    Ranks& ranks =
        (subject != subjects.end() ? *subject : subjects.emplace_back(Note::Subject{next.metric, {}})).ranks;
    if (std::ranges::find(ranks, next.rank) == ranks.end()) ranks.push_back(next.rank);
  }
  for (Note& note : notes)
    for (Note::Subject& subject : note.subjects) std::ranges::sort(subject.ranks);
  return notes;
}

}  // namespace gate::judge
