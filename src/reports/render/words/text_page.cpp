#include "render/words/text_page.h"

#include <algorithm>
#include <array>
#include <utility>

#include "gate/base/text.h"

namespace gate::render {

namespace {

constexpr int most_columns = 2000;  // of a line
constexpr int run_columns = 100;    // an id is shorter; a report file from outside may say anything

std::vector<std::string> shortened(std::string_view lines) {
  std::vector<std::string> out;
  for (const std::string_view line : split(lines, '\n')) out.push_back(cut(line, most_columns) + "\n");
  if (out.back() == "\n") out.pop_back();
  return out;
}

std::string note(std::size_t lines, std::string_view where) {
  return "and " + count_of(static_cast<std::int64_t>(lines), "line") + " more: " + std::string(where) + "\n";
}

// Return how many of the lines take at most so many bytes together.
std::size_t fitting_lines(const std::vector<std::string>& lines, std::size_t most) {
  std::size_t used = 0, count = 0;
  while (count < lines.size() && used + lines[count].size() <= most) used += lines[count++].size();
  return count;
}

std::string joined(const std::vector<std::string>& lines, std::size_t count) {
  std::string out;
  for (std::size_t i = 0; i < count; ++i) out += lines[i];
  return out;
}

constexpr int least_width = 40;
constexpr int no_limit = 1'000'000;
constexpr std::array<std::string_view, 4> codes{"", "\x1b[1;31m", "\x1b[32m", "\x1b[33m"};

// The command as pieces that begin with ` --`, or with its beginning. What is quoted, as '...', "..." or
// $'...', stays in one piece.
std::vector<std::string> parts_of_command(const std::string& text) {
  std::vector<std::string> parts{""};
  char quote = 0;
  bool escapes = true;  // a backslash takes the next character with it
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (quote == 0 && text.compare(i, 3, " --") == 0) parts.emplace_back();
    parts.back() += text[i];
    if (escapes && text[i] == '\\' && i + 1 < text.size()) {
      parts.back() += text[++i];
    } else if (quote == 0 && (text[i] == '\'' || text[i] == '"')) {
      quote = text[i];
      escapes = quote == '"' || (i > 0 && text[i - 1] == '$');
    } else if (text[i] == quote) {
      quote = 0;
      escapes = true;
    }
  }
  return parts;
}

}  // namespace

std::string cut(std::string_view text, int width) {
  if (columns(text) <= width) return std::string(text);
  return std::string(text.substr(0, fitting(text, std::max(0, width - 3)))) + "...";
}

std::string upper(std::string_view text) {
  std::string out(text);
  for (char& c : out)
    if (c >= 'a' && c <= 'z') c = static_cast<char>(c - 'a' + 'A');
  return out;
}

std::string pad(std::string_view text, int width) {
  return std::string(text) + std::string(static_cast<std::size_t>(std::max(0, width - columns(text))), ' ');
}

Sentence padded(const Sentence& text, int width) {
  return text.with([&](const std::string& in) { return pad(in, width); });
}

std::vector<std::string> wrap(std::string_view text, int width, int hang, Language language) {
  std::vector<std::string> lines;
  std::string line;
  const std::string indent(static_cast<std::size_t>(hang), ' ');
  while (!text.empty()) {
    const std::size_t gap = std::min(text.find_first_not_of(' '), text.size());
    const std::size_t end = language == Language::english || gap == text.size()
                                ? std::min(text.find(' ', gap), text.size())
                                : gap + unbroken_bytes(text.substr(gap));
    const bool holds_words = line.find_first_not_of(' ') != std::string::npos;
    if (holds_words && columns(line) + columns(text.substr(0, end)) > width) {
      lines.push_back(std::exchange(line, indent));
      text.remove_prefix(gap);
      continue;
    }
    line += text.substr(0, end);
    text.remove_prefix(end);
    for (std::size_t fit; (fit = fitting(line, width)) < line.size();) {
      lines.push_back(line.substr(0, fit));
      line = indent + line.substr(fit);
    }
  }
  lines.push_back(line);
  return lines;
}

std::string bounded(std::string_view lines, std::size_t most, std::string_view where) {
  const std::vector<std::string> all = shortened(lines);
  if (fitting_lines(all, most) == all.size()) return joined(all, all.size());
  const std::size_t noted = note(all.size(), where).size();
  if (noted > most) return joined(all, fitting_lines(all, most));
  const std::size_t kept = fitting_lines(all, most - noted);
  return joined(all, kept) + note(all.size() - kept, where);
}

std::string whole_lines(std::string_view lines, std::size_t most) {
  std::string out;
  for (const std::string_view line : split(lines, '\n'))
    if (!line.empty() && out.size() + line.size() < most) out += std::string(line) + "\n";
  return out;
}

Sentence where_all_is(const Report& report) {
  if (report.run.empty()) return say({"--report json=F writes all of it", "--report json=F 可写出全部内容"});
  return as_is("gate -v report " + cut(safe(report.run), run_columns));
}

int usable_width(const Style& style) {
  return style.width <= 0 ? no_limit : std::max(style.width, least_width);
}

TextPage::TextPage(const Style& style)
    : color_(style.color),
      width_(usable_width(style)),
      language_(style.language),
      folder_(style.folder.empty() ? "" : style.folder + "/") {}

void TextPage::wrapped(const Sentence& text, int hang) {
  for (const std::string& line : wrap(shown(text), width_, hang, language_)) text_ += inert(line) + "\n";
}

void TextPage::titled(TextColor color, const Sentence& word, const Sentence& rest, int hang) {
  const std::string start = shown(word), gap = rest.empty() || start.ends_with("：") ? "" : " ";
  bool first = true;
  for (const std::string& line : wrap(start + gap + shown(rest), width_, hang, language_)) {
    text_ += (first ? painted(color, start, inert(line)) : inert(line)) + "\n";
    first = false;
  }
}

void TextPage::begun(TextColor color, const Sentence& title, const Sentence& line) {
  const std::string start = shown(title);
  for (const std::string& part : wrap(shown(line), width_, 2, language_))
    text_ += painted(color, start, inert(part)) + "\n";
}

void TextPage::labelled(const Sentence& label, int label_width, const Sentence& text) {
  const std::string start = "  " + pad(shown(label), label_width);
  const int hang = columns(start);
  for (const std::string& line : wrap(start + shown(text), width_, hang, language_))
    text_ += inert(line) + "\n";
}

void TextPage::one_line(TextColor color, const Sentence& word, const Sentence& middle, const Sentence& tail) {
  const std::string end = tail.empty() ? "" : "  " + shown(tail), first = shown(word);
  const std::string start = first + " " + shown(middle);
  text_ += painted(color, first, inert(cut(start, width_ - columns(end)) + end)) + "\n";
}

void TextPage::kept(std::string_view text) { text_ += inert(safe(without_folder(text))) + "\n"; }

// Blanks at its end make up for what is wider in another language.
std::string TextPage::in_columns(std::string text, int width) {
  while (columns(text) > width && text.ends_with("  ")) text.pop_back();
  return pad(text.ends_with(' ') ? text : text + " ", width);
}

void TextPage::command(const Sentence& word, std::string_view text) {
  const std::string start = in_columns(shown(word), columns(word.english()));
  std::string line = start;
  const bool is_path = text.starts_with(folder_);
  for (const std::string& part : parts_of_command(safe(is_path ? without_folder(text) : text))) {
    const bool fits = columns(line) + columns(part) + 2 <= width_ || trim(line) == trim(start);
    if (!fits) text_ += inert(line) + " \\\n";
    line = fits ? line + part : std::string(word.english().size() + 2, ' ') + std::string(trim(part));
  }
  text_ += inert(line) + "\n";
}

// Paths are told from the folder where they stand as words of their own.
std::string TextPage::without_folder(std::string_view text) const {
  std::string all(text);
  if (folder_.empty()) return all;
  for (std::size_t at = 0; (at = all.find(folder_, at)) != std::string::npos;)
    if (at == 0 || all[at - 1] == ' ' || !is_plain(all.substr(at - 1, 1)))
      all.erase(at, folder_.size());
    else
      ++at;
  return all;
}

std::string TextPage::shown(const Sentence& text) const { return safe(without_folder(text.in(language_))); }

std::string TextPage::painted(TextColor color, std::string_view word, const std::string& line) const {
  if (color_ == Color::no || color == TextColor::plain || !line.starts_with(word)) return line;
  return std::string(codes.at(static_cast<std::size_t>(color))) + std::string(word) + "\x1b[0m" +
         line.substr(word.size());
}

}  // namespace gate::render
