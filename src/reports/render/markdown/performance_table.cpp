// A published table of how fast trainings are, from the green cases of a run.
#include "gate/render/reporters.h"
#include "render/words/markdown_text.h"
#include "render/words/part_words.h"

namespace gate::render {

std::string performance_table(const Report& report, const Style& style) {
  std::string out = markdown_table(performance_rows(report), style.language) + "\n";
  for (const Sentence& note : performance_notes(report))
    out += "- " + markdown_escape(note.in(style.language)) + "\n";
  return out;
}

}  // namespace gate::render
