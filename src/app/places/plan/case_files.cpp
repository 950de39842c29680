#include "places/plan/case_files.h"

#include <fmt/format.h>

#include <set>

#include "gate/config/sourced_files.h"
#include "gate/suite/told_places.h"

namespace gate::app {

namespace {

// Finds the files that are read in, each once.
class SourcedFiles {
 public:
  SourcedFiles(const fs::Path& root, fs::Path cwd) : root_(root), cwd_(std::move(cwd)) {}

  // Add those that the text, which lies in the folder, reads in.
  void add(const std::string& text, const fs::Path& folder) {
    for (const std::string& name : config::sourced_files(text)) {
      try_file(cwd_ / name);
      for (fs::Path at = folder;; at = at.parent_path()) {
        try_file(at / name);
        if (at == root_ || !at.has_relative_path()) break;
      }
    }
  }

  const std::string& found() const { return found_; }

 private:
  void try_file(const fs::Path& path) {
    const fs::Path file = path.lexically_normal();
    constexpr std::size_t longest = 1 << 20;  // no script is longer
    const Result<std::string> text = fs::read_regular(file, longest);
    if (!text || !seen_.insert(file).second) return;
    found_ += file.lexically_relative(root_).string() + " " + fs::sha256(*text) + "\n";
    add(*text, file.parent_path());
  }

  const fs::Path& root_;
  fs::Path cwd_;
  std::set<fs::Path> seen_;
  std::string found_;
};

std::string identity_of_file(const fs::Path& file) {
  constexpr std::uintmax_t most_read = 1 << 20;
  const std::uintmax_t size = fs::size_of(file);
  if (size <= most_read) return fs::sha256(fs::read_regular(file, most_read).value_or(""));
  std::error_code unknown;
  const auto written = std::filesystem::last_write_time(file, unknown).time_since_epoch().count();
  return fmt::format("{} {}", size, written);
}

}  // namespace

std::string sourced_text(const Suite& suite, const config::Case& spec, const std::string& script) {
  if (spec.kind != config::CaseKind::script || spec.script.empty()) return "";
  SourcedFiles files(suite.root, spec.cwd);
  files.add(script, (suite.root / spec.script).parent_path());
  return files.found();
}

std::string downloaded_text(const Suite& suite, const config::Case& spec) {
  std::string text;
  for (const std::string& place : downloaded_places(suite, spec)) text += place + "\n";
  for (const fs::Path& path : downloaded_paths(suite, spec)) {
    if (!fs::is_folder(path)) text += path.string() + " " + identity_of_file(path) + "\n";
    for (const std::string& file : fs::files_below(path))
      text += (path / file).string() + " " + identity_of_file(path / file) + "\n";
  }
  return text;
}

}  // namespace gate::app
