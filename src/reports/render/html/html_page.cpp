#include "render/html/html_page.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <pugixml.hpp>
#include <sstream>

#include "render/html/chart_json.h"
#include "render/html/chart_words.h"
#include "render/html/page_assets.h"
#include "render/html/sketch.h"
#include "render/words/downsample.h"
#include "render/words/text_page.h"

namespace gate::render {

namespace {

constexpr const char* policy =
    "default-src 'none'; style-src 'unsafe-inline'; script-src 'unsafe-inline'; img-src data:; base-uri "
    "'none'; form-action 'none'";

constexpr std::array<const char*, 4> tones{"plain", "good", "bad", "warn"};

const char* tone_word(Tone tone) { return tones[static_cast<std::size_t>(tone)]; }

// A part of the file that is no text of anybody's.
std::string element(std::string_view name, std::string_view content) {
  return fmt::format("<{0}>\n{1}\n</{0}>\n", name, content);
}

}  // namespace

void ChartBudget::add(const std::vector<Chart>& charts) {
  for (const Chart& chart : charts) {
    const auto bounded = [](const std::vector<std::optional<double>>& side) { return side.empty() ? 0 : 1; };
    const std::size_t series =
        chart.curves.size() + static_cast<std::size_t>(bounded(chart.low) + bounded(chart.high));
    (chart.checked ? gated_series_ : other_series_) += series;
  }
  charts_ += charts.size();
}

std::size_t ChartBudget::places_of(const Chart& chart) const {
  constexpr std::size_t values_of_page = 1'900'000;  // of about six bytes each
  const std::size_t gated = std::min(most_places, values_of_page / std::max<std::size_t>(gated_series_, 1));
  if (chart.checked) return gated;
  const std::size_t left = values_of_page - gated * gated_series_;
  return std::min(most_places, left / std::max<std::size_t>(other_series_, 1));
}

bool ChartBudget::is_sketched(const Chart& chart) const {
  constexpr std::size_t few_charts = 200;
  return chart.checked || charts_ <= few_charts;
}

struct HtmlPage::State {
  Language language = Language::english;
  std::string title;
  pugi::xml_document document;
  pugi::xml_node at;  // where the next part goes
  bool has_charts = false;

  pugi::xml_node add(pugi::xml_node parent, const char* name, const Sentence& text,
                     const char* style = nullptr) {
    pugi::xml_node node = parent.append_child(name);
    if (style != nullptr) node.append_attribute("class").set_value(style);
    if (!text.empty()) node.append_child(pugi::node_pcdata).set_value(shown(text).c_str());
    return node;
  }

  std::string shown(const Sentence& text) const { return safe(text.in(language)); }

  pugi::xml_node add(const char* name, const Sentence& text, const char* style = nullptr) {
    return add(at, name, text, style);
  }
  void set(pugi::xml_node node, const char* attribute, const Sentence& value) {
    node.append_attribute(attribute).set_value(shown(value).c_str());
  }

  // A link that ends a line leads there.
  void add_line(pugi::xml_node list, const Sentence& line) {
    const std::string text = shown(line);
    const std::size_t begin = text.rfind(' ') + 1;
    const bool is_link = text.compare(begin, 7, "http://") == 0 || text.compare(begin, 8, "https://") == 0;
    pugi::xml_node item = list.append_child("li");
    item.append_child(pugi::node_pcdata).set_value(text.substr(0, is_link ? begin : text.size()).c_str());
    if (!is_link) return;
    pugi::xml_node link = add(item, "a", text.substr(begin));
    set(link, "href", text.substr(begin));
    set(link, "rel", "noreferrer");
  }

  void add_heat_head(pugi::xml_node table, const std::vector<std::string>& columns) {
    constexpr std::size_t wide = 6, fewest = 4;  // columns that a name spans
    if (columns.size() < fewest) return;
    pugi::xml_node row = table.append_child("tr");
    row.append_child("th");
    for (std::size_t i = 0; i < columns.size(); i += wide) {
      const std::size_t span = std::min(wide, columns.size() - i);
      pugi::xml_node name = add(row, "td", span < fewest ? Sentence() : as_is(columns[i]), "head");
      set(name, "colspan", std::to_string(span));
    }
  }

  // The limit stands at four fifths of a bar, so that what is beyond it has room.
  void add_bars(pugi::xml_node parent, const std::vector<Bar>& bars) {
    if (bars.empty()) return;
    pugi::xml_node block = add(parent, "span", "", "bars");
    for (const Bar& one : bars) {
      pugi::xml_node bar = add(block, "span", "", one.used > 1 ? "bar over" : "bar");
      set(bar, "title",
          say({"{}: {} of its tolerance used", "{}：用去容差的 {}"}, one.name, used_words(one.used)));
      const double width = std::clamp(one.used * 80, 0.0, 100.0);
      set(add(bar, "i", ""), "style", fmt::format("width:{:.0f}%", width));
    }
  }

  // A narrow page shows the column's name beside each cell.
  void add_cell(pugi::xml_node row, const Cell& cell, const Sentence& column) {
    pugi::xml_node node = row.append_child("td");
    set(node, "data-name", column);
    if (cell.tone != Tone::plain) set(node, "class", tone_word(cell.tone));
    add_bars(node, cell.bars);
    if (cell.spark) put_spark(node, *cell.spark);
    if (cell.link.empty()) {
      node.append_child(pugi::node_pcdata).set_value(shown(cell.text).c_str());
      return;
    }
    set(add(node, "a", cell.text), "href", "#" + cell.link);
  }

  void add_legend(pugi::xml_node figure, const Chart& chart) {
    pugi::xml_node legend = add(figure, "div", "", "legend");
    for (const LegendWords& one : legend_of(chart)) add(legend, "span", one.text, one.style);
  }

  static Sentence caption_of(const Chart& chart) {
    return join(std::array{as_is(chart.title), chart.of, as_is(chart.unit)}, comma);
  }

  // Labels hold for all charts behind them.
  void add_labels(pugi::xml_node parent, const std::vector<PlaceLabel>& labels) {
    pugi::xml_node data = add(parent, "script", "", "labels");
    set(data, "type", "application/json");
    data.append_child(pugi::node_pcdata).set_value(labels_json(labels).c_str());
  }

  void add_chart(pugi::xml_node parent, const Chart& chart, const ChartBudget& budget,
                 std::vector<PlaceLabel>& labels) {
    const Chart drawn = downsample(chart, budget.places_of(chart));
    if (drawn.labels != labels) add_labels(parent, labels = drawn.labels);
    pugi::xml_node figure = add(parent, "figure", "", chart.red ? "chart red" : "chart");
    add(figure, "figcaption", caption_of(chart));
    pugi::xml_node data = figure.append_child("script");
    set(data, "type", "application/json");
    data.append_child(pugi::node_pcdata).set_value(chart_json(drawn, chart.x.size(), language).c_str());
    if (budget.is_sketched(chart)) put_sketch(figure, chart, language);
    add_legend(figure, chart);
    add(figure, "div", "", "plot");
    if (const Sentence note = chart_note(chart, drawn.x.size()); !note.empty())
      add(figure, "div", note, "note");
  }

  void add_footer() {
    pugi::xml_node footer = document.child("main").append_child("footer");
    if (!has_charts) return;
    pugi::xml_node details = footer.append_child("details");
    add(details, "summary", say({"charts by uPlot, MIT licence", "图表使用 uPlot，MIT 许可证"}));
    details.append_child("pre").append_child(pugi::node_pcdata).set_value(std::string(uplot_licence).c_str());
  }

  std::string body() const {
    std::ostringstream out;
    document.save(out, "",
                  pugi::format_raw | pugi::format_no_declaration | pugi::format_no_empty_element_tags,
                  pugi::encoding_utf8);
    return out.str();
  }
};

HtmlPage::HtmlPage(const Sentence& title, Language language) : state_(std::make_unique<State>()) {
  state_->language = language;
  state_->title = state_->shown(title);
  state_->at = state_->document.append_child("main");
}

HtmlPage::~HtmlPage() = default;

void HtmlPage::heading(const Sentence& text) { state_->add("h2", text); }

void HtmlPage::paragraph(const Sentence& text) { state_->add("p", text); }

void HtmlPage::list(const std::vector<Sentence>& lines) {
  if (lines.empty()) return;
  pugi::xml_node list = state_->add("ul", "");
  for (const Sentence& line : lines) state_->add_line(list, line);
}

void HtmlPage::banner(Tone tone, const Sentence& text) { state_->add("h1", text, tone_word(tone)); }

void HtmlPage::section(std::string_view id, Tone tone, const Sentence& badge, const Sentence& title,
                       const Sentence& rest, Shown shown) {
  pugi::xml_node details = state_->add("details", "", "section");
  state_->set(details, "id", id);
  if (shown == Shown::open) state_->set(details, "open", "open");
  pugi::xml_node summary = details.append_child("summary");
  state_->add(summary, "span", badge, (std::string("badge ") + tone_word(tone)).c_str());
  state_->add(summary, "span", title, "name");
  state_->add(summary, "span", rest, "rest");
  state_->at = state_->add(details, "div", "", "inside");
}

void HtmlPage::section_end() { state_->at = state_->at.parent().parent(); }

void HtmlPage::fold(const Sentence& title, Shown shown) {
  pugi::xml_node details = state_->add("details", "", "fold");
  if (shown == Shown::open) state_->set(details, "open", "open");
  state_->add(details, "summary", title);
  state_->at = details;
}

void HtmlPage::fold_end() { state_->at = state_->at.parent(); }

void HtmlPage::filter() {
  state_->at = state_->add("div", "", "filtered");
  pugi::xml_node input = state_->add("input", "", "filter");
  state_->set(input, "type", "search");
  state_->set(input, "placeholder", say({"filter, e.g. a name or regressed", "筛选，例如名称或“劣化”"}));
  state_->set(input, "aria-label", say({"filter the table", "筛选表格"}));
}

void HtmlPage::filter_end() { state_->at = state_->at.parent(); }

void HtmlPage::table(const std::vector<Sentence>& head, const std::vector<std::vector<Cell>>& rows,
                     Filter filtered) {
  if (filtered == Filter::yes) filter();
  pugi::xml_node table = state_->add("div", "", "wide").append_child("table");
  pugi::xml_node names = table.append_child("thead").append_child("tr");
  for (const Sentence& name : head) state_->add(names, "th", name);
  pugi::xml_node body = table.append_child("tbody");
  for (const auto& cells : rows) {
    pugi::xml_node row = body.append_child("tr");
    for (std::size_t i = 0; i < cells.size(); ++i)
      state_->add_cell(row, cells[i], i < head.size() ? head[i] : Sentence());
  }
  if (filtered == Filter::yes) filter_end();
}

void HtmlPage::heat_map(const std::vector<std::string>& columns, const std::vector<HeatRow>& rows) {
  pugi::xml_node table = state_->add("div", "", "heat").append_child("table");
  state_->add_heat_head(table, columns);
  for (const HeatRow& one : rows) {
    pugi::xml_node row = table.append_child("tr"), name = row.append_child("th");
    if (one.name.link.empty())
      name.append_child(pugi::node_pcdata).set_value(state_->shown(one.name.text).c_str());
    else
      state_->set(state_->add(name, "a", one.name.text), "href", "#" + one.name.link);
    for (const HeatSquare& square : one.squares) {
      pugi::xml_node cell = row.append_child("td");
      if (square.tone != Tone::plain) state_->set(cell, "class", tone_word(square.tone));
      const std::string letter(1, square.letter);
      pugi::xml_node inside =
          square.link.empty() ? state_->add(cell, "span", letter) : state_->add(cell, "a", letter);
      if (!square.link.empty()) state_->set(inside, "href", "#" + square.link);
      if (!square.title.empty()) state_->set(inside, "title", square.title);
    }
  }
}

void HtmlPage::command(const Sentence& word, std::string_view text) {
  pugi::xml_node line = state_->add("div", "", "command");
  state_->add(line, "span", word, "word");
  state_->add(line, "code", as_is(std::string(text)));
  state_->add(line, "button", say({"copy", "复制"}));
}

void HtmlPage::excerpt(const Excerpt& excerpt) {
  state_->add("h2", excerpt.title);
  const std::string line = std::to_string(excerpt.pointed > 0 ? excerpt.pointed : excerpt.first);
  state_->add("p", as_is(excerpt.file + ":" + line), "rest");
  pugi::xml_node block = state_->add("pre", "");
  std::uint32_t number = excerpt.first;
  for (const std::string& text : excerpt.lines) {
    const bool meant = number == excerpt.pointed;
    state_->add(block, "span", as_is(std::to_string(number++) + "  " + text), meant ? "pointed" : nullptr);
    block.append_child(pugi::node_pcdata).set_value("\n");
  }
}

void HtmlPage::charts(const std::vector<Chart>& charts, const ChartBudget& budget) {
  if (charts.empty()) return;
  state_->has_charts = true;
  pugi::xml_node grid = state_->add("div", "", "charts");
  std::vector<PlaceLabel> labels;
  for (const Chart& chart : charts) state_->add_chart(grid, chart, budget, labels);
}

std::string HtmlPage::finish() {
  state_->add_footer();
  pugi::xml_document head;
  pugi::xml_node title = head.append_child("title");
  title.append_child(pugi::node_pcdata).set_value(state_->title.c_str());
  std::ostringstream name;
  head.save(name, "", pugi::format_raw | pugi::format_no_declaration, pugi::encoding_utf8);
  const char* lang = state_->language == Language::chinese ? "zh-CN" : "en";
  std::string page =
      fmt::format("<!doctype html>\n<html lang=\"{}\">\n<head>\n<meta charset=\"utf-8\">\n", lang);
  page += "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n";
  page += fmt::format("<meta http-equiv=\"Content-Security-Policy\" content=\"{}\">\n", policy);
  page += fmt::format("<link rel=\"icon\" href=\"data:,\">\n{}\n", name.str());
  page += element("style", page_css);
  if (state_->has_charts) page += element("style", uplot_css);
  page += "</head>\n<body>\n" + state_->body() + "\n";
  if (state_->has_charts) page += element("script", uplot_js);
  return page + element("script", page_js) + "</body>\n</html>\n";
}

}  // namespace gate::render
