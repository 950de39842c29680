// Baselines as files: listed, moved, removed.
#include <algorithm>
#include <map>
#include <utility>

#include "gate/base/text.h"
#include "gate/schema/baseline_file.h"
#include "gate/stored/baseline.h"
#include "gate/suite/chosen_cases.h"
#include "gate/suite/renames.h"

namespace gate::app {

namespace {

// What a word of mv or rm names.
struct BaselineWord {
  std::optional<store::BaselinePlace> place;  // none: every one
  std::string case_name;                      // "": every one
};

// A baseline on its way.
struct Relocation {
  store::BaselinePlace from, to;
  std::string path_from, path_to;
  std::string sha256;  // of the old file
  Baseline baseline;
};

Answer<BaselineWord> named_by(const Suite& suite, const std::string& word) {
  const std::size_t slash = word.find('/');
  const std::string first = word.substr(0, slash);
  const auto place = slash == std::string::npos ? std::nullopt : store::parse_place(suite.layout, first);
  BaselineWord named{place, place ? word.substr(slash + 1) : word};
  if (place && named.case_name.empty()) return named;
  if (const Status safe = store::check_case_name(named.case_name); !safe) return usage(safe.error());
  return named;
}

// Return the places of the baselines that are named, sorted. The name of a case that has none itself is that
// of its variants.
Answer<std::vector<store::BaselinePlace>> places_named(const Suite& suite, const BaselineWord& named) {
  std::vector<store::BaselinePlace> own, of_variants;
  GATE_TRY(const auto all, or_infra(store::read_places(suite.layout)));
  for (const auto& [name, places] : all)
    for (const store::BaselinePlace& place : places) {
      if (named.place && named.place->name() != place.name()) continue;
      if (named.case_name.empty() || named.case_name == name)
        own.push_back(place);
      else if (named.case_name == config::base_in(name))
        of_variants.push_back(place);
    }
  return own.empty() ? of_variants : own;
}

tl::unexpected<Failure> nothing_named(const Suite& suite, const std::string& word) {
  return usage(printable(word, 120) + ": no baseline" +
               did_you_mean(word, store::baseline_cases(suite.layout)) +
               "; gate baseline list names those that there are");
}

struct StandingFile {
  std::string sha256;
  Baseline baseline;
};

// Another tool's golden file has no chain, and is moved as it is.
bool is_golden_file(const Baseline& baseline) { return baseline.origin != "gate"; }

Answer<StandingFile> read_standing(const Suite& suite, const std::string& path) {
  GATE_TRY(const std::string text, or_usage(fs::read_file(suite.root / path)));
  GATE_TRY(auto baseline, or_usage(schema::read_baseline(text, path)));
  return StandingFile{fs::sha256(text), std::move(baseline)};
}

// A file at the place of a platform is a reference for it: what was measured elsewhere is none.
Answer<void> check_origin(const Suite& suite, const Relocation& move) {
  const std::string &measured = move.baseline.platform, &platform = move.to.platform;
  if (!platform.empty() && !measured.empty() && measured != platform &&
      measured != store::old_platform_of(move.to) && !store::is_in_group(suite.layout, platform, measured))
    return refused(move.path_from + ": its numbers were measured on " + measured + ", and " + move.path_to +
                   " is for " + platform + "; record the case there");
  const std::string environment =
      move.baseline.environment.empty() ? move.from.environment : move.baseline.environment;
  if (!environment.empty() && environment != move.to.environment)
    return refused(move.path_from + ": its numbers are of environment " + environment + ", and " +
                   move.path_to + " is for " +
                   (move.to.environment.empty() ? "every one" : move.to.environment) +
                   "; record the case there");
  return {};
}

bool is_same_entry(const Acceptance& a, const Acceptance& b) {
  return a.when == b.when && a.who == b.who && a.reason == b.reason && a.from == b.from;
}

// What a move that was cut off has written may be written again: its chain ends with the move, and what is
// before that is where the old file's chain begins.
bool is_left_of(const Relocation& move, const std::vector<Acceptance>& chain) {
  const std::vector<Acceptance>& old = move.baseline.accepted;
  return !chain.empty() && chain.back().from == move.path_from && chain.size() - 1 <= old.size() &&
         std::equal(chain.begin(), chain.end() - 1, old.begin(), is_same_entry);
}

Answer<void> check_target(const Suite& suite, const Relocation& move) {
  if (!fs::is_taken(suite.root / move.path_to)) return {};
  const auto standing = read_standing(suite, move.path_to);
  if (standing && is_left_of(move, standing->baseline.accepted)) return {};
  return refused(move.path_to +
                 " is there already, and nothing was moved; remove it first: gate baseline rm " +
                 shell_quote(move.to.name() + "/" + move.to.case_name));
}

// A variant keeps what stands behind the name of its case.
std::string name_moved(const std::string& name, const BaselineWord& from, const BaselineWord& to) {
  if (to.case_name.empty()) return name;
  return to.case_name + name.substr(from.case_name.size());
}

Answer<Relocation> plan_move(const Suite& suite, const store::BaselinePlace& from, const BaselineWord& named,
                             const BaselineWord& to) {
  Relocation move{from, to.place.value_or(from), "", "", "", {}};
  move.to.case_name = name_moved(from.case_name, named, to);
  move.path_from = store::baseline_path(suite.layout, move.from);
  move.path_to = store::baseline_path(suite.layout, move.to);
  if (const auto free = store::check_place(suite.layout, move.to); !free) return usage(free.error());
  if (move.path_from == move.path_to) return usage("baseline mv: " + move.path_from + " is where it is");
  GATE_TRY(StandingFile file, read_standing(suite, move.path_from));
  move.sha256 = std::move(file.sha256);
  move.baseline = std::move(file.baseline);
  GATE_TRY_STATUS(check_origin(suite, move));
  GATE_TRY_STATUS(check_target(suite, move));
  return move;
}

Acceptance entry(const BaselineChange& change, const std::string& what, const std::string& from,
                 const std::string& sha256) {
  const std::string reason = change.reason.empty() ? what : what + ": " + change.reason;
  return {change.who, to_iso(change.now), reason, from, sha256, {}, {}};
}

Status move_as_it_is(const Suite& suite, const Relocation& move) {
  GATE_TRY(const std::string text, fs::read_file(suite.root / move.path_from));
  GATE_TRY_STATUS(fs::make_folder((suite.root / move.path_to).parent_path()));
  GATE_TRY_STATUS(fs::write_file(suite.root / move.path_to, text));
  return fs::remove_file(suite.root / move.path_from);
}

Status do_move(const Suite& suite, Relocation& move, const BaselineChange& change) {
  Baseline& baseline = move.baseline;
  if (is_golden_file(baseline)) return move_as_it_is(suite, move);
  baseline.case_name = move.to.case_name;
  if (!move.to.platform.empty() && !store::is_in_group(suite.layout, move.to.platform, baseline.platform))
    baseline.platform = move.to.platform;
  if (!move.to.environment.empty()) baseline.environment = move.to.environment;
  baseline.accepted.push_back(entry(change, "moved", move.path_from, move.sha256));
  GATE_TRY(const std::string written, store::write_baseline(suite.layout, baseline, move.to));
  return fs::remove_file(suite.root / move.path_from);
}

Answer<std::vector<Relocation>> plan_moves(const Suite& suite, const std::string& from,
                                           const std::string& to) {
  GATE_TRY(const BaselineWord old_name, named_by(suite, from));
  GATE_TRY(const BaselineWord new_name, named_by(suite, to));
  if (old_name.place.has_value() != new_name.place.has_value() ||
      old_name.case_name.empty() != new_name.case_name.empty())
    return usage(
        "baseline mv: name two cases, two PLACE/CASE, or two PLACE/; the place of general baselines is "
        "general/");
  GATE_TRY(const std::vector<store::BaselinePlace> places, places_named(suite, old_name));
  if (places.empty()) return nothing_named(suite, from);
  std::vector<Relocation> moves;
  for (const store::BaselinePlace& place : places) {
    GATE_TRY(Relocation move, plan_move(suite, place, old_name, new_name));
    moves.push_back(std::move(move));
  }
  return moves;
}

Result<ChangedBaseline> remove_one(const Suite& suite, const store::BaselinePlace& place, StandingFile file,
                                   const BaselineChange& change) {
  const std::string path = store::baseline_path(suite.layout, place);
  const fs::Path kept = store::removed_path(suite.layout, place, file.sha256);
  file.baseline.accepted.push_back(entry(change, "removed", path, file.sha256));
  GATE_TRY_STATUS(fs::make_folder(kept.parent_path()));
  GATE_TRY_STATUS(fs::write_file(kept, schema::write_baseline(file.baseline)));
  GATE_TRY_STATUS(fs::remove_file(suite.root / path));
  return ChangedBaseline{path, kept.lexically_relative(suite.root).generic_string()};
}

BaselineRow row_of(const Suite& suite, const store::BaselinePlace& place, const std::vector<Rename>& renames,
                   bool keeps_file) {
  BaselineRow row{place.case_name, place.name(), "", 0, "", "", "", "", {}};
  const std::string path = store::baseline_path(suite.layout, place);
  const auto text = fs::read_file(suite.root / path);
  auto baseline = text ? schema::read_baseline(*text, path) : tl::unexpected(text.error());
  if (!baseline) {
    row.note = first_and_count(baseline.error().message);
    return row;
  }
  row.measured_on = baseline->platform;
  row.runs = baseline->runs.size();
  if (!baseline->accepted.empty()) {
    const Acceptance& last = baseline->accepted.back();
    row.accepted = last.when.substr(0, 10);
    row.who = last.who;
    row.reason = in_one_line(last.reason);
  }
  if (suite.find(place.case_name) == nullptr) row.note = no_script_words(renames, place.case_name);
  if (keeps_file) row.file = store::BaselineFile{path, place, fs::sha256(*text), std::move(*baseline)};
  return row;
}

}  // namespace

Answer<std::vector<BaselineRow>> list_baselines(const Suite& suite, const BaselinesQuery& query) {
  GATE_TRY(const auto names,
           or_usage(select_names(suite, query.words, cases_and(suite, find_orphans(suite)), query.folder)));
  const std::vector<Rename> renames = find_renames(suite);
  GATE_TRY(const auto places, or_infra(store::read_places(suite.layout)));
  std::vector<BaselineRow> rows;
  for (const std::string& name : names) {
    const auto own = places.find(name);
    if (own == places.end()) continue;
    for (const store::BaselinePlace& place : own->second)
      if ((query.platform.empty() || query.platform == place.platform) &&
          (query.environment.empty() || query.environment == place.environment))
        rows.push_back(row_of(suite, place, renames, !query.words.empty()));
  }
  if (rows.empty())
    return refused("there is no baseline" + std::string(query.words.empty() ? "" : " of these cases") +
                   "; make one with gate baseline record or gate baseline import");
  return rows;
}

Answer<std::vector<ChangedBaseline>> move_baselines(const Suite& suite, const std::string& from,
                                                    const std::string& to, const BaselineChange& change) {
  GATE_TRY(const auto lock, or_infra(store::lock_baselines(suite.layout)));
  GATE_TRY(std::vector<Relocation> moves, plan_moves(suite, from, to));
  std::vector<ChangedBaseline> changed;
  for (Relocation& move : moves) {
    if (const Status moved = do_move(suite, move, change); !moved) return infra(moved.error());
    changed.push_back({move.path_from, move.path_to});
  }
  return changed;
}

Answer<std::vector<ChangedBaseline>> remove_baselines(const Suite& suite,
                                                      const std::vector<std::string>& words,
                                                      const BaselineChange& change) {
  if (trim(change.reason).empty()) return usage("baseline rm: --reason is needed: say why it guards nothing");
  GATE_TRY(const auto lock, or_infra(store::lock_baselines(suite.layout)));
  std::map<std::string, std::pair<store::BaselinePlace, StandingFile>> files;  // by path
  for (const std::string& word : words) {
    GATE_TRY(const BaselineWord named, named_by(suite, word));
    GATE_TRY(const std::vector<store::BaselinePlace> places, places_named(suite, named));
    if (places.empty()) return nothing_named(suite, word);
    for (const store::BaselinePlace& place : places) {
      const std::string path = store::baseline_path(suite.layout, place);
      GATE_TRY(StandingFile file, read_standing(suite, path));
      if (is_golden_file(file.baseline))
        return refused(path +
                       ": is a golden file of another tool and has no chain to keep; remove it as any "
                       "file: rm " +
                       shell_quote(path));
      files.insert_or_assign(path, std::pair(place, std::move(file)));
    }
  }
  std::vector<ChangedBaseline> changed;
  for (auto& [path, file] : files) {
    GATE_TRY(auto removed, or_infra(remove_one(suite, file.first, std::move(file.second), change)));
    changed.push_back(std::move(removed));
  }
  return changed;
}

Answer<store::BaselineFile> find_baseline(const Suite& suite, const std::string& word, const fs::Path& folder,
                                          const std::string& platform) {
  GATE_TRY(const auto chosen, choose_judged(suite, {word}, {}, folder));
  const std::string& case_name = chosen.front().name;
  const std::vector<store::BaselinePlace> places = store::baseline_places(suite.layout, case_name);
  if (places.empty())
    return refused(case_name + " has no baseline; make one with gate baseline record " + case_name);
  store::BaselinePlace wanted{platform, case_name, suite.environment};
  const bool is_any = suite.environment.empty() || suite.environment == places.front().environment;
  if (platform.empty() && places.size() == 1 && is_any) wanted = places.front();
  GATE_TRY(const auto files, or_usage(store::read_baselines(suite.layout, wanted)));
  if (!files.empty()) return files.front();
  return usage(case_name + " has no baseline for " +
               (wanted.name() == platform_name("") ? "any platform" : wanted.name()) +
               "; there are some for " + join(store::names_of(places), ", "));
}

}  // namespace gate::app
