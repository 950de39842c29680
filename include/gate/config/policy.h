// Words of people into values: gate.toml, #GATE lines, --set. Text in, values out; nothing here touches the
// machine.
//
// Settings are layered, later wins, key by key: built-in < [defaults] < [group.NAME] < #GATE <
// [matrix."GLOB"] < [platform."GLOB".matrix."GLOB"] < [case."GLOB"] in file order < variants of the matrix <
// command line. Rules likewise: built-in < [rules.X] < case.rules.X < --set rules.X.
#pragma once

#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <tl/expected.hpp>
#include <vector>

#include "gate/base/diagnostics.h"
#include "gate/base/time.h"
#include "gate/config/case_names.h"
#include "gate/config/host_settings.h"
#include "gate/config/model_facts.h"
#include "gate/config/outputs.h"
#include "gate/config/phases.h"
#include "gate/config/receiver.h"
#include "gate/config/script_flags.h"
#include "gate/config/stages.h"
#include "gate/config/stores.h"
#include "gate/config/strategy.h"
#include "gate/config/training_flags.h"
#include "gate/config/worker.h"
#include "gate/extract/extractor.h"
#include "gate/judge/formula.h"
#include "gate/judge/judge.h"
#include "gate/model/numbers/decimal.h"
#include "gate/model/numbers/metric.h"
#include "gate/model/numbers/performance.h"
#include "gate/model/reports/guard_list.h"
#include "gate/model/rules/quarantine.h"
#include "gate/model/rules/rule_list.h"
#include "gate/model/runs/backend.h"
#include "gate/model/runs/fault.h"

namespace gate {
struct Extraction;
}

namespace gate::config {

template <typename T>
using Parsed = tl::expected<T, Diagnostics>;

enum class EarlyStop { automatic, on, off };
enum class Wait { tree, script };
enum class ShareHost { automatic, yes, no };
enum class JudgeMode { series, exit, pytest };

enum class FurtherOn { red, slow };

// What one more run of a case gets: words behind ARGS, and variables. None of either: there is no such run.
struct FurtherRun {
  FurtherOn on = FurtherOn::red;  // after any red verdict, or after a speed regression alone
  std::vector<std::string> words;
  std::map<std::string, std::string> env;
  std::vector<std::string> artifacts;  // globs of files that are kept of it, beside the case's own

  bool is_wanted() const { return !words.empty() || !env.empty(); }
};

// Every setting of one case, resolved.
struct Settings {
  std::optional<int> devices;  // none: the whole host on an accelerator platform, else 0; -1: all
  std::vector<std::string> device_list;
  std::string devices_variable;  // NAME of `{env.NAME}`, which says `devices` where the case is launched
  int nodes = 1;
  std::map<std::string, std::optional<int>> devices_on;  // glob of platforms -> in the place of `devices`
  std::map<std::string, int> nodes_on;                   // likewise
  std::vector<std::string> platform;                     // globs; empty is any
  std::map<std::string, std::vector<std::string>>
      environment;                 // glob of platforms, or `any` -> globs; empty is any
  std::string skip;                // why the case is not run; "": it is
  std::vector<std::string> hosts;  // words for hosts_of; empty is the host that gate runs on
  std::vector<std::string> tags;
  std::vector<std::string> after;  // cases that must have passed before, each once
  std::string owner;
  std::vector<GuardPlace> guards;  // where the case stands in the list of what is guarded
  std::string reference;           // the row of references.json that its speed is shown beside; "": none
  ModelFacts model;
  std::optional<Quarantine> quarantine;
  std::vector<std::string> formats;  // empty is auto
  std::vector<std::string> log;
  JudgeMode judge = JudgeMode::series;
  std::optional<int> steps;
  int repeat = 1;                             // runs of the case in one run of gate
  std::vector<std::string> phases;            // starts of the script in one run; empty: one, without a name
  std::map<std::string, CasePhase> phase;     // by name
  std::map<std::string, CaseOutput> outputs;  // by name: files that are judged beside the log
  CaseStages stages;                          // what is done before and behind the script
  bool accuracy_test = false;                 // the environment says what is tested (accuracy_contract.h)
  FurtherRun further;                         // one more run of a red case, never judged
  Duration timeout{}, startup{}, hang{}, grace{}, idle_wait{};
  Wait wait = Wait::tree;
  EarlyStop early_stop = EarlyStop::automatic;
  ShareHost share_host = ShareHost::automatic;
  std::string setup;
  std::map<std::string, std::string> env;
  std::map<std::string, std::string> data_dir;            // glob of platforms, or `any` -> folder
  std::map<std::string, std::vector<std::string>> needs;  // likewise -> paths
  std::vector<std::string> artifacts;
  std::vector<std::string> depends;  // globs of files, seen from the top of the git tree
  bool restarts = false;
  std::optional<Fault> fault;  // what is done to the script while it runs
  extract::AttemptChoice attempt;
  extract::Sources sources = extract::Sources::automatic;
  int sample = 5;
  judge::Strict strict = judge::Strict::accuracy;
  std::string profile;                      // words for judge::parse_profile()
  std::string shadow;                       // likewise; "": none
  std::vector<std::string> recipe_metrics;  // as gate or the tool calls them, or globs
  bool recipe_nondeterministic = false;
  Backend backend = Backend::automatic;
  Container container;
  Slurm slurm;
  Kubernetes kubernetes;
};

// Return the words for hosts_of() that the settings mean: none where an engine or this host runs the case;
// without hosts of its own a case that is to run behind ssh has all that there are.
std::vector<std::string> host_words(const HostSettings& hosts, const Settings& settings);

// Return the folder of the case's data on the platform; "" where there is none. Of those whose globs match it
// is the most specific: a name, then of globs the one with most letters that are no wildcards, then `any`.
std::string data_dir_on(const Settings& settings, std::string_view platform);

// What a case takes on a platform.
struct Size {
  std::optional<int> devices;  // of a node, as in Settings
  std::vector<std::string> device_list;
  int nodes = 1;
};

// Return what the case takes on the platform ("" is none in particular), of what is told by platforms the
// most specific.
Size size_on(const Settings& settings, std::string_view platform);

// Return the globs of environments that the case is for on the platform; none: it is for any.
std::vector<std::string> environments_on(const Settings& settings, std::string_view platform);

// Return what must be there on the platform, each path once: the folder of data, and the needs of all globs
// that match; relative ones lie below that folder, where there is one.
std::vector<std::string> needs_on(const Settings& settings, std::string_view platform);

// One line of `gate list --explain`.
struct SettingOrigin {
  std::string key;    // `timeout`, `rules.lm_loss.tolerance`
  std::string value;  // as the user would write it
  Sentence origin;    // `built-in`, `gate.toml:14:13` (of the value), `scripts/a.sh:2:7 #GATE` (of the
                      // word), `--set`
};

// What a #GATE line says, and gate.toml says otherwise.
struct Overruled {
  SettingOrigin said;
  SettingOrigin holds;
};

// What a matrix says of a case on some platforms.
struct PlatformVariable {
  std::string platform;  // glob
  std::string name, value;
};

// A word that the file of a case holds. `${NAME}` in it is a variable of the script.
struct CaseWord {
  std::string text;
  Position at;
};

// What the file of a case holds beside settings, where it is no script.
struct CaseFile {
  std::vector<CaseWord> args;                        // {args} of `launch`
  std::optional<std::vector<CaseWord>> args_2 = {};  // of a second phase, where they are others
  bool begins_from_scratch = true;                   // it loads no checkpoint that was there before
  Sentence unsupported;                              // why gate does not run it; "" if it does
  bool goes_on_from_data = false;                    // a second phase loads one that was there, too
  std::string unreadable = {};                       // what of it cannot be read, with places; "" if all can
};

// Return the words of {args} in the phase at the place.
const std::vector<CaseWord>& args_of_phase(const CaseFile& file, std::size_t phase);

// Return what the file of a case of that kind holds beside settings, or its mistakes. Of a script: nothing.
Parsed<CaseFile> read_case_file(CaseKind kind, std::string_view text, const std::string& file);

// What one device can do at most, as [peaks] says: FLOP/s of a type of number, or whatever it is measured in.
struct Peak {
  Decimal number;      // above 0
  std::string text;    // as it is written
  std::string origin;  // `gate.toml:2:8`
};

// By the type of number, `fp16`, and by the glob of platforms, or `any`.
using Peaks = std::map<std::string, std::map<std::string, Peak>, std::less<>>;

// A rule that is held against a reference, of a case that names none.
struct UnboundRule {
  std::string rule, metric, reason;
};

struct Case {
  std::string name;
  std::string script;  // relative to the suite's folder
  std::string group;   // "": that of [suite]
  std::string launch;  // words with holes
  std::string cwd;     // likewise; a path from the root once the suite is open
  CaseKind kind = CaseKind::script;
  CaseFile file = {};                           // of the script, once the suite is open
  std::shared_ptr<const Variant> variant = {};  // none: of no matrix
  Settings settings;
  std::vector<PlatformVariable> on_platforms;  // variables that take the place of those in `settings.env`
  RuleList rules;
  // The metrics of this case: the policy's, and what [case."GLOB"].metrics and --set metrics.X say for it.
  MetricTable metrics;
  std::vector<extract::UserPattern> patterns;
  std::vector<extract::AttemptMetric> of_attempts;  // of rules that choose an attempt
  extract::JsonNames json;                          // [jsonl], and the metrics with a key
  std::vector<judge::Derivation> derivations;       // each after those whose metrics it uses
  Peaks peaks = {};                                 // of the types that these name
  std::optional<SequenceLength> seq_length = {};    // as the script tells it, where these name it
  // Of the script and the words that it is given; none: no script.
  std::shared_ptr<const std::string> training_text = {};
  std::vector<UnboundRule> unbound = {};  // rules against a reference that there is none of
  std::shared_ptr<const PerformanceRow> reference =
      {};                                     // that `settings.reference` names, once the suite is open
  std::vector<SettingOrigin> said = {};       // without built-in values; none under the profile gate
  std::vector<Sentence> source_changes = {};  // what the files that it was made of say by now
  std::vector<Overruled> overruled = {};
};

// Return why a case whose file cannot be read is not judged; "" of one that can.
Sentence unreadable_words(const Case& spec);

// Return why a run skips the case wherever it is: as gate.toml says, or its file; "" of one that it does not.
Sentence skip_words(const Case& spec);

// Return why gate does not run the case, or does not judge it, wherever it is; "" where it does both.
Sentence withheld_words(const Case& spec);

// Return the words of {args}, one behind the other: what tells the flags of a case that is no script.
std::string words_of_file(const Case& spec);

// Return the variables that the case's script has on the platform.
std::map<std::string, std::string> variables_on(const Case& spec, const std::string& platform);

// Return the formula with the numbers that the case tells on the platform ("" is not known): devices, nodes,
// the sequence length, and of the peaks whose globs match the most specific.
judge::Formula formula_on(const Case& spec, judge::Formula formula, const std::string& platform);

// Return why a number of such a formula is not known, `no peak fp16 of nvidia-h100 in [peaks]`; "" where all
// are.
Sentence why_open(const Case& spec, const judge::Formula& formula, const std::string& platform);

// Return which number of the formula, its devices or its sequence length, the run's log tells otherwise; ""
// where it tells none, or the same.
Sentence why_doubtful(const Case& spec, const judge::Formula& formula, const std::string& platform,
                      const Extraction& log);

// Return what its script says otherwise than its settings on the platform: how many devices and nodes it
// uses, and lines of #GATE that gate.toml overrules.
std::vector<Sentence> contradictions_of(const Case& spec, const std::string& platform);

// Return these, and what the script's log says otherwise: of how many ranks it is, and which features are off
// that the script asks for by a flag.
std::vector<Sentence> contradictions_of(const Case& spec, const std::string& platform, const Extraction& log);

// Tell whether the case has a formula that names its sequence length.
bool needs_seq_length(const Case& spec);

// A word of the command line: `--set KEY=VALUE`, or a flag that sets a key. A rule's keys are
// `rules.NAME.tolerance` etc., also `rules.NAME=false`; a metric's `metrics.NAME.unit`; a variable is
// `env.NAME`, a parameter of a matrix `param.NAME`. Lists are separated by commas. Of two for one key the
// later wins.
struct Override {
  std::string key;
  std::string value;
  std::string origin;  // `--set`, `--timeout`
};

// What a case is resolved from.
struct ResolveRequest {
  std::string case_name;
  std::string script;            // its path, relative to the suite
  std::string_view script_text;  // its leading comment block is read
  std::span<const Override> overrides;
  std::size_t group = 0;
  std::shared_ptr<const Variant> variant = {};  // none: of no matrix
};

// Return what the file of a case sets, each with its place: the #GATE lines of a script; of model_config.yaml
// its variables, METRICS, what TEST_TYPE and the like mean for gate, and as `skipped` why gate does not run
// it. Of a file that cannot be read that is all: `unreadable`, and why.
std::vector<SettingOrigin> header_settings(CaseKind kind, std::string_view script_text,
                                           const std::string& script);

// Tell whether each of the mistakes stands in the file of a case: it is that case's fault, and no other's.
bool are_of_file(const Diagnostics& mistakes, const std::string& file);

// gate.toml, understood. An empty text gives the built-in policy.
class Policy {
 public:
  // Return the policy, or every mistake of the file: toml++'s syntax errors, unknown keys (with a
  // suggestion), wrong types, bad durations, tolerances, windows, reduces, directions, metrics, regexes; each
  // with line and column.
  static Parsed<Policy> parse(std::string_view toml, const std::string& file);

  // The same, with [metrics], [jsonl], [peaks] and [rules] of a further file on top of the first one's, key
  // by key; what else that file says is passed over, but its mistakes are told.
  static Parsed<Policy> parse(std::string_view toml, const std::string& file, std::string_view further,
                              const std::string& further_file);

  Policy(const Policy&);
  Policy& operator=(const Policy&);
  Policy(Policy&&) noexcept;
  Policy& operator=(Policy&&) noexcept;
  ~Policy();

  // [suite] and [group.NAME]: one group at least; that of [suite] is among named ones only if it says its
  // cases.
  const std::vector<CaseGroup>& groups() const;

  // Return the cases among the files (relative to the suite, sorted), sorted by name, those of matrices as
  // their variants; or the mistakes: two files that are one case, matrices of no case or of one that another
  // is of, what --param may not set.
  Parsed<std::vector<CaseScript>> find_cases(std::span<const std::string> files,
                                             std::span<const Override> overrides,
                                             Unmatched unmatched = Unmatched::mistake) const;

  // Return the names of cases that a glob with `!` leaves out, and the others do not.
  std::vector<std::string> left_out(std::span<const std::string> files) const;

  // Tell whether a `--param` among the words narrows an axis: fewer cases are found than there are.
  bool narrows(std::span<const Override> overrides) const;

  // [suite]
  const std::string& name() const;         // "" if not given
  const std::string& platform() const;     // "" if not given
  const std::string& environment() const;  // "" if not given
  // Of the cases of a group, holds {parallelism}; "" if not given.
  const std::string& naming(std::string_view group) const;
  const std::string& history() const;
  int keep_runs() const;                            // 0 keeps all
  bool shared() const;                              // .gate is as the umask says, else for its user alone
  const std::vector<std::string>& secrets() const;  // names and globs of variables whose values are masked
  // [platforms]: declared names, and group -> members
  const std::map<std::string, std::vector<std::string>>& platforms() const;
  const HostSettings& hosts() const;                // [hosts]
  const std::vector<Receiver>& receivers() const;   // [notify.X], in the order of the file
  const Stores& stores() const;                     // [store.s3], [store.obs]
  const Peaks& peaks() const;                       // [peaks]
  const std::vector<Strategy>& strategies() const;  // [strategy.NAME], in the order of the file
  const std::vector<Feature>& features() const;     // those that gate knows, and [features."TITLE"]
  const WorkerSettings& worker() const;             // [worker]
  // [metrics.X], merged over the built-in table
  const MetricTable& metrics() const;
  const std::vector<extract::UserPattern>& patterns() const;
  extract::JsonNames json() const;  // [jsonl], and the metrics with a key
  const std::vector<judge::Derivation>& derivations() const;

  // Return the case of a script with everything resolved, or every mistake in its #GATE lines and in the
  // overrides.
  Parsed<Case> resolve(const ResolveRequest& request) const;

  // Return where each value of the same case comes from, the peaks that its formulas name included, or the
  // same mistakes; of a case whose file alone has mistakes, what holds without it, and `unreadable` with
  // them.
  Parsed<std::vector<SettingOrigin>> explain(const ResolveRequest& request) const;

  // Return what holds for the suite as a whole and decides what is judged, and how: the keys of [suite] that
  // do, and [platforms], [peaks] and [jsonl].
  std::vector<SettingOrigin> explain_suite() const;

  // Return [case."GLOB"] blocks whose glob matches none of the names, as diagnostics (a glob that selects
  // nothing is an error).
  Diagnostics unmatched_blocks(std::span<const std::string> case_names) const;

 private:
  struct State;
  struct Resolved;
  static void prepare_base(State& state);
  Parsed<Resolved> layered(const ResolveRequest& request) const;
  Parsed<std::vector<SettingOrigin>> explain_without_file(ResolveRequest request,
                                                          const Diagnostics& mistakes) const;
  explicit Policy(std::unique_ptr<State> state);
  std::unique_ptr<State> state_;
};

}  // namespace gate::config
