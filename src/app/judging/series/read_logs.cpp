#include "gate/judging/read_logs.h"

#include <algorithm>
#include <iterator>
#include <map>
#include <set>
#include <system_error>

#include "gate/base/block_reader.h"
#include "gate/base/decompress.h"
#include "gate/base/fs.h"
#include "gate/base/in_parallel.h"
#include "gate/base/natural.h"
#include "gate/base/tail.h"
#include "gate/base/text.h"
#include "gate/extract/tracked_runs.h"
#include "gate/schema/baseline_file.h"

namespace gate::app {

namespace {

constexpr std::uintmax_t large_log = std::uintmax_t{4} << 20;
constexpr std::size_t sample_size = std::size_t{64} << 10;

// What a file may be.
enum class FileKind { log, log_or_json, log_or_golden };

// Leave out what gate wrote beside a case's log in the folder of a run, and above it.
void leave_out_beside_logs(std::vector<std::string>& files) {
  const std::set<std::string> all(files.begin(), files.end());
  std::set<fs::Path> of_cases, of_runs;
  for (const std::string& file : files)
    if (const fs::Path folder = fs::Path(file).parent_path();
        fs::name_of(file) == "log.txt" && all.contains((folder / "result.json").string())) {
      of_cases.insert(folder);
      of_runs.insert(folder.parent_path());
    }
  std::erase_if(files, [&](const std::string& file) {
    const fs::Path folder = fs::Path(file).parent_path();
    const std::string name = fs::name_of(file);
    const bool is_series = name.starts_with("series") && name.ends_with(".json");
    const bool is_of_run = name == "result.json" || name == "junit.xml" || name == "lock";
    return (of_cases.contains(folder) && (is_series || name == "result.json")) ||
           (of_runs.contains(folder) && is_of_run);
  });
}

// Leave out the links to what is there, too: `latest.log` is no second log.
void leave_out_second_names(const fs::Path& folder, std::vector<std::string>& files) {
  std::error_code unknown;
  const auto target = [&](const std::string& file) {
    return std::filesystem::canonical(folder / file, unknown);
  };
  const auto is_link = [&](const std::string& file) {
    return std::filesystem::is_symlink(folder / file, unknown);
  };
  std::set<fs::Path> seen;
  for (const std::string& file : files)
    if (!is_link(file)) seen.insert(target(file));
  std::erase_if(files, [&](const std::string& file) {
    return is_link(file) && !target(file).empty() && !seen.insert(target(file)).second;
  });
}

Answer<std::vector<std::string>> files_of(const std::string& folder) {
  fs::Listing listing = fs::list_below(folder);
  if (!listing.unread.empty())
    return usage(folder + ": cannot list " + some_of(listing.unread, 3) + " in it; name the files");
  std::erase_if(listing.files, [](const std::string& path) {  // hidden ones, and those in hidden folders
    return std::ranges::any_of(split(path, '/'), [](std::string_view part) { return part.starts_with('.'); });
  });
  extract::leave_out_beside_runs(listing.files, extract::KeptConsole::read);
  leave_out_beside_logs(listing.files);
  leave_out_second_names(folder, listing.files);
  if (listing.files.empty())
    return usage(folder + ": the folder holds no file; name a log, or a folder of logs");
  for (std::string& file : listing.files) file = (fs::Path(folder) / file).string();
  return std::move(listing.files);
}

std::string named_twice(const std::vector<std::string>& files) {
  std::map<std::string, std::string> seen;
  for (const std::string& file : files) {
    std::error_code error;  // a file that is named in two ways is found out by its canonical name
    const fs::Path canonical = std::filesystem::canonical(file, error);
    const auto [it, is_new] = seen.emplace(error ? file : canonical.string(), file);
    if (is_new) continue;
    const std::string same = it->second == file ? "" : ", as " + it->second;
    return (file == "-" ? "- (standard input)" : file) + ": named twice" + same + "; name each log once";
  }
  return "";
}

// Return the folder of the round of FlagPerf's that wrote the file, `glm/round1` of
// `glm/round1/10.0.0.1_noderank0/rank0.log.txt`; "" where none did. Each round is a training of its own.
std::string round_of(const std::string& file) {
  constexpr std::string_view start = "round";
  fs::Path round;
  for (const fs::Path& part : fs::Path(file)) {
    const std::string above = round.filename().string();
    if (above.starts_with(start) && parse_integer(above.substr(start.size())) &&
        part.string().find("noderank") != std::string::npos)
      return round.string();
    round /= part;
  }
  return "";
}

std::string several_rounds(const std::vector<std::string>& files) {
  std::set<std::string> rounds;
  for (const std::string& file : files)
    if (std::string round = round_of(file); !round.empty()) rounds.insert(std::move(round));
  if (rounds.size() < 2) return "";
  return *rounds.begin() + ", " + *rounds.rbegin() + ": " + std::to_string(rounds.size()) +
         " rounds of FlagPerf, each a run of its own; name the folder of one round";
}

// The logs of one run while they are read.
struct LogReading {
  extract::Extractor extractor;
  extract::Options options;
  FileKind kind;
  std::size_t threads;
  std::vector<Problem> cuts;  // packed logs that are not whole
};

// Tell whether the line is a record of a log: of a run that died after its first step nothing else is there.
bool is_record(std::string_view line, const extract::Options& options) {
  Result<extract::Extractor> extractor = extract::Extractor::make(options);
  if (!extractor || line.find('\n') != std::string_view::npos) return false;
  extractor->feed(line);
  return !extractor->finish().series.empty();
}

bool is_golden(std::string_view text, const LogReading& reading) {
  const std::string_view words = trim(text);
  if (reading.kind == FileKind::log || holds_nothing(text)) return false;
  if (reading.kind == FileKind::log_or_json && !words.starts_with('{')) return false;
  return schema::looks_like_golden(text) && !is_record(words, reading.options);
}

// Read a log that is so large that it is worth the start of threads, and to learn first what such logs look
// like. `read` tells whether it is.
Status feed_large(LogReading& reading, const std::string& file, bool& read) {
  const FileMark mark = mark_of(file);
  read = mark.state.size >= large_log && !is_packed(mark.head) && !is_golden(mark.head, reading);
  if (!read) return {};
  reading.extractor.learn(bytes_at(file, mark.state.size / 2, sample_size));
  std::vector<extract::ScanResult> scans(block_slots(reading.threads));
  const BlockHands hands{
      [&](std::size_t slot, std::string_view block) { scans[slot] = reading.extractor.scan(block); },
      [&](std::size_t slot, std::string_view block) { reading.extractor.feed(block, scans[slot]); }};
  return read_blocks_ahead(file, 0, reading.threads, hands);
}

// Feed one file. Returns its text instead if it is a golden file.
Answer<std::string> feed(LogReading& reading, const std::string& file) {
  std::string text;
  bool begun = false, kept = false;
  reading.extractor.begin_file(file);
  if (const Status status = feed_large(reading, file, kept); !status) return usage(status.error());
  if (kept) return "";
  const Result<std::string> wrong = read_unpacked(file, [&](std::string_view bytes) {
    if (!begun) kept = is_golden(bytes, reading);
    begun = true;
    if (kept)
      text += bytes;
    else
      reading.extractor.feed(bytes);
  });
  if (!wrong) return usage(wrong.error());
  if (!wrong->empty()) reading.cuts.push_back({ProblemKind::torn, file, 0, *wrong});
  if (wrong->empty() && is_golden(text, reading)) return text;
  reading.extractor.feed(text);
  return "";
}

Answer<LogOrGolden> read_all(const std::vector<std::string>& words, extract::Options options, FileKind kind) {
  GATE_TRY(const std::vector<std::string> files, log_files(words));
  const std::size_t threads = options.threads > 0 ? options.threads : usual_threads();
  options.all_attempts |= files.size() > 1;  // which of them belong together is known at the end
  GATE_TRY(extract::Extractor extractor, or_usage(extract::Extractor::make(options)));
  LogReading reading{std::move(extractor), std::move(options), kind, threads, {}};
  for (const std::string& file : files) {
    GATE_TRY(std::string text, feed(reading, file));
    if (text.empty()) continue;
    if (files.size() == 1) return GoldenText{file, std::move(text)};
    return usage(file + ": a baseline or golden file is a run of its own; give it alone");
  }
  Extraction extraction = reading.extractor.finish();
  add_cuts(extraction, std::move(reading.cuts));
  return extraction;
}

Answer<Extraction> run_of_golden(const GoldenText& golden) {
  GATE_TRY(const Baseline baseline, or_usage(schema::read_baseline(golden.text, golden.file)));
  if (baseline.runs.size() > 1)
    return usage(golden.file + ": a baseline of " + std::to_string(baseline.runs.size()) +
                 " runs, and one run is judged; give a log or the series of one run");
  Extraction run = std::move(as_extractions(baseline, golden.file).front());
  run.notes = baseline.notes;
  run.bytes = static_cast<std::int64_t>(golden.text.size());
  return run;
}

Answer<Extraction> as_run(Answer<LogOrGolden> read) {
  if (!read) return tl::unexpected(read.error());
  if (const auto* golden = std::get_if<GoldenText>(&*read)) return run_of_golden(*golden);
  return std::get<Extraction>(std::move(*read));
}

}  // namespace

Answer<std::vector<std::string>> log_files(const std::vector<std::string>& words) {
  std::vector<std::string> files;
  for (const std::string& word : words) {
    if (word == "-" || !fs::is_folder(word)) {
      files.push_back(word);
      continue;
    }
    const Answer<std::vector<std::string>> inside = files_of(word);
    if (!inside) return inside;
    files.insert(files.end(), inside->begin(), inside->end());
  }
  if (std::string twice = named_twice(files); !twice.empty()) return usage(std::move(twice));
  if (std::string rounds = several_rounds(files); !rounds.empty()) return usage(std::move(rounds));
  std::ranges::sort(files, natural_less);
  return files;
}

Answer<Extraction> read_logs(const std::vector<std::string>& logs, extract::Options options) {
  return as_run(read_all(logs, std::move(options), FileKind::log));
}

Answer<Extraction> read_run_files(const std::vector<std::string>& files, extract::Options options) {
  const bool described = !options.patterns.empty() || !options.json.empty();
  return as_run(
      read_all(files, std::move(options), described ? FileKind::log_or_json : FileKind::log_or_golden));
}

Answer<LogOrGolden> read_log_or_golden(const std::vector<std::string>& files, extract::Options options) {
  return read_all(files, std::move(options), FileKind::log_or_golden);
}

namespace {

// Return why the attempts of a log make no baseline; "" where they do, or a person chose one.
std::string attempts_unfit(const config::Case& spec, const Extraction& extraction) {
  if (spec.settings.attempt.said || spec.settings.attempt.number) return "";
  const LackedMetric* const lacked = first_lacked(extraction, spec.rules);
  const Sentence& why = lacked == nullptr ? extraction.copied : lacked->text;
  return why.empty() ? ""
                     : why.english() +
                           "; a baseline is made of whole runs: give one attempt alone, or say which one is "
                           "meant, attempt = \"last\" or a number";
}

}  // namespace

Baseline make_candidate(const config::Case& spec, const std::string& platform, const Extraction& extraction,
                        Provenance provenance) {
  Baseline candidate;
  candidate.case_name = spec.name;
  candidate.platform = platform;
  candidate.formats = extraction.formats;
  candidate.provenance = std::move(provenance);
  candidate.origin = "gate";
  BaselineRun run;
  run.total = extraction.total;
  if (!extraction.attempts.empty())
    run.attempts = static_cast<std::int64_t>(extraction.attempts.size() + extraction.attempts_counted);
  run.other_jobs = texts_of(extraction.other_jobs, &Sentence::english);
  run.unfit = attempts_unfit(spec, extraction);
  run.series = extraction.series;
  leave_out_profiled(run.series, extraction.profiled, spec.metrics);
  std::erase_if(run.series, [](const Series& series) { return series.empty(); });
  candidate.runs.push_back(std::move(run));
  return candidate;
}

Status check_fit_as_baseline(const config::Case& spec, const Extraction& extraction) {
  if (!extraction.cut.empty()) return fail(extraction.cut.english() + "; a baseline is made of whole logs");
  if (!extraction.doubt.empty()) return fail(extraction.doubt.english());
  if (std::string unfit = attempts_unfit(spec, extraction); !unfit.empty()) return fail(std::move(unfit));
  const auto ambiguous = std::ranges::find(extraction.problems, ProblemKind::ambiguous, &Problem::kind);
  if (ambiguous == extraction.problems.end()) return {};
  return fail(ambiguous->file + ":" + std::to_string(ambiguous->line) + ": " + ambiguous->text.english() +
              "; a baseline is made of numbers that have one");
}

std::vector<Extraction> as_extractions(const Baseline& baseline, const std::string& name) {
  Extraction without_series;
  without_series.files.push_back(name);
  without_series.formats = baseline.formats;
  without_series.provenance = baseline.provenance;
  std::vector<Extraction> extractions(std::max<std::size_t>(1, baseline.runs.size()), without_series);
  for (std::size_t i = 0; i < baseline.runs.size(); ++i) {
    extractions[i].series = baseline.runs[i].series;
    extractions[i].total = baseline.runs[i].total;
  }
  return extractions;
}

void add_runs(Baseline& candidate, Baseline further) {
  std::ranges::move(further.runs, std::back_inserter(candidate.runs));
  candidate.provenance.ended_well &= further.provenance.ended_well;
}

}  // namespace gate::app
