#include "gate/app/init.h"

#include <algorithm>
#include <map>
#include <span>

#include "app/baseline/golden_origins.h"
#include "app/baseline/tree_kind.h"
#include "gate/base/text.h"
#include "gate/config/names.h"
#include "gate/config/policy.h"
#include "gate/config/script_counts.h"
#include "gate/schema/baseline_file.h"
#include "gate/store/suite_folder.h"

namespace gate::app {

namespace {

using Names = std::vector<std::string>;

constexpr std::size_t most_named_places = 5;

std::string devices_of(const config::Settings& settings) {
  if (!settings.device_list.empty()) return "[" + join(settings.device_list, ", ") + "]";
  return *settings.devices == -1 ? "\"all\"" : std::to_string(*settings.devices);
}

// Looks at the folder and fills a proposal.
class Surveyor {
 public:
  // `here` is all that the folder is, and not empty.
  Surveyor(const fs::Path& folder, std::span<const TreeKind* const> here)
      : folder_(folder), kind_(*here.front()), others_(here.subspan(1)) {
    const TreeKind& kind = kind_;
    proposal_.kind = kind.doc;
    proposal_.name = fs::name_of(folder);
    proposal_.baselines = kind.baselines;
    proposal_.profile = kind.profile;
    layout_.root = folder;
    if (!kind.baselines.empty()) layout_.path_template = kind.baselines;
  }

  config::Proposal survey() {
    find_scripts();
    read_golden_files();
    compare_names();
    tell_counts();
    tell_profile();
    tell_unread();
    say_next();
    tell_others();
    return std::move(proposal_);
  }

 private:
  void find_scripts() {
    const Names files = fs::files_for(folder_, kind_.scripts + "**.sh");
    for (const config::CaseScript& found : config::find_cases(kind_.scripts + "**.sh", files))
      read_script(found);
    const bool deep = std::ranges::any_of(
        proposal_.all, [](const auto& one) { return one.name.find('/') != one.name.npos; });
    proposal_.cases = kind_.scripts + (deep || proposal_.all.empty() ? "**.sh" : "*.sh");
  }

  // What a #GATE line says comes before what the script does.
  void read_script(const config::CaseScript& found) {
    config::ProposedCase spec{found.name, "", 1, {}};
    const Result<std::string> text = fs::read_file(folder_ / found.script);
    if (!text) return miss_script(std::move(spec), text.error());
    const config::ScriptCounts counts = config::read_script_counts(*text);
    const auto resolved = built_in_.resolve({found.name, found.script, *text, {}});
    if (counts.devices) spec.devices = std::to_string(*counts.devices);
    if (resolved && resolved->settings.devices) spec.devices = devices_of(resolved->settings);
    if (!resolved) proposal_.untold.push_back("what is meant in " + to_string(resolved.error()));
    spec.nodes = counts.nodes.value_or(1);
    if (spec.devices.empty()) unclear_[counts.unclear].push_back(found.name);
    proposal_.all.push_back(std::move(spec));
  }

  void miss_script(config::ProposedCase spec, const Error& error) {
    proposal_.untold.push_back("a script that cannot be read: " + error.message);
    proposal_.all.push_back(std::move(spec));
  }

  void read_golden_files() {
    for (const std::string& name : store::baseline_cases(layout_)) {
      baselines_.push_back(name);
      const auto files = store::read_baselines(layout_, name, "");
      if (!files) proposal_.untold.push_back("a baseline that cannot be read: " + files.error().message);
      if (files && !files->empty()) note_baseline(name, files->front().baseline);
    }
  }

  void note_baseline(const std::string& name, const Baseline& baseline) {
    origins_.note(baseline.origin);
    for (config::ProposedCase& one : proposal_.all)
      if (one.name == name) one.margins = baseline.margins;
  }

  void compare_names() {
    Names scripts, lonely;
    for (const config::ProposedCase& one : proposal_.all) scripts.push_back(one.name);
    std::ranges::set_difference(scripts, baselines_, std::back_inserter(lonely));
    if (!lonely.empty()) untold(lonely, "script", "without a baseline (gate baseline record CASE makes one)");
    lonely.clear();
    std::ranges::set_difference(baselines_, scripts, std::back_inserter(lonely));
    if (!lonely.empty()) untold(lonely, "baseline", "without a script: unjudged in a run of all cases");
  }

  void tell_counts() {
    for (const auto& [why, names] : unclear_)
      proposal_.untold.push_back("the devices of " + some_of(names, most_named_places) + ": " + why +
                                 "; a run takes the whole host");
    proposal_.untold.emplace_back(
        "the platform: which accelerators runs are on, e.g. platform = \"ascend-910b3\" under [suite]");
  }

  void untold(const Names& names, const char* noun, const std::string& what) {
    proposal_.untold.push_back(count_of(static_cast<std::int64_t>(names.size()), noun) + " " + what + ": " +
                               some_of(names, most_named_places));
  }

  void tell_profile() {
    if (!proposal_.profile.empty()) return;
    proposal_.profile = origins_.commonest();
    if (const std::string doubt = origins_.doubt(); !doubt.empty()) proposal_.untold.push_back(doubt);
  }

  void tell_unread() {
    for (const std::string& place : unread_places(folder_))
      proposal_.untold.push_back("what is in " + place + ": the folder cannot be listed");
  }

  // One gate.toml is of one tree.
  void tell_others() {
    for (const TreeKind* other : others_) {
      const bool golden = !other->golden.empty();
      proposal_.untold.push_back("what to do with " + (golden ? other->golden : other->scripts) +
                                 ": the folder is " + other->doc + ", too, and this file leaves that out");
      if (golden) proposal_.next.push_back("gate baseline import --tree " + other->golden);
    }
  }

  void say_next() {
    if (!kind_.golden.empty()) return say_next_of_golden();
    proposal_.next = {"gate list                    the cases, what they need, their baselines",
                      "gate run --dry-run           what would run",
                      "gate check LOG --case CASE   judge a log that exists"};
  }

  void say_next_of_golden() {
    proposal_.untold.emplace_back("how to launch a case: this checkout has no script per case. A script " +
                                  kind_.scripts + "MODEL/CASE.sh makes MODEL/CASE a case that gate runs");
    proposal_.next = {
        "gate baseline import --tree " + kind_.golden, "gate baseline accept --to platform --reason \"...\"",
        "gate check LOG --baseline baselines/nvidia-h100/MODEL/CASE.json --platform nvidia-h100"};
  }

  const fs::Path& folder_;
  const TreeKind& kind_;
  std::span<const TreeKind* const> others_;
  config::Policy built_in_ = *config::Policy::parse("", "");
  store::BaselineLayout layout_;
  config::Proposal proposal_;
  Names baselines_;
  GoldenOrigins origins_;
  std::map<std::string, Names> unclear_;
};

tl::unexpected<Failure> nothing_known(const fs::Path& folder) {
  const Names unread = unread_places(folder);
  return refused(folder.string() + ": nothing that gate knows is here (" + known_trees() +
                 "); name another folder with -C, or make a folder scripts/ with *.sh" +
                 (unread.empty() ? "" : "; cannot be listed: " + some_of(unread, most_named_places)));
}

}  // namespace

Answer<Init> init(const fs::Path& folder, DryRun dry_run) {
  if (const Status listed = fs::check_folder(folder); !listed) return usage(listed.error());
  const fs::Path path = folder / "gate.toml";
  if (fs::is_taken(path) && dry_run == DryRun::no)
    return refused(path.string() +
                   ": is there and is not overwritten; --dry-run prints what would be written");
  const std::vector<const TreeKind*> here = tree_kinds(folder);
  if (here.empty()) return nothing_known(folder);
  Init init{path.string(), Surveyor(folder, here).survey(), ""};
  init.toml = config::gate_toml(init.proposal);
  if (dry_run == DryRun::yes) return init;
  if (const Status written = fs::write_file(path, init.toml); !written) return infra(written.error());
  return init;
}

}  // namespace gate::app
