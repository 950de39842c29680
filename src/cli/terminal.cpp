#include "cli/terminal.h"

#include <sys/ioctl.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <set>

#include "cli/ci.h"
#include "gate/app/run.h"
#include "gate/base/columns.h"
#include "gate/base/fs.h"
#include "gate/base/log.h"

namespace gate::cli {

namespace {

render::Color color_of(const std::string& choice) {
  if (choice == "always") return render::Color::yes;
  const char* no_color = std::getenv("NO_COLOR");
  const bool wanted = choice == "auto" && isatty(STDOUT_FILENO) && (no_color == nullptr || *no_color == '\0');
  return wanted ? render::Color::yes : render::Color::no;
}

// 0, no limit, where the output is no terminal: lines that are searched stay whole.
int width_of_output() {
  winsize size{};
  if (ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col > 0) return std::max<int>(40, size.ws_col);
  return 0;
}

struct ReportFile {
  std::string path;
  std::string (*render)(const Report& report, const render::Style& style);
};

std::vector<ReportFile> report_files(const Options& options) {
  std::vector<ReportFile> files{{options.junit, render::junit},
                                {options.html, render::html},
                                {options.markdown, render::markdown},
                                {options.openmetrics, render::openmetrics},
                                {options.json_file, render::json}};
  std::erase_if(files, [](const ReportFile& file) { return file.path.empty(); });
  return files;
}

bool tells_ci(const Report& report, const Options& options) {
  return !options.no_ci && !options.dry_run && (report.command == "run" || report.command == "check");
}

}  // namespace

Terminal::Terminal(const Options& options) : bisect_(options.bisect) {
  style_.color = color_of(options.color);
  style_.width = width_of_output();
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

int Terminal::fail(const app::Failure& failure) {
  log::settle();
  log::error(failure.message);
  return failure.exit_code;
}

int Terminal::finish(Report report, const Options& options) {
  log::settle();
  if (const Status written = write_report_files(report, options); !written) {
    log::error(written.error().message);
    if (report.exit_code == 0) report.exit_code = exit_code::infra;
  }
  print(options.json ? inert(render::json(report, style_)) : render::text(report, style_));
  if (flush() && tells_ci(report, options))
    tell_ci(report, options.json ? ErrorOutput::kept : ErrorOutput::shared);
  return report.exit_code;
}

int Terminal::close(int exit_code) {
  if (std::fflush(stdout) != 0) broken_ = true;
  const bool untested = exit_code == exit_code::usage || exit_code == exit_code::refused;
  return (broken_ && exit_code == 0) || (bisect_ && untested) ? exit_code::infra : exit_code;
}

app::Answer<void> check_outputs(const Options& options, const app::Suite& suite) {
  std::vector<std::string> paths;
  std::set<fs::Path> files;
  for (const ReportFile& report : report_files(options)) {
    const std::string& path = paths.emplace_back(report.path);
    if (const Status checked = fs::check_output(path); !checked) return app::usage(checked.error());
    std::error_code unknown;
    const fs::Path file =
        std::filesystem::weakly_canonical(std::filesystem::absolute(path, unknown), unknown);
    if (fs::is_replaceable(path) && !files.insert(file).second)
      return app::usage(path + ": two reports are to be written there; name a file for each");
  }
  return app::check_reports(suite, paths, options.out);
}

Status write_report_files(const Report& report, const Options& options, ReportFiles which) {
  render::Style style;
  style.verbose = options.verbosity > 0;
  for (const ReportFile& file : report_files(options)) {
    if (which == ReportFiles::replaceable && !fs::is_replaceable(file.path)) continue;
    if (Status written = fs::write_output(file.path, file.render(report, style)); !written) return written;
  }
  return {};
}

}  // namespace gate::cli
