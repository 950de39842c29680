#include "gate/render/reporters.h"
#include "render/html/html_page.h"
#include "render/words/part_words.h"

namespace gate::render {

std::string performance_table_html(const Report& report, const Style& style) {
  const TextRows rows = performance_rows(report);
  const Sentence title = say({"performance", "性能"});
  HtmlPage page(title, style.language);
  page.heading(title);
  std::vector<std::vector<Cell>> cells;
  for (std::size_t i = 1; i < rows.size(); ++i) {
    std::vector<Cell>& row = cells.emplace_back();
    for (const Sentence& text : rows[i]) row.push_back({text});
  }
  page.table(rows.front(), cells, HtmlPage::Filter::yes);
  page.list(performance_notes(report));
  return page.finish();
}

}  // namespace gate::render
