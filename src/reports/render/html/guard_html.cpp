#include "gate/render/guard_list.h"
#include "render/html/html_page.h"
#include "render/words/guard_words.h"

namespace gate::render {

std::string guard_list_html(const GuardList& list, Language language) {
  const Sentence closing = guard_closing(list);
  HtmlPage page(closing, language);
  page.banner(Tone::plain, closing);
  const TextRows rows = guard_rows(list);
  std::vector<std::vector<Cell>> cells(rows.size() - 1);
  for (std::size_t i = 0; i < cells.size(); ++i)
    for (std::size_t k = 0; k < rows[i + 1].size(); ++k) {
      const bool is_first = k == 0;
      cells[i].push_back({rows[i + 1][k], "", is_first && !list.rows[i].guards() ? Tone::warn : Tone::plain});
    }
  page.table(rows.front(), cells, HtmlPage::Filter::yes);
  for (const GuardRemark& remark : guard_remarks(list)) {
    page.heading(remark.title);
    page.list(remark.lines);
  }
  return page.finish();
}

}  // namespace gate::render
