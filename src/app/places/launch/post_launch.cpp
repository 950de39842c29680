#include "gate/places/post_launch.h"

#include <algorithm>
#include <set>
#include <system_error>

#include "gate/base/text.h"
#include "gate/extract/last_lines.h"
#include "gate/judging/case_outputs.h"
#include "gate/judging/copies.h"
#include "gate/places/place.h"
#include "gate/places/stage_commands.h"

namespace gate::app {

namespace {

using LastLinesBySource = std::vector<extract::LastLines>;

// File times are as coarse as the kernel's clock tick.
bool is_new(const fs::Path& file, fs::FileTime since) {
  std::error_code error;
  const auto written = std::filesystem::last_write_time(file, error);
  return !error && written + std::chrono::milliseconds(10) >= since;
}

std::vector<std::string> matching(const fs::Path& base, const std::string& glob, fs::FileTime since) {
  std::vector<std::string> files = fs::files_for(base, glob);
  std::erase_if(
      files, [&](const std::string& file) { return !glob_match(glob, file) || !is_new(base / file, since); });
  return files;
}

// The end of a log that may be large.
LastLinesBySource log_end(const fs::Path& log) {
  constexpr std::uintmax_t most_of_log = 256 << 10;
  const std::uintmax_t size = fs::size_of(log);
  const std::uintmax_t from = size < most_of_log ? 0 : size - most_of_log;
  return extract::last_lines(fs::read_from(log, from).value_or(""), from == 0);
}

std::string last_words(const LastLinesBySource& sources) {
  if (sources.empty()) return "";
  const extract::LastLines& latest = sources.back();
  return (latest.source.empty() ? "" : latest.source + ": ") + latest.lines.back();
}

std::string evidence_text(const std::string& what, const LastLinesBySource& sources,
                          const std::vector<std::string>& processes) {
  std::string text = what + "\n\nlast lines\n";
  for (const extract::LastLines& last : sources) {
    if (!last.source.empty()) text += "  " + printable(last.source) + "\n";
    for (const std::string& line : last.lines) text += "    " + line + "\n";
  }
  text += "\nprocesses just before they were stopped\n";
  for (const std::string& line : processes) text += line + "\n";
  return text;
}

void keep_evidence(const LaunchContext& context, const LaunchFolders& folders, launch::Ending& ending,
                   const LastLinesBySource& sources, LaunchResult& launched) {
  if (ending.evidence.empty()) return;
  const fs::Path file = folders.folder / "evidence.txt";
  const std::string text = evidence_text(gate::text(ending.outcome).english(), sources, ending.evidence);
  if (const Status written = fs::write_file(file, context.masker.mask(text)); !written)
    ending.remarks.push_back(written.error().message);
  else
    launched.artifacts["evidence"] = file.string();
}

void keep_files(const LaunchContext& context, const PlannedCase& planned, std::vector<Seat>& seats,
                std::vector<Sentence>& problems, LaunchResult& launched) {
  std::vector<std::string> globs = planned.spec->settings.artifacts;
  std::erase(globs, config::all_checkpoints);  // they stay where they are
  if (globs.empty()) return;
  const auto must_stop = [&] { return context.stops.must_hurry(planned.spec->name); };
  std::vector<ArtifactSource> sources;
  for (NodeFiles* node : distinct(seats)) sources.push_back(node->artifacts(globs, must_stop, problems));
  const KeptArtifacts kept = keep_artifacts(globs, sources);
  for (const ArtifactSource& source : sources)
    if (const std::string name = source.into.filename().string(); fs::is_folder(source.into))
      launched.artifacts[artifact_key(name)] = source.into.string();
  if (kept.files > 0 && context.masker.has_secrets())
    launched.extraction.notes.push_back(say({"artifacts: kept as the script wrote them, not masked",
                                             "artifacts：按脚本写出的样子保存，没有掩去机密"}));
  problems.insert(problems.end(), kept.problems.begin(), kept.problems.end());
}

// Where a node's outputs are, and which of them are not the launch's, by their paths there.
struct OutputSource {
  const NodeFiles* node;
  ArtifactSource files;
  std::set<std::string> old;
};

// Files that match, of a node: those of the launch, and whether there are others.
struct FoundOutputs {
  std::vector<fs::Path> fresh;
  bool has_old = false;
};

FoundOutputs find_outputs(const std::string& glob, const OutputSource& source) {
  const PlacedGlob place = placed(glob);
  const fs::Path& base = source.files.*place.base;
  FoundOutputs found;
  for (const std::string& file : matching(base, place.below, fs::FileTime::min()))
    if (source.old.contains((source.node->folder_there(place) / file).string()))
      found.has_old = true;
    else
      found.fresh.push_back(base / file);
  return found;
}

// Keeps the single file that matches, unless it is a golden file under another name.
KeptOutput keep_output(const std::string& name, const std::string& glob,
                       const std::vector<OutputSource>& sources, const std::vector<fs::Path>& golden,
                       const fs::Path& folder) {
  const std::vector<std::string> globs = output_globs(glob);
  std::vector<fs::Path> fresh, shards;
  bool has_old = false;
  for (const OutputSource& source : sources) {
    const FoundOutputs found = find_outputs(glob, source);
    fresh.insert(fresh.end(), found.fresh.begin(), found.fresh.end());
    has_old |= found.has_old;
    if (globs.size() > 1)
      std::ranges::move(find_outputs(globs.back(), source).fresh, std::back_inserter(shards));
  }
  const std::string shown = printable(glob, 120);
  if (fresh.empty())
    return {name,
            {},
            has_old ? say({"the script wrote no {}: what is there was last written before the launch",
                           "脚本没有写出 {}：现有的文件最后一次写入是在启动之前"},
                          shown)
                    : say({"the script wrote no {}", "脚本没有写出 {}"}, shown)};
  if (fresh.size() > 1)
    return {name,
            {},
            say({"{} match {}; name one of them", "有 {} 匹配 {}；请指明一个"},
                count_of(std::ssize(fresh), "file", "个文件"), shown)};
  const fs::Path& file = fresh.front();
  if (std::ranges::any_of(golden, [&](const fs::Path& one) { return is_same_file(one, file); }))
    return {name, {}, say({"{} is the golden file itself", "{} 就是基准文件本身"}, shown)};
  for (const fs::Path& shard : files_of_output(file))
    if (shard != file && std::ranges::find(shards, shard) == shards.end())
      return {name,
              {},
              say({"{} names {}, and the script wrote no such file that matches {}",
                   "{} 列出了 {}，而脚本没有写出匹配 {} 的这个文件"},
                  shown, printable(shard.string(), 200), globs.back())};
  const fs::Path kept = folder / name / file.filename();
  if (const Status copied = keep_output_as(file, kept); !copied) return {name, {}, copied.error().message};
  return {name, kept, ""};
}

void keep_outputs(const LaunchContext& context, const PlannedCase& planned, const LaunchFolders& folders,
                  std::vector<Seat>& seats, std::vector<Sentence>& problems, LaunchResult& launched) {
  const auto& outputs = planned.spec->settings.outputs;
  if (outputs.empty()) return;
  const fs::Path stages = stages_folder(context, *planned.spec);
  std::vector<std::string> globs;
  for (const auto& [name, output] : outputs)
    std::ranges::move(output_globs(in_stages(output.file, stages)), std::back_inserter(globs));
  const auto must_stop = [&] { return context.stops.must_hurry(planned.spec->name); };
  std::vector<OutputSource> sources;
  std::string trouble;
  for (NodeFiles* node : distinct(seats)) {
    Result<std::set<std::string>> old = node->outputs.settle(*node);
    if (!old) trouble = old.error().message;
    sources.push_back({node, node->artifacts(globs, must_stop, problems, NodeFiles::Wanted::all),
                       std::move(old).value_or(std::set<std::string>())});
  }
  const fs::Path folder = folders.folder / "outputs";
  for (const auto& [name, output] : outputs) {
    const std::vector<fs::Path> golden = golden_files(output, stages);
    KeptOutput kept = trouble.empty()
                          ? keep_output(name, in_stages(output.file, stages), sources, golden, folder)
                          : KeptOutput{name, {}, trouble};
    context.golden.judge_by_kept(golden, kept, problems);
    launched.measures.outputs.push_back(std::move(kept));
  }
  launched.measures.stages = stages;
  if (fs::is_folder(folder)) launched.artifacts["outputs"] = folder.string();
}

// Copies the files of one glob. Returns whether there are any.
bool keep_matching(const std::string& glob, const ArtifactSource& source, KeptArtifacts& kept) {
  const auto [place, below] = placed(glob);
  const fs::Path& base = source.*place;
  const auto parts = split(glob, '/');
  const bool leaves = std::ranges::find(parts, std::string_view("..")) != parts.end();
  const auto files = leaves ? std::vector<std::string>{} : matching(base, below, source.since);
  for (const std::string& file : files)
    if (const Status copied = copy_as(base / file, source.into / file); !copied)
      kept.problems.push_back(say({"artifacts: {}", "artifacts：{}"}, copied.error().message));
    else
      ++kept.files;
  return !files.empty();
}

}  // namespace

PlacedGlob placed(const std::string& glob) {
  constexpr std::string_view scratch_hole = "{scratch}/";
  if (glob.starts_with(scratch_hole)) return {&ArtifactSource::scratch, glob.substr(scratch_hole.size())};
  if (glob.starts_with('/')) return {&ArtifactSource::root, glob.substr(1)};
  return {&ArtifactSource::cwd, glob};
}

KeptArtifacts keep_artifacts(const std::vector<std::string>& globs,
                             const std::vector<ArtifactSource>& sources) {
  KeptArtifacts kept;
  for (const std::string& glob : globs) {
    bool is_there = false;
    for (const ArtifactSource& source : sources) is_there |= keep_matching(glob, source, kept);
    if (!is_there) kept.problems.push_back(no_artifact_words(glob));
  }
  return kept;
}

Sentence no_artifact_words(const std::string& glob) {
  return say({"artifacts: the script wrote no file that matches {}; to require one, let the script "
              "remove them first, and end with ls",
              "artifacts：脚本没有写任何匹配 {} 的文件；要求必须有时，让脚本先删除旧文件，最后一行执行 ls"},
             printable(glob, 120));
}

void join_missing_artifacts(const std::vector<std::string>& globs, LaunchRecord& all, LaunchRecord& one) {
  for (const std::string& glob : globs) {
    const Sentence words = no_artifact_words(glob);
    const auto is_it = [&](const Problem& problem) { return problem.text == words; };
    if (std::erase_if(one.problems, is_it) == 0) std::erase_if(all.problems, is_it);
  }
}

void clear_up(const LaunchContext& context, const PlannedCase& planned, const LaunchFolders& folders,
              std::vector<Seat>& seats, launch::Ending& ending, const fs::Path& log, LaunchResult& launched) {
  std::vector<Sentence>& problems = ending.remarks;
  const LastLinesBySource sources = launched.has_ended_well() ? LastLinesBySource{} : log_end(log);
  launched.last_words = last_words(sources);
  keep_evidence(context, folders, ending, sources, launched);
  keep_files(context, planned, seats, problems, launched);
  keep_outputs(context, planned, folders, seats, problems, launched);
  for (Seat& seat : seats) seat.files->clear(problems);
  std::error_code error;
  std::filesystem::remove_all(folders.scratch(), error);
  if (error)
    problems.push_back(
        say({"{}: cannot be removed: {}", "{}：无法删除：{}"}, folders.scratch().string(), error.message()));
}

}  // namespace gate::app
