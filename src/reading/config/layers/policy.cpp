#include "gate/config/policy.h"

#include <algorithm>
#include <set>
#include <tuple>

#include "config/layers/document.h"
#include "config/layers/layers.h"
#include "config/layers/metrics.h"
#include "config/layers/rule_layers.h"
#include "config/tables/setting_table.h"
#include "gate/base/text.h"
#include "gate/config/formulas.h"

namespace gate::config {

std::vector<std::string> host_words(const HostSettings& hosts, const Settings& settings) {
  const PlaceTraits traits = traits_of(settings.backend);
  if (!traits.takes_hosts) return {};
  if (!traits.names_hosts || !settings.hosts.empty()) return settings.hosts;
  return keys_in(hosts.groups);
}

// Every layer of one case, put together. What is merged points into the layers, wherever they are moved.
struct Policy::Resolved {
  Layer header, axes, params, words;
  Merged merged;
  Metrics metrics;
  RuleList rules;
  std::vector<extract::AttemptMetric> of_attempts;
};

namespace {

// A variable that a matrix has on some platforms.
struct PlatformEntry {
  std::string platform;  // glob
  const TableEntry* entry = nullptr;
};

}  // namespace

struct Policy::State {
  Document document;
  std::vector<CaseGroup> groups;
  Metrics metrics;  // of the base

  // Of cases of which nothing above the base speaks of rules or metrics; none where the base alone lacks
  // something.
  std::optional<RuleList> rules_of_base;
  Metrics metrics_of_base;
  std::vector<extract::AttemptMetric> attempts_of_base;

  // Return the matrix that the case is of; nullptr where it is of none.
  const Matrix* matrix_of(const ResolveRequest& request) const;
  std::vector<const Layer*> blocks_of(const ResolveRequest& request) const;
  std::vector<const Layer*> variant_blocks_of(const ResolveRequest& request) const;

  // Return every layer of the case, the lowest first.
  std::vector<const Layer*> layers_of(const ResolveRequest& request, const Resolved& resolved) const;

  // Report what a variant's parameters may not be, without a platform and on each that the matrix names.
  void check_variant(const ResolveRequest& request, const Resolved& resolved, Diagnostics& mistakes) const;

  // Return the variables of platforms that no later layer sets.
  std::vector<PlatformEntry> platform_entries(const ResolveRequest& request, const Resolved& resolved) const;
};

namespace {

std::set<std::string> rules_with_tolerance(const Document& document) {
  std::set<std::string> names;
  const auto add = [&](const Layer& layer) {
    for (const TableEntry& entry : layer)
      if (entry.area == Area::rule && (entry.key == "tolerance" || entry.key == "tolerance.otherwise"))
        names.insert(entry.name);
  };
  add(document.base);
  for (const CaseBlock& block : document.blocks) add(block.layer);
  return names;
}

// Check the rules that the block speaks of as they stand on the base.
void check_block(const CaseBlock& block, const Merged& base, const Metrics& base_metrics, const Peaks& peaks,
                 const std::set<std::string>& elsewhere, Diagnostics& mistakes) {
  Drafts rules, metrics = base.metrics;
  bool own_metrics = false;
  for (const TableEntry& entry : block.layer) {
    const Draft* below = base.rules.find(entry.name);
    if (entry.area == Area::rule && rules.find(entry.name) == nullptr && below != nullptr)
      rules.draft_of(entry.name) = *below;
    if (entry.area == Area::rule) rules.draft_of(entry.name).add(entry);
    if (entry.area == Area::metric) metrics.draft_of(entry.name).add(entry);
    own_metrics |= entry.area == Area::metric;
  }
  check_rules(rules, own_metrics ? metrics_of(metrics, peaks, mistakes) : base_metrics, elsewhere, mistakes);
}

bool says_rules(const Layer* layer) {
  return std::ranges::any_of(*layer, [](const TableEntry& entry) { return entry.area != Area::setting; });
}

Metrics check_document(const Document& document, Diagnostics& mistakes) {
  const std::set<std::string> elsewhere = rules_with_tolerance(document);
  Merged base;
  base.add(document.base);
  Metrics metrics = metrics_of(base.metrics, document.peaks, mistakes);
  check_rules(base.rules, metrics, elsewhere, mistakes);
  check_untouched_rules(base.rules, metrics, mistakes);
  for (const CaseBlock& block : document.blocks)
    check_block(block, base, metrics, document.peaks, elsewhere, mistakes);
  if (!document.hosts_are_known) return metrics;
  check_hosts(document.base, document.hosts, mistakes);
  for (const GroupBlock& block : document.groups) check_hosts(block.layer, document.hosts, mistakes);
  for (const CaseBlock& block : document.blocks) check_hosts(block.layer, document.hosts, mistakes);
  return metrics;
}

// A quarantine says until when, why, and who ends it.
void check_quarantine(const Merged& merged, Diagnostics& mistakes) {
  const TableEntry* said = nullptr;
  std::vector<std::string> lacking;
  for (const std::string key : {"until", "reason", "owner"}) {
    const auto entry = merged.settings.find("quarantine." + key);
    if (entry == merged.settings.end())
      lacking.push_back(key);
    else if (said == nullptr)
      said = entry->second;
  }
  if (said == nullptr || lacking.empty()) return;
  mistakes.push_back({said->raw.at, "the quarantine has no " + join(lacking, " and no ") +
                                        "; it needs until, reason and owner"});
}

// Return the mistakes in the order of their places, each once.
Diagnostics in_order(Diagnostics mistakes) {
  std::set<std::string> seen;
  Diagnostics unique;
  for (Diagnostic& mistake : mistakes)
    if (seen.insert(to_string(mistake)).second) unique.push_back(std::move(mistake));
  std::ranges::stable_sort(
      unique, {}, [](const Diagnostic& one) { return std::tie(one.at.file, one.at.line, one.at.column); });
  return unique;
}

// A case is one file.
void check_names(std::vector<CaseScript>& cases, Diagnostics& mistakes) {
  for (std::size_t i = 1; i < cases.size(); ++i)
    if (cases[i].name == cases[i - 1].name && cases[i].script != cases[i - 1].script)
      mistakes.push_back({{cases[i].script},
                          "is case " + printable(cases[i].name, 120) + ", and so is " +
                              printable(cases[i - 1].script, 120) +
                              ": put the two into groups of their own, [group.NAME]"});
  const auto same = [](const CaseScript& a, const CaseScript& b) { return a.name == b.name; };
  cases.erase(std::unique(cases.begin(), cases.end(), same), cases.end());
}

// Put what the further document says of metrics and rules on top.
void add_metrics(Document& document, Document further) {
  for (TableEntry& entry : further.base)
    if (entry.area != Area::setting) document.base.push_back(std::move(entry));
  for (std::string extract::JsonNames::*name :
       {&extract::JsonNames::step, &extract::JsonNames::total, &extract::JsonNames::rank})
    if (!(further.json.*name).empty()) document.json.*name = std::move(further.json.*name);
  for (auto& [type, by_platform] : further.peaks)
    for (auto& [platform, peak] : by_platform) document.peaks[type].insert_or_assign(platform, peak);
}

extract::JsonNames with_metrics(extract::JsonNames names, const Metrics& metrics) {
  names.metrics = metrics.json.metrics;
  return names;
}

}  // namespace

void Policy::prepare_base(State& state) {
  Diagnostics mistakes;
  Merged base;
  base.add(state.document.base);
  check_rules(base.rules, state.metrics, {}, mistakes);
  check_untouched_rules(base.rules, state.metrics, mistakes);
  if (!mistakes.empty()) return;
  state.metrics_of_base = state.metrics;
  std::vector<Rule> rules = rules_of(base.rules);
  state.attempts_of_base = choose_attempts(rules, state.metrics_of_base.table);
  state.rules_of_base = std::move(rules);
}

Parsed<Policy> Policy::parse(std::string_view toml, const std::string& file) {
  return parse(toml, file, "", "");
}

Parsed<Policy> Policy::parse(std::string_view toml, const std::string& file, std::string_view further,
                             const std::string& further_file) {
  Diagnostics mistakes;
  auto state = std::make_unique<State>();
  state->document = read_document(toml, file, mistakes);
  if (!further_file.empty()) add_metrics(state->document, read_document(further, further_file, mistakes));
  state->metrics = check_document(state->document, mistakes);
  for (const GroupBlock& block : state->document.groups) state->groups.push_back(block.group);
  if (!mistakes.empty()) return tl::unexpected(in_order(std::move(mistakes)));
  prepare_base(*state);
  return Policy(std::move(state));
}

Policy::Policy(std::unique_ptr<State> state) : state_(std::move(state)) {}
Policy::Policy(const Policy& other) : state_(std::make_unique<State>(*other.state_)) {}
Policy& Policy::operator=(const Policy& other) {
  state_ = std::make_unique<State>(*other.state_);
  return *this;
}
Policy::Policy(Policy&&) noexcept = default;
Policy& Policy::operator=(Policy&&) noexcept = default;
Policy::~Policy() = default;

const std::vector<CaseGroup>& Policy::groups() const { return state_->groups; }
const std::string& Policy::name() const { return state_->document.suite.name; }
const std::string& Policy::platform() const { return state_->document.suite.platform; }
const std::string& Policy::environment() const { return state_->document.suite.environment; }
const std::string& Policy::naming(std::string_view group) const {
  const auto own = std::ranges::find(groups(), group, &CaseGroup::name);
  return own == groups().end() || own->naming.empty() ? state_->document.suite.group.naming : own->naming;
}
const std::string& Policy::history() const { return state_->document.suite.history; }
int Policy::keep_runs() const { return state_->document.suite.keep_runs; }
bool Policy::shared() const { return state_->document.suite.shared; }
const std::vector<std::string>& Policy::secrets() const { return state_->document.suite.secrets; }
const std::map<std::string, std::vector<std::string>>& Policy::platforms() const {
  return state_->document.platforms;
}
const HostSettings& Policy::hosts() const { return state_->document.hosts; }
const std::vector<Receiver>& Policy::receivers() const { return state_->document.receivers; }
const Stores& Policy::stores() const { return state_->document.stores; }
const Peaks& Policy::peaks() const { return state_->document.peaks; }
const std::vector<Strategy>& Policy::strategies() const { return state_->document.strategies; }
const std::vector<Feature>& Policy::features() const { return state_->document.features; }
const WorkerSettings& Policy::worker() const { return state_->document.worker; }
const MetricTable& Policy::metrics() const { return state_->metrics.table; }
const std::vector<extract::UserPattern>& Policy::patterns() const { return state_->metrics.patterns; }
extract::JsonNames Policy::json() const { return with_metrics(state_->document.json, state_->metrics); }
const std::vector<judge::Derivation>& Policy::derivations() const { return state_->metrics.derivations; }

namespace {

// Put the names of the variants beside the case into the formula.
Status bind_formula(judge::Derivation& derivation, const ResolveRequest& request) {
  const auto name_beside = [&](std::string& name) -> Status {
    if (!name.starts_with('@') || request.case_name.empty()) return {};
    if (!request.variant)
      return fail("\"" + printable(name, 80) + "\" is a variant, and this case is of no matrix");
    GATE_TRY(name, variant_beside(*request.variant, name));
    return {};
  };
  for (judge::Term& term : derivation.formula.terms) GATE_TRY_STATUS(name_beside(term.case_name));
  for (std::string& name : derivation.cases) GATE_TRY_STATUS(name_beside(name));
  std::ranges::sort(derivation.cases);
  return {};
}

// Mistakes are at the formula's text.
Diagnostics bind_formulas(Metrics& metrics, const std::vector<Rule>& rules, const ResolveRequest& request) {
  const auto is_judged = [&](const std::string& metric) {
    return std::ranges::find(rules, metric, &Rule::metric) != rules.end();
  };
  Diagnostics mistakes;
  for (judge::Derivation& derivation : metrics.derivations) {
    const auto at = metrics.declared.find(derivation.metric);
    const Status bound = bind_formula(derivation, request);
    if (!bound && is_judged(derivation.metric))
      mistakes.push_back(
          {at == metrics.declared.end() ? Position{} : at->second,
           "formula \"" + printable(derivation.formula.text, 80) + "\": " + bound.error().message});
  }
  return mistakes;
}

// Return the peaks of the types that the formulas name.
Peaks peaks_for(const std::vector<judge::Derivation>& derivations, const Peaks& peaks) {
  Peaks named;
  for (const judge::Derivation& derivation : derivations)
    for (const judge::Term& term : derivation.formula.terms)
      if (term.type == auto_peak)
        return peaks;
      else if (const auto of_type = peaks.find(term.type); of_type != peaks.end())
        named.insert(*of_type);
  return named;
}

// As `gate list --explain` tells them.
void add_peaks(const Peaks& peaks, std::vector<SettingOrigin>& lines) {
  for (const auto& [type, by_platform] : peaks)
    for (const auto& [platform, peak] : by_platform)
      lines.push_back({"peaks." + platform + "." + type, peak.text, peak.origin});
}

std::vector<PlatformVariable> told_variables(const std::vector<PlatformEntry>& entries) {
  std::vector<PlatformVariable> variables;
  for (const auto& [platform, entry] : entries) {
    Settings scratch;
    assign_setting(scratch, entry->key, entry->raw);
    const std::string name = entry->key.substr(std::string_view("env.").size());
    variables.push_back({platform, name, scratch.env[name]});
  }
  return variables;
}

// The settings as the case has them: `{case}` is its name.
Settings settings_for(const Merged& merged, const std::string& case_name) {
  Settings settings = built_in_settings();
  for (const auto& [key, entry] : merged.settings) assign_setting(settings, key, entry->raw);
  for (std::string& glob : settings.log)
    glob = expand(glob, {{"case", case_name}, {"rank", "{rank}"}, {"scratch", "{scratch}"}}).value_or(glob);
  return settings;
}

}  // namespace

const Matrix* Policy::State::matrix_of(const ResolveRequest& request) const {
  return request.variant ? &document.matrices[request.variant->matrix] : nullptr;
}

std::vector<const Layer*> Policy::State::blocks_of(const ResolveRequest& request) const {
  std::vector<const Layer*> layers;
  for (const CaseBlock& block : document.blocks)
    if (glob_match(block.glob, request.case_name) ||
        (request.variant && glob_match(block.glob, request.variant->base)))
      layers.push_back(&block.layer);
  return layers;
}

std::vector<const Layer*> Policy::State::variant_blocks_of(const ResolveRequest& request) const {
  std::vector<const Layer*> layers;
  if (!request.variant) return layers;
  const std::string_view tail = std::string_view(request.case_name).substr(request.variant->base.size() + 1);
  for (const VariantBlock& block : matrix_of(request)->variants)
    if (glob_match(block.glob, tail)) layers.push_back(&block.params);
  return layers;
}

std::vector<const Layer*> Policy::State::layers_of(const ResolveRequest& request,
                                                   const Resolved& resolved) const {
  std::vector<const Layer*> layers{&document.base};
  if (!request.case_name.empty()) layers.push_back(&document.groups[request.group].layer);
  layers.push_back(&resolved.header);
  if (const Matrix* matrix = matrix_of(request))
    layers.insert(layers.end(), {&matrix->layer, &resolved.axes});
  std::ranges::copy(blocks_of(request), std::back_inserter(layers));
  std::ranges::copy(variant_blocks_of(request), std::back_inserter(layers));
  layers.insert(layers.end(), {&resolved.params, &resolved.words});
  return layers;
}

void Policy::State::check_variant(const ResolveRequest& request, const Resolved& resolved,
                                  Diagnostics& mistakes) const {
  using Kind = ParamLayer::Kind;
  const Matrix& matrix = *matrix_of(request);
  std::vector<ParamLayer> above;
  for (const Layer* layer : blocks_of(request)) above.push_back({layer, Kind::other});
  for (const Layer* layer : variant_blocks_of(request)) above.push_back({layer, Kind::params});
  above.push_back({&resolved.params, Kind::params});
  above.push_back({&resolved.words, Kind::other});
  const Layer none;
  std::vector<const Layer*> platforms{&none};
  for (const PlatformBlock& block : matrix.platforms) platforms.push_back(&block.params);
  for (const Layer* platform : platforms) {
    std::vector<ParamLayer> layers{
        {&resolved.axes, Kind::axes}, {&matrix.layer, Kind::params}, {platform, Kind::params}};
    layers.insert(layers.end(), above.begin(), above.end());
    check_params(matrix, layers, mistakes);
  }
  for (std::size_t i = 0; i < matrix.platforms.size(); ++i)
    for (std::size_t j = i + 1; j < matrix.platforms.size(); ++j) {
      const PlatformBlock &one = matrix.platforms[i], &other = matrix.platforms[j];
      if (globs_overlap(one.platform, other.platform))
        check_params(matrix, std::vector<ParamLayer>{{&one.params}, {&other.params}}, mistakes);
    }
}

std::vector<PlatformEntry> Policy::State::platform_entries(const ResolveRequest& request,
                                                           const Resolved& resolved) const {
  std::vector<PlatformEntry> entries;
  const Matrix* const matrix = matrix_of(request);
  if (matrix == nullptr) return entries;
  std::set<std::string> later;
  const auto add = [&](const Layer& layer) {
    for (const TableEntry& entry : layer) later.insert(entry.key);
  };
  for (const Layer* layer : blocks_of(request)) add(*layer);
  for (const Layer* layer : variant_blocks_of(request)) add(*layer);
  add(resolved.params);
  add(resolved.words);
  for (const PlatformBlock& block : matrix->platforms)
    for (const TableEntry& entry : block.params)
      if (!later.contains(entry.key)) entries.push_back({block.platform, &entry});
  return entries;
}

Parsed<Policy::Resolved> Policy::layered(const ResolveRequest& request) const {
  Diagnostics mistakes;
  Resolved resolved;
  resolved.header =
      read_case_layer(state_->groups[request.group].kind, request.script_text, request.script, mistakes);
  resolved.words = read_overrides(request.overrides, mistakes);
  if (request.variant) {
    resolved.axes = layer_of(*request.variant);
    resolved.params = params_of(*state_->matrix_of(request), request.overrides);
    validate(resolved.params, mistakes);
  }
  check_hosts(resolved.header, state_->document.hosts, mistakes);
  check_hosts(resolved.words, state_->document.hosts, mistakes);
  const std::vector<const Layer*> layers = state_->layers_of(request, resolved);
  for (const Layer* layer : layers) resolved.merged.add(*layer);
  if (request.variant) state_->check_variant(request, resolved, mistakes);
  const bool is_as_base = state_->rules_of_base && std::none_of(layers.begin() + 1, layers.end(), says_rules);
  if (!is_as_base) {
    resolved.metrics = metrics_of(resolved.merged.metrics, state_->document.peaks, mistakes);
    check_rules(resolved.merged.rules, resolved.metrics, {}, mistakes);
    check_untouched_rules(resolved.merged.rules, resolved.metrics, mistakes);
  }
  check_quarantine(resolved.merged, mistakes);
  check_phases(resolved.merged, mistakes);
  check_outputs(resolved.merged, mistakes);
  if (!mistakes.empty()) return tl::unexpected(in_order(std::move(mistakes)));
  if (is_as_base) {
    resolved.metrics = state_->metrics_of_base;
    resolved.rules = *state_->rules_of_base;
    resolved.of_attempts = state_->attempts_of_base;
    return resolved;
  }
  std::vector<Rule> rules = rules_of(resolved.merged.rules);
  resolved.of_attempts = choose_attempts(rules, resolved.metrics.table);
  resolved.rules = std::move(rules);
  return resolved;
}

Parsed<Case> Policy::resolve(const ResolveRequest& request) const {
  GATE_TRY(auto resolved, layered(request));
  const CaseGroup& group = state_->groups[request.group];
  Settings settings = settings_for(resolved.merged, request.case_name);
  add_outputs(settings.outputs, resolved.metrics.table, resolved.rules);
  Peaks peaks = peaks_for(resolved.metrics.derivations, state_->document.peaks);
  const Diagnostics unbound = bind_formulas(resolved.metrics, resolved.rules, request);
  if (!unbound.empty()) return tl::unexpected(unbound);
  std::vector<SettingOrigin> said;
  if (settings.profile != "gate") said = origins_of(resolved.merged, resolved.rules, BuiltIns::left_out);
  return Case{request.case_name,
              request.script,
              group.name,
              group.launch,
              group.cwd,
              group.kind,
              {},
              request.variant,
              std::move(settings),
              told_variables(state_->platform_entries(request, resolved)),
              std::move(resolved.rules),
              std::move(resolved.metrics.table),
              std::move(resolved.metrics.patterns),
              std::move(resolved.of_attempts),
              with_metrics(state_->document.json, resolved.metrics),
              std::move(resolved.metrics.derivations),
              std::move(peaks),
              {},
              {},
              {},
              {},
              std::move(said),
              {},
              overruled_of(resolved.merged)};
}

Parsed<std::vector<SettingOrigin>> Policy::explain(const ResolveRequest& request) const {
  const auto read = layered(request);
  if (!read && are_of_file(read.error(), request.script)) return explain_without_file(request, read.error());
  GATE_TRY(const auto resolved, read);
  std::vector<SettingOrigin> lines = origins_of(resolved.merged, resolved.rules);
  for (const auto& [platform, entry] : state_->platform_entries(request, resolved))
    lines.push_back({"platform." + platform + "." + entry->key, entry->raw.text, entry->raw.origin});
  add_peaks(peaks_for(resolved.metrics.derivations, state_->document.peaks), lines);
  return lines;
}

std::vector<SettingOrigin> Policy::explain_suite() const {
  const SuiteValues& suite = state_->document.suite;
  std::vector<SettingOrigin> lines;
  for (const CaseGroup& group : groups()) {
    const std::string key = group.name.empty() ? "suite." : "group." + group.name + ".";
    std::vector<std::string> globs = group.cases;
    for (const std::string& glob : group.left_out) globs.push_back("!" + glob);
    lines.push_back({key + "cases", join(globs, ","), ""});
    lines.push_back({key + "baselines", join(group.baselines, ","), ""});
    lines.push_back({key + "launch", group.launch, ""});
    lines.push_back({key + "cwd", group.cwd, ""});
    lines.push_back({key + "kind", group.kind == CaseKind::megatron ? "megatron" : "script", ""});
  }
  lines.push_back({"suite.platform", suite.platform, ""});
  lines.push_back({"suite.environment", suite.environment, ""});
  for (const auto& [group, members] : platforms())
    lines.push_back({"platforms." + group, join(members, ","), ""});
  add_peaks(state_->document.peaks, lines);
  const extract::JsonNames& names = state_->document.json;
  lines.push_back({"jsonl.step", names.step, ""});
  lines.push_back({"jsonl.total", names.total, ""});
  lines.push_back({"jsonl.rank", names.rank, ""});
  return lines;
}

Parsed<std::vector<SettingOrigin>> Policy::explain_without_file(ResolveRequest request,
                                                                const Diagnostics& mistakes) const {
  const std::string script = std::exchange(request.script, "");
  request.script_text = "";
  GATE_TRY(std::vector<SettingOrigin> lines, explain(request));
  lines.push_back({"unreadable", to_string(mistakes, "; "), script});
  return lines;
}

bool are_of_file(const Diagnostics& mistakes, const std::string& file) {
  return !file.empty() && std::ranges::all_of(mistakes, [&](const Diagnostic& one) {
    return one.at.file == file || one.at.file.starts_with(file + ":");
  });
}

std::vector<SettingOrigin> header_settings(CaseKind kind, std::string_view script_text,
                                           const std::string& script) {
  Diagnostics mistakes;
  const Layer layer = read_case_layer(kind, script_text, script, mistakes);
  if (!mistakes.empty()) return {{"unreadable", to_string(mistakes, "; "), script}};
  std::vector<SettingOrigin> lines;
  for (const TableEntry& entry : layer) lines.push_back({entry.key, entry.raw.text, entry.raw.origin});
  if (const auto file = read_case_file(kind, script_text, script); file && !file->unsupported.empty())
    lines.push_back({"skipped", file->unsupported.english(), script});
  return lines;
}

namespace {

bool leaves_out(const CaseGroup& group, const CaseScript& found) {
  return std::ranges::any_of(group.left_out,
                             [&](const std::string& glob) { return glob_match(glob, found.script); });
}

}  // namespace

std::vector<std::string> Policy::left_out(std::span<const std::string> files) const {
  std::set<std::string> names, kept;
  for (const CaseGroup& group : state_->groups)
    for (const std::string& glob : group.cases)
      for (const CaseScript& found : config::find_cases(glob, files))
        (leaves_out(group, found) ? names : kept).insert(group.prefix() + found.name);
  std::erase_if(names, [&](const std::string& name) { return kept.contains(name); });
  return {names.begin(), names.end()};
}

bool Policy::narrows(std::span<const Override> overrides) const {
  return is_narrowed(state_->document.matrices, overrides);
}

Parsed<std::vector<CaseScript>> Policy::find_cases(std::span<const std::string> files,
                                                   std::span<const Override> overrides,
                                                   Unmatched unmatched) const {
  Diagnostics mistakes;
  std::vector<CaseScript> cases;
  for (std::size_t g = 0; g < state_->groups.size(); ++g) {
    const CaseGroup& group = state_->groups[g];
    for (std::size_t i = 0; i < group.cases.size(); ++i)
      for (CaseScript& found : config::find_cases(group.cases[i], files)) {
        if (leaves_out(group, found)) continue;
        found.name.insert(0, group.prefix());
        found.group = g;
        found.glob = i;
        cases.push_back(std::move(found));
      }
  }
  std::ranges::stable_sort(cases, {}, &CaseScript::name);
  check_names(cases, mistakes);
  cases = expand_matrices(state_->document.matrices, state_->groups, std::move(cases), overrides, unmatched,
                          mistakes);
  check_names(cases, mistakes);
  if (!mistakes.empty()) return tl::unexpected(in_order(std::move(mistakes)));
  return cases;
}

Diagnostics Policy::unmatched_blocks(std::span<const std::string> case_names) const {
  Diagnostics mistakes;
  for (const CaseBlock& block : state_->document.blocks) {
    if (std::ranges::none_of(case_names, [&](const auto& name) { return glob_match(block.glob, name); }))
      mistakes.push_back({block.at, no_case_matches(block.glob, state_->groups, case_names)});
  }
  return mistakes;
}

}  // namespace gate::config
