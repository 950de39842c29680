#include <pugixml.hpp>
#include <sstream>

#include "gate/render/guard_list.h"
#include "render/html/html_page.h"
#include "render/words/guard_words.h"
#include "render/words/text_page.h"

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

std::string guard_fragment_html(const GuardList& list, Language language) {
  pugi::xml_document document;
  pugi::xml_node table = document.append_child("table");
  const std::vector<MergedColumn> columns = guard_fragment(list);
  const auto add = [&](pugi::xml_node row, const char* name, const Sentence& text) {
    pugi::xml_node cell = row.append_child(name);
    cell.append_child(pugi::node_pcdata).set_value(safe(text.in(language)).c_str());
    return cell;
  };
  pugi::xml_node head = table.append_child("tr");
  for (const MergedColumn& column : columns) add(head, "th", column.title);
  for (std::size_t i = 0; i < columns.front().cells.size(); ++i) {
    pugi::xml_node row = table.append_child("tr");
    for (const MergedColumn& column : columns) {
      if (column.spans[i] == 0) continue;
      pugi::xml_node cell = add(row, "td", column.cells[i]);
      if (column.spans[i] > 1)
        cell.append_attribute("rowspan").set_value(std::to_string(column.spans[i]).c_str());
    }
  }
  std::ostringstream out;
  document.save(out, "    ",
                pugi::format_indent | pugi::format_no_declaration | pugi::format_no_empty_element_tags,
                pugi::encoding_utf8);
  return out.str();
}

}  // namespace gate::render
