#include "cli/screen/terminal.h"

#include <sys/ioctl.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <thread>

#include "cli/options/commands.h"
#include "cli/world/signals.h"
#include "cli/world/stores_reached.h"
#include "cli/world/world.h"
#include "gate/base/columns.h"
#include "gate/base/fs.h"
#include "gate/base/log.h"
#include "gate/base/object_place.h"
#include "gate/base/text.h"
#include "gate/base/variables.h"
#include "gate/places/written_places.h"
#include "gate/publish/ci.h"
#include "gate/publish/notify.h"
#include "gate/render/table_json.h"
#include "gate/suite/suite_masker.h"

namespace gate::cli {

namespace {

render::Color color_of(const std::string& choice) {
  if (choice == "always") return render::Color::yes;
  const bool wanted = choice == "auto" && isatty(STDOUT_FILENO) && own_variable("NO_COLOR").empty();
  return wanted ? render::Color::yes : render::Color::no;
}

// Of the locale: `zh_CN.UTF-8` and `zh` are Chinese, `zh_CN.GB18030` is not, whose bytes gate does not write.
bool is_chinese(std::string locale) {
  locale = to_lower(locale.substr(0, locale.find('@')));
  const std::size_t dot = std::min(locale.find('.'), locale.size());
  const std::string name = locale.substr(0, dot), charset = locale.substr(dot);
  const bool is_utf8 = charset.empty() || charset == ".utf-8" || charset == ".utf8";
  return is_utf8 && (name == "zh" || name.starts_with("zh_"));
}

}  // namespace

Language language_of(const CommandOptions& options) {
  std::string language = options.language;
  for (const char* name : {"LC_ALL", "LC_MESSAGES", "LANG"})
    if (language.empty()) language = own_variable(name);
  return is_chinese(language) ? Language::chinese : Language::english;
}

namespace {

// What goes into a pipe or a device is no file that could be opened.
void tell_written(const std::string& path, Language language) {
  if (!is_object_place(path) && !fs::is_replaceable(path)) return;
  log::info(say({"written: {}", "已写出：{}"}, printable(path, 1000)).in(language));
}

std::size_t lines_of_terminal() {
  winsize size{};
  return ::ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_row > 2 ? size.ws_row : 24;
}

// What is left out is said in the last line.
std::string first_lines(const std::string& text, std::size_t most, Language language) {
  const std::vector<std::string_view> lines = split(text, '\n');  // behind the last newline is nothing
  if (lines.size() <= most + 1) return text;
  std::string out;
  for (std::size_t i = 0; i + 1 < most; ++i) out += std::string(lines[i]) + "\n";
  return out + say({"and {} more lines\n", "以及另外 {} 行\n"}, lines.size() - most).in(language);
}

// The suite says how stores are reached.
Status upload_report(const CommandOptions& options, const std::string& url, const std::string& text) {
  const app::Answer<app::Suite> suite = suite_if_any(options);
  if (!suite) return gate::fail(suite.error().message);
  GATE_TRY(ObjectPlace place, parse_object_place(url));
  GATE_TRY(const auto store, open_store(*suite, place, must_hurry));
  const auto stored = store->put_text(text, place.key);
  return stored ? Status() : gate::fail(stored.error().message);
}

}  // namespace

Terminal::Terminal(const CommandOptions& options) : bisect_(options.bisect) {
  style_.color = color_of(options.color);
  winsize size{};
  const bool is_known = ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col > 0;
  style_.width = is_known ? std::max<int>(40, size.ws_col) : 0;  // 0: lines that are searched stay whole
  style_.language = language_of(options);
  style_.links = publish::ci_links();
  style_.quiet = options.verbosity < 0;
  style_.verbose = options.verbosity > 0;
  std::error_code unknown;
  style_.folder = std::filesystem::current_path(unknown).string();
  log::set_level(options.verbosity < 0   ? log::Level::quiet
                 : options.verbosity > 0 ? log::Level::verbose
                                         : log::Level::normal);
}

void Terminal::print(std::string_view text) {
  if (std::fwrite(text.data(), 1, text.size(), stdout) != text.size()) broken_ = true;
}

bool Terminal::flush() {
  if (std::fflush(stdout) != 0) broken_ = true;
  return !broken_;
}

app::Answer<int> Terminal::print_again(bool draws, Duration every,
                                       const std::function<app::Answer<std::optional<std::string>>()>& next) {
  constexpr std::string_view clear = "\x1b[H\x1b[2J";
  constexpr Duration look_every{50};  // for a signal
  catch_signals();
  while (!caught_signal()) {
    GATE_TRY(const std::optional<std::string> text, next());
    if (!text) return exit_code::ok;
    if (draws)
      print(std::string(clear) + first_lines(*text, lines_of_terminal() - 1, style_.language));
    else
      print(*text);
    if (!flush()) return exit_code::ok;
    const auto end = SteadyClock::now() + every;
    while (!caught_signal() && SteadyClock::now() < end) std::this_thread::sleep_for(look_every);
  }
  return exit_code::ok;
}

int Terminal::fail(const app::Failure& failure) {
  log::settle();
  log::error(failure.message);
  return failure.exit_code;
}

int Terminal::write(const Report& report, const CommandOptions& options) {
  log::settle();
  const Status written = publisher_of(options).write(report);
  if (written) {
    for (const publish::ReportFile& file : report_files(options))
      tell_written(file.path, language_of(options));
    return report.exit_code;
  }
  log::error(written.error().message);
  return report.exit_code == 0 ? exit_code::infra : report.exit_code;
}

int Terminal::finish(Report report, const CommandOptions& options) {
  report.exit_code = write(report, options);
  print(options.json ? inert(render::json(report, style_)) : render::text(report, style_));
  const bool for_ci = !options.reports.no_ci && !options.dry_run;
  if (flush() && for_ci && (report.command == "run" || report.command == "check"))
    publish::report_to_ci(report, style_,
                          options.json ? publish::ErrorOutput::kept : publish::ErrorOutput::shared);
  return report.exit_code;
}

void notify_receivers(const app::Suite& suite, const Report& report, const CommandOptions& options) {
  if (options.reports.no_ci || options.dry_run || options.bisect) return;
  publish::notify(suite.policy.receivers(), report, app::masker_for(suite),
                  {[] { return caught_signal().has_value(); }, must_hurry});
}

int Terminal::close(int exit_code) {
  flush();
  const bool untested = exit_code == exit_code::usage || exit_code == exit_code::refused;
  return (broken_ && exit_code == 0) || (bisect_ && untested) ? exit_code::infra : exit_code;
}

app::Answer<void> write_reports(const CommandOptions& options, std::initializer_list<ReportText> texts) {
  for (const ReportWord& word : options.reports.files) {
    const auto* const one = std::ranges::find(texts, word.kind, &ReportText::kind);
    if (one == texts.end()) continue;
    const Status written = is_object_place(word.file) ? upload_report(options, word.file, one->text())
                                                      : fs::write_output(word.file, one->text());
    if (!written) return app::infra(written.error());
    tell_written(word.file, language_of(options));
  }
  return {};
}

std::vector<publish::ReportFile> report_files(const CommandOptions& options) {
  std::vector<publish::ReportFile> files;
  for (const ReportWord& word : options.reports.files)
    files.push_back({word.file, render::find_reporter(word.kind)->render});
  return files;
}

bool wants_charts(const CommandOptions& options) {
  return std::ranges::any_of(options.reports.files, [](const ReportWord& word) {
    return render::find_reporter(word.kind)->needs == render::Needs::charts;
  });
}

publish::Publisher publisher_of(const CommandOptions& options) {
  render::Style style;
  style.verbose = options.verbosity > 0;
  style.language = language_of(options);
  style.links = publish::ci_links();
  return {report_files(options), style, [&options](const std::string& place, const std::string& text) {
            return upload_report(options, place, text);
          }};
}

app::Answer<void> check_outputs(const CommandOptions& options, const app::Suite& suite) {
  const std::vector<publish::ReportFile> files = report_files(options);
  if (const Status checked = publish::check(files, options.run.out); !checked)
    return app::usage(checked.error());
  const auto paths = texts_of(files, &publish::ReportFile::path);
  GATE_TRY_STATUS(app::check_reports(suite, paths, options.run.out, [&](const std::string& place) {
    return identity_of_object(suite, place);
  }));
  if (!options.run.out.empty() && !options.dry_run && !fs::exists(options.run.out))
    log::info(say({"--out {}: no such folder yet; it is made", "--out {}：目录尚不存在，将会创建"},
                  printable(options.run.out, 1000))
                  .in(language_of(options)));
  return {};
}

int do_command(const CommandOptions& options, Terminal& terminal) {
  const auto row = std::ranges::find(commands(), options.command, &CommandRow::name);
  const app::Answer<int> code = (options.version ? version_command : *row->run)(options, terminal);
  return terminal.close(code ? *code : terminal.fail(code.error()));
}

std::string table_output(const TableRows& rows, const CommandOptions& options, const render::Style& style) {
  if (options.json) return render::table_json(rows);
  return options.format == "markdown" ? render::markdown_table(rows, style.language)
                                      : render::table(rows, style);
}

}  // namespace gate::cli
