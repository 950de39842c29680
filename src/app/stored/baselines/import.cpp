#include <algorithm>
#include <map>
#include <optional>
#include <set>

#include "gate/base/text.h"
#include "gate/config/margins.h"
#include "gate/judging/case_judge.h"
#include "gate/judging/read_logs.h"
#include "gate/schema/baseline_file.h"
#include "gate/schema/golden_name.h"
#include "gate/schema/golden_steps.h"
#include "gate/stored/baseline.h"
#include "gate/suite/imported_sources.h"

namespace gate::app {

namespace {

constexpr std::size_t most_cases_listed = 5;
constexpr std::uintmax_t most_text_bytes = 16U << 20U;  // of losses in a text; a golden one has a few KiB

// Say of the candidate which place and which file it is of; nobody has accepted it yet.
void stamp(Baseline& candidate, const store::BaselinePlace& place, const std::string& file, Moment now) {
  candidate.case_name = place.case_name;
  candidate.platform = place.platform;
  candidate.environment = place.environment;
  candidate.provenance.gate_version = GATE_VERSION;
  candidate.provenance.date = to_iso(now);
  candidate.provenance.run = file;
  candidate.accepted.clear();
}

// Return why a golden file that holds null is not imported.
std::string null_refusal(const Baseline& baseline) {
  return baseline.null_value + " is null: no value was measured there; record the case again";
}

Answer<Baseline> candidate_of_logs(const Extraction& extraction, const config::Case& spec,
                                   const ImportOptions& options) {
  if (!options.steps.empty())
    return refused(options.files.front() + ": --steps: a log prints its own step numbers");
  if (const Status fit = check_fit_as_baseline(spec, extraction); !fit) return refused(fit.error().message);
  if (extraction.series.empty())
    return refused(options.files.front() +
                   ": nothing to import: neither a golden file nor a log of a known format");
  return make_candidate(spec, options.platform, extraction, extraction.provenance);
}

Answer<Baseline> candidate_of_golden(const GoldenText& golden, const ImportOptions& options) {
  GATE_TRY(Baseline baseline, or_usage(schema::read_baseline(golden.text, golden.file)));
  if (!baseline.null_value.empty()) return refused(golden.file + ": " + null_refusal(baseline));
  if (options.steps.empty()) return baseline;
  if (!schema::has_positions(baseline))
    return refused(golden.file + ": --steps: the file has step numbers of its own");
  if (const Status numbered = schema::number_positions(baseline, options.steps); !numbered)
    return refused(golden.file + ": " + numbered.error().message);
  return baseline;
}

bool is_hidden_path(const std::string& path) {
  return (path.starts_with('.') && path != ".") || path.find("/.") != std::string::npos;
}

// Tell whether the file is one of FlagScale's, which keeps some without a suffix: `results_gold/tp2`.
bool is_flagscale_path(const fs::Path& path) {
  const std::string folder = path.parent_path().filename().string();
  return path.filename().string().find('.') == std::string::npos &&
         (folder == "results_gold" || folder == "gold_values" || folder == "gold_result");
}

// Tell whether the file lies in a folder of losses, as torchtitan's texts do.
bool is_of_losses(const std::string& path) {
  return path.starts_with("losses/") || path.find("/losses/") != std::string::npos;
}

// Tell by its name, and of a text by its first words, whether the file may be a golden one. What is no
// regular file has no text.
bool is_wanted(const fs::Path& folder, const std::string& path) {
  if (is_hidden_path(path)) return false;
  if (path.ends_with(".txt"))
    return is_of_losses(path) || (fs::size_of(folder / path) <= most_text_bytes &&
                                  schema::begins_with_steps(fs::read_file(folder / path).value_or("")));
  return path.ends_with(".json") || is_flagscale_path(path);
}

std::string_view without_start(std::string_view text, const std::string& start) {
  return text.starts_with(start) ? text.substr(start.size()) : text;
}

// Messages stand beside the file's name, and in one line.
std::string beside_name(const std::string& message, const fs::Path& folder, const std::string& path) {
  std::string lines;
  for (const std::string_view line : split(message, '\n')) {
    const std::string_view text = without_start(line, (folder / path).string() + ":");
    lines += std::string(without_start(text, path + ":")) + "\n";
  }
  return in_one_line(trim(lines));
}

// Makes candidates of the files of one tree.
class TreeImporter {
 public:
  TreeImporter(const Suite& suite, const TreeOptions& options, Moment now)
      : suite_(suite), options_(options), now_(now), tree_(fs::name_of(options.folder)) {}

  void add(const std::string& path) {
    const std::optional<store::BaselinePlace> place = place_of(path);
    if (!place) return;
    Result<Baseline> candidate = candidate_of(path, *place);
    if (!candidate) return refuse(path, candidate.error());
    places_.emplace(*place, path);
    const bool has_script = suite_.find(place->case_name) != nullptr;
    import_.imported.push_back({path, has_script, std::move(*candidate)});
  }

  // Refuse what is called as a golden file and is no file.
  void refuse_other(const std::string& path) {
    if (place_of(path)) refuse(path, {"is no regular file, and no link to one"});
  }

  // Refuse a folder that could not be listed.
  void refuse_unread(const std::string& folder) {
    const Status listed = fs::check_folder(options_.folder / folder);
    refuse(folder, listed ? Error{"could not be listed"} : listed.error());
    import_.refused.back().path += '/';
  }

  Answer<TreeImport> result() && {
    if (names_.empty() && import_.refused.empty())
      return refused(options_.folder.string() +
                     ": no golden file (*.json) is below it; nothing was imported");
    if (!names_.empty() && !is_any_chosen_) return nothing_chosen();
    std::ranges::sort(import_.refused, {}, &RefusedFile::path);
    return std::move(import_);
  }

 private:
  // Return the place of a file that is to be imported; a name that tells none is refused. A second run of
  // Megatron-LM is judged against the first one of the same test, and never against its golden file.
  std::optional<store::BaselinePlace> place_of(const std::string& path) {
    const Result<schema::GoldenName> name = schema::golden_name(path, tree_);
    if (!name) return refuse(path, name.error()), std::nullopt;
    names_.insert(name->case_name);
    if (!options_.cases.empty() && !glob_match(options_.cases, name->case_name)) return std::nullopt;
    is_any_chosen_ = true;
    if (name->is_second_run) return import_.second_runs.push_back(path), std::nullopt;
    return store::BaselinePlace{name->platform.empty() ? options_.platform : name->platform, name->case_name,
                                name->environment.empty() ? options_.environment : name->environment};
  }

  tl::unexpected<Failure> nothing_chosen() const {
    const std::vector<std::string> names(names_.begin(), names_.end());
    const std::string meant = did_you_mean(options_.cases, names);
    return usage("--case " + printable(options_.cases, 80) + ": no golden file below " +
                 options_.folder.string() + " is of such a case" +
                 (meant.empty() ? "; there are " + printable(some_of(names, most_cases_listed)) : meant));
  }

  Result<Baseline> candidate_of(const std::string& path, const store::BaselinePlace& place) {
    if (const auto taken = places_.find(place); taken != places_.end())
      return fail("case " + place.case_name + ", " + place.name() + ", has been imported from " +
                  taken->second +
                  "; two files are for one place: to choose this one, remove the other, or "
                  "gate baseline import FILE --case " +
                  shell_quote(place.case_name));
    GATE_TRY(const std::string text, fs::read_file(options_.folder / path));
    if (is_flagscale_path(path) && !trim(text).starts_with('{') && !trim(text).empty())
      return fail(
          "holds texts that were generated, no series: gate compares numbers; compare the texts elsewhere");
    if (path.ends_with(".txt") && !trim(text).empty() && !schema::looks_like_golden(text))
      return fail("holds lines that are no step and a number for each column");
    Result<Baseline> candidate = schema::read_baseline(text, path);
    if (!candidate) return candidate;
    if (candidate->origin == "gate") return fail("is a baseline of gate's own, and no golden file");
    const auto is_empty = [](const BaselineRun& run) {
      return std::ranges::all_of(run.series, &Series::empty);
    };
    if (std::ranges::all_of(candidate->runs, is_empty)) return fail("holds no value");
    if (!candidate->null_value.empty()) return fail(null_refusal(*candidate));
    if (!options_.steps.empty() && schema::has_positions(*candidate)) {
      GATE_TRY_STATUS(schema::number_positions(*candidate, options_.steps));
    }
    stamp(*candidate, place, path, now_);
    keep_source(candidate->provenance, suite_.root, options_.folder / path);
    if (schema::lacks_chip(path) && place.platform.empty()) candidate->platform = unknown_platform;
    if (options_.dry_run == DryRun::yes) return candidate;
    const Status written = store::write_candidate(suite_.layout, *candidate, fs::Survives::kill);
    return written ? std::move(candidate) : tl::unexpected(written.error());
  }

  void refuse(const std::string& path, const Error& error) {
    import_.refused.push_back({path, beside_name(error.message, options_.folder, path)});
  }

  const Suite& suite_;
  const TreeOptions& options_;
  Moment now_;
  std::string tree_;
  std::map<store::BaselinePlace, std::string> places_;
  std::set<std::string> names_;  // of all cases that files are of, chosen or not
  bool is_any_chosen_ = false;
  TreeImport import_;
};

// A case with several platforms has the margins of its first file.
void sort_cases(TreeImport& import, std::size_t in_suite) {
  std::vector<config::CaseMargins> margins;
  std::set<std::string> seen;
  for (const ImportedFile& file : import.imported) {
    const std::string& name = file.candidate.case_name;
    if (!seen.insert(name).second) continue;
    margins.push_back({name, file.candidate.margins, file.has_script});
    if (!file.has_script) import.without_script.push_back(name);
  }
  import.gate_toml = config::margin_blocks(margins, in_suite);
}

}  // namespace

Answer<Baseline> import(const Suite& suite, const ImportOptions& options, Moment now) {
  GATE_TRY(const auto chosen, choose(suite, {options.case_name}, {}, suite.root));
  if (chosen.size() != 1) return usage("--case " + options.case_name + ": names several cases; name one");
  const config::Case& spec = *chosen.front();
  if (const Sentence why = config::unreadable_words(spec); !why.empty())
    return refused(spec.name + ": " + why.english());
  GATE_TRY(const LogOrGolden read, read_log_or_golden(options.files, extract_options(spec, {})));
  const auto* golden = std::get_if<GoldenText>(&read);
  Answer<Baseline> candidate = golden ? candidate_of_golden(*golden, options)
                                      : candidate_of_logs(std::get<Extraction>(read), spec, options);
  if (!candidate) return candidate;
  const store::BaselinePlace place{options.platform, spec.name, options.environment};
  if (const auto fits = store::check_place(suite.layout, place); !fits) return usage(fits.error());
  stamp(*candidate, place, fs::name_of(options.files.front()), now);
  if (golden) keep_source(candidate->provenance, suite.root, options.files.front());
  if (const Status written = store::write_candidate(suite.layout, *candidate); !written)
    return infra(written.error());
  return candidate;
}

Answer<TreeImport> import_tree(const Suite& suite, const TreeOptions& options, Moment now) {
  if (const Status listed = fs::check_folder(options.folder); !listed) return usage(listed.error());
  const fs::Listing listing = fs::list_below(options.folder);
  TreeImporter importer(suite, options, now);
  for (const std::string& path : listing.files)
    if (is_wanted(options.folder, path)) importer.add(path);
  for (const std::string& path : listing.others)
    if (is_wanted(options.folder, path)) importer.refuse_other(path);
  for (const std::string& folder : listing.unread)
    if (!is_hidden_path(folder)) importer.refuse_unread(folder);
  Answer<TreeImport> import = std::move(importer).result();
  if (import) sort_cases(*import, suite.cases.size());
  return import;
}

}  // namespace gate::app
