#include "render/html/html_page.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <pugixml.hpp>

#include "gate/base/text.h"
#include "render/html/chart_json.h"
#include "render/html/chart_words.h"
#include "render/html/page_assets.h"
#include "render/html/sketch.h"
#include "render/words/check_words.h"
#include "render/words/downsample.h"
#include "render/words/text_page.h"

namespace gate::render {

namespace {

constexpr const char* policy =
    "default-src 'none'; style-src 'unsafe-inline'; script-src 'unsafe-inline'; img-src data:; base-uri "
    "'none'; form-action 'none'";

constexpr std::array<const char*, 4> tones{"plain", "good", "bad", "warn"};

const char* tone_word(Tone tone) { return tones[static_cast<std::size_t>(tone)]; }

bool is_plain_in_link(char c) {
  return is_letter_or_digit(c) || std::string_view("-._~/").find(c) != std::string_view::npos;
}

// A part of the file that is no text of anybody's.
std::string element(std::string_view name, std::string_view content) {
  return fmt::format("<{0}>\n{1}\n</{0}>\n", name, content);
}

}  // namespace

void ChartBudget::next(const std::vector<Chart>& charts) {
  const std::size_t share = values_ / std::max<std::size_t>(left_, 1);
  std::size_t gated = 0, other = 0, used = 0;
  const auto series_of = [](const Chart& chart) {
    return chart.curves.size() + (chart.low.empty() ? 0U : 1U) + (chart.high.empty() ? 0U : 1U);
  };
  for (const Chart& chart : charts) (chart.checked ? gated : other) += series_of(chart);
  gated_places_ = std::min(most_places, share / std::max<std::size_t>(gated, 1));
  const std::size_t rest = share - std::min(share, gated_places_ * gated);
  other_places_ = std::min(most_places, rest / std::max<std::size_t>(other, 1));
  for (const Chart& chart : charts) used += series_of(chart) * std::min(places_of(chart), chart.x.size());
  values_ -= std::min(values_, used);
  left_ -= std::min<std::size_t>(left_, 1);
  charts_ = charts.size();
}

std::size_t ChartBudget::places_of(const Chart& chart) const {
  return chart.checked ? gated_places_ : other_places_;
}

bool ChartBudget::is_sketched(const Chart& chart) const {
  constexpr std::size_t few_charts = 200;
  return chart.checked || charts_ * cases_ <= few_charts;
}

namespace {

struct PageWriter : pugi::xml_writer {
  explicit PageWriter(std::string& page) : page_(page) {}
  void write(const void* data, std::size_t size) override {
    page_.append(static_cast<const char*>(data), size);
  }
  std::string& page_;
};

// Takes over what stands in the document, as text behind the page.
void write_out(pugi::xml_document& document, std::string& page) {
  PageWriter writer(page);
  document.save(writer, "",
                pugi::format_raw | pugi::format_no_declaration | pugi::format_no_empty_element_tags,
                pugi::encoding_utf8);
  document.reset();
}

}  // namespace

struct HtmlPage::State {
  Language language = Language::english;
  std::string title;
  std::string page;  // what is written already
  pugi::xml_document document;
  std::vector<const char*> closing;  // what ends each element that is open
  bool has_charts = false;

  // What was put last stays open, as far as that text ends it.
  void open(const char* end) {
    write_out(document, page);
    page.resize(page.size() - std::string_view(end).size());
    closing.push_back(end);
  }
  void close() {
    write_out(document, page);
    page += closing.back();
    closing.pop_back();
  }

  pugi::xml_node add(pugi::xml_node parent, const char* name, const Sentence& text,
                     const char* style = nullptr) {
    pugi::xml_node node = parent.append_child(name);
    if (style != nullptr) node.append_attribute("class").set_value(style);
    if (!text.empty()) node.append_child(pugi::node_pcdata).set_value(shown(text).c_str());
    return node;
  }

  std::string shown(const Sentence& text) const { return safe(text.in(language)); }

  pugi::xml_node add(const char* name, const Sentence& text, const char* style = nullptr) {
    return add(document, name, text, style);
  }
  void set(pugi::xml_node node, const char* attribute, const Sentence& value) {
    node.append_attribute(attribute).set_value(shown(value).c_str());
  }

  // Names may hold anything.
  std::string in_link(const std::string& text) const {
    std::string link;
    for (const char c : shown(text))
      link += is_plain_in_link(c) ? std::string(1, c) : fmt::format("%{:02X}", int{c} & 255);
    return link;
  }
  std::string link_to(const std::string& id) const { return "#" + in_link(id); }

  void add_head(pugi::xml_node parent, const char* scope, const Sentence& text) {
    set(add(parent, "th", text), "scope", scope);
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

  void add_pointed(pugi::xml_node block, const std::string& number, const std::string& text,
                   const WordPlace& value) {
    pugi::xml_node line = add(block, "span", as_is(number + text.substr(0, value.at)), "pointed");
    if (value.size > 0) add(line, "mark", as_is(text.substr(value.at, value.size)));
    line.append_child(pugi::node_pcdata).set_value(shown(as_is(text.substr(value.at + value.size))).c_str());
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
    if (cell.order) set(node, "data-order", fmt::format("{:.6g}", *cell.order));
    add_bars(node, cell.bars);
    if (cell.spark) put_spark(node, *cell.spark);
    if (cell.link.empty()) {
      node.append_child(pugi::node_pcdata).set_value(shown(cell.text).c_str());
      return;
    }
    set(add(node, "a", cell.text), "href", link_to(cell.link));
  }

  void add_legend(pugi::xml_node figure, const Chart& chart) {
    pugi::xml_node legend = add(figure, "div", "", "legend");
    for (const LegendWords& one : legend_of(chart)) add(legend, "span", one.text, one.style.c_str());
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
    pugi::xml_node footer = document.append_child("footer");
    if (!has_charts) return;
    pugi::xml_node details = footer.append_child("details");
    add(details, "summary", say({"charts by uPlot, MIT licence", "图表使用 uPlot，MIT 许可证"}));
    details.append_child("pre").append_child(pugi::node_pcdata).set_value(std::string(uplot_licence).c_str());
  }
};

HtmlPage::HtmlPage(const Sentence& title, Language language) : state_(std::make_unique<State>()) {
  state_->language = language;
  state_->title = state_->shown(title);
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
  state_->add(details, "div", "", "inside");
  state_->open("</div></details>");
}

void HtmlPage::section_end() { state_->close(); }

void HtmlPage::fold(const Sentence& title, Shown shown) {
  pugi::xml_node details = state_->add("details", "", "fold");
  if (shown == Shown::open) state_->set(details, "open", "open");
  state_->add(details, "summary", title);
  state_->open("</details>");
}

void HtmlPage::fold_end() { state_->close(); }

void HtmlPage::filter() {
  pugi::xml_node block = state_->add("div", "", "filtered");
  pugi::xml_node input = state_->add(block, "input", "", "filter");
  state_->set(input, "type", "search");
  state_->set(input, "placeholder", say({"filter, e.g. a name or regressed", "筛选，例如名称或“劣化”"}));
  state_->set(input, "aria-label", say({"filter the table", "筛选表格"}));
  state_->open("</div>");
}

void HtmlPage::filter_end() { state_->close(); }

void HtmlPage::table(const std::vector<Sentence>& head, const std::vector<std::vector<Cell>>& rows,
                     Filter filtered) {
  if (filtered == Filter::yes) filter();
  pugi::xml_node table = state_->add("div", "", "wide").append_child("table");
  pugi::xml_node names = table.append_child("thead").append_child("tr");
  for (const Sentence& name : head) state_->add_head(names, "col", name);
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
    state_->set(name, "scope", "row");
    if (one.name.link.empty())
      name.append_child(pugi::node_pcdata).set_value(state_->shown(one.name.text).c_str());
    else
      state_->set(state_->add(name, "a", one.name.text), "href", state_->link_to(one.name.link));
    for (const HeatSquare& square : one.squares) {
      pugi::xml_node cell = row.append_child("td");
      if (square.tone != Tone::plain) state_->set(cell, "class", tone_word(square.tone));
      const std::string letter(1, square.letter);
      pugi::xml_node inside =
          square.link.empty() ? state_->add(cell, "span", letter) : state_->add(cell, "a", letter);
      if (!square.link.empty()) state_->set(inside, "href", state_->link_to(square.link));
      if (!square.title.empty()) state_->set(inside, "title", square.title);
    }
  }
}

void HtmlPage::link(const Sentence& text, const std::string& path) {
  pugi::xml_node line = state_->add("p", "");
  state_->set(state_->add(line, "a", text), "href", state_->in_link(path));
}

void HtmlPage::command(const Sentence& word, std::string_view text) {
  pugi::xml_node line = state_->add("div", "", "command");
  state_->add(line, "span", word, "word");
  state_->add(line, "code", as_is(std::string(text)));
  const Sentence copy = say({"copy", "复制"});
  state_->set(state_->add(line, "button", copy), "aria-label", copy + colon + as_is(std::string(text)));
}

void HtmlPage::excerpt(const Excerpt& excerpt) {
  state_->add("h2", excerpt.title);
  const std::string line = std::to_string(excerpt.pointed > 0 ? excerpt.pointed : excerpt.first);
  state_->add("p", as_is(excerpt.file + ":" + line), "rest");
  pugi::xml_node block = state_->add("pre", "", "excerpt");
  std::uint32_t number = excerpt.first;
  for (const std::string& text : excerpt.lines) {
    const std::string name = std::to_string(number) + "  ";
    if (number++ == excerpt.pointed)
      state_->add_pointed(block, name, text, word_saying(excerpt.value, text));
    else
      state_->add(block, "span", as_is(name + text));
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

void HtmlPage::append(HtmlPage&& other) {
  write_out(state_->document, state_->page);
  write_out(other.state_->document, other.state_->page);
  state_->page += other.state_->page;
  other.state_->page = {};
  state_->has_charts |= other.state_->has_charts;
}

std::string HtmlPage::finish() {
  state_->add_footer();
  write_out(state_->document, state_->page);
  state_->add("title", state_->title);
  std::string name;
  write_out(state_->document, name);
  const char* lang = state_->language == Language::chinese ? "zh-CN" : "en";
  std::string page =
      fmt::format("<!doctype html>\n<html lang=\"{}\">\n<head>\n<meta charset=\"utf-8\">\n", lang);
  page += "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n";
  page += fmt::format("<meta http-equiv=\"Content-Security-Policy\" content=\"{}\">\n", policy);
  page += fmt::format("<link rel=\"icon\" href=\"data:,\">\n{}\n", name);
  page += element("style", page_css);
  if (state_->has_charts) page += element("style", uplot_css);
  page += "</head>\n<body>\n<main>" + state_->page + "</main>\n";
  state_->page = {};
  if (state_->has_charts) page += element("script", uplot_js);
  return page + element("script", page_js) + "</body>\n</html>\n";
}

}  // namespace gate::render
