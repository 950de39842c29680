#include "app/run/post_launch.h"

#include <system_error>

#include "app/run/artifacts.h"
#include "gate/base/text.h"
#include "gate/extract/last_lines.h"

namespace gate::app {

namespace {

using Sources = std::vector<extract::LastLines>;

constexpr std::uintmax_t most_of_log = 256 << 10;

// The end of a log that may be large.
Sources log_end(const fs::Path& log) {
  std::error_code error;
  const std::uintmax_t size = std::filesystem::file_size(log, error);
  const std::uintmax_t from = error || size < most_of_log ? 0 : size - most_of_log;
  return extract::last_lines(fs::read_from(log, from).value_or(""), from == 0);
}

std::string last_words(const Sources& sources) {
  if (sources.empty()) return "";
  const extract::LastLines& latest = sources.back();
  return (latest.source.empty() ? "" : latest.source + ": ") + latest.lines.back();
}

std::string evidence_text(const std::string& what, const Sources& sources,
                          const std::vector<std::string>& processes) {
  std::string text = what + "\n\nlast lines\n";
  for (const extract::LastLines& of : sources) {
    if (!of.source.empty()) text += "  " + printable(of.source) + "\n";
    for (const std::string& line : of.lines) text += "    " + line + "\n";
  }
  text += "\nprocesses just before they were stopped\n";
  for (const std::string& line : processes) text += line + "\n";
  return text;
}

void keep_evidence(const LaunchContext& context, const LaunchFolders& folders, const launch::Ending& ending,
                   const Sources& sources, LaunchResult& launched) {
  if (ending.evidence.empty()) return;
  const fs::Path file = folders.folder / "evidence.txt";
  const std::string text = evidence_text(to_string(ending.outcome), sources, ending.evidence);
  const Status written = fs::write_file(file, context.masker.mask(text));
  written ? void(launched.artifacts["evidence"] = file.string())
          : launched.problems.push_back(written.error().message);
}

void keep_files(const LaunchContext& context, const PlannedCase& planned, const LaunchFolders& folders,
                LaunchResult& launched) {
  const fs::Path into = folders.folder / "artifacts";
  const Source source{context.suite.cwd, folders.scratch(), folders.launched};
  const Kept kept = keep_artifacts(planned.spec->settings.artifacts, source, into);
  if (kept.files > 0) launched.artifacts["artifacts"] = into.string();
  if (kept.files > 0 && context.masker.has_secrets())
    launched.extraction.notes.emplace_back("artifacts: kept as the script wrote them, not masked");
  launched.problems.insert(launched.problems.end(), kept.problems.begin(), kept.problems.end());
}

void remove_scratch(const LaunchFolders& folders, LaunchResult& launched) {
  std::error_code error;
  std::filesystem::remove_all(folders.scratch(), error);
  if (error)
    launched.problems.push_back(folders.scratch().string() + ": cannot be removed: " + error.message());
}

}  // namespace

void clear_up(const LaunchContext& context, const PlannedCase& planned, const LaunchFolders& folders,
              const launch::Ending& ending, LaunchResult& launched) {
  const Sources sources = ended_well(launched.outcome) ? Sources{} : log_end(folders.log());
  launched.last_words = last_words(sources);
  keep_evidence(context, folders, ending, sources, launched);
  keep_files(context, planned, folders, launched);
  remove_scratch(folders, launched);
}

}  // namespace gate::app
