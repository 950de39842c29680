#include "suite/resolved_case.h"

#include <algorithm>

#include "gate/base/text.h"
#include "gate/base/time.h"
#include "gate/config/sourced_files.h"
#include "gate/suite/imported_sources.h"
#include "gate/suite/predecessors.h"
#include "gate/suite/profile_choice.h"
#include "suite/golden_files.h"

namespace gate::app {

namespace {

// Return where somebody wrote the key, or the first of those below one that ends in a dot; "" where nobody
// did.
std::string written_at(const std::vector<config::SettingOrigin>& lines, std::string_view key) {
  const auto is_it = [&](const config::SettingOrigin& line) {
    const bool is_named = key.ends_with('.') ? line.key.starts_with(key) : line.key == key;
    return is_named && line.origin.english() != "built-in";
  };
  const auto found = std::ranges::find_if(lines, is_it);
  return found == lines.end() ? "" : found->origin.english();
}

std::string setting_place(const std::string& key, const config::Policy& policy,
                          const config::ResolveRequest& request) {
  const auto origins = policy.explain(request);
  return origins ? written_at(*origins, key) : "";
}

// A quarantine or a waiver that nobody would outlive is what nobody judges.
std::string too_long(const char* what, const std::string& until, const std::string& today) {
  constexpr std::int64_t longest = 90;
  const auto days = days_between(today, until);
  if (days && *days <= longest) return "";
  return std::string(what) + " is " + std::to_string(longest) + " days long at most, and until " + until +
         " it is " + (days ? std::to_string(*days) : "more");
}

// The given ones win if both read a metric.
std::vector<extract::UserPattern> with_given(std::vector<extract::UserPattern> declared,
                                             const std::vector<extract::UserPattern>& given) {
  for (const extract::UserPattern& pattern : given)
    std::erase_if(declared, [&](const auto& other) { return other.metric == pattern.metric; });
  declared.insert(declared.end(), given.begin(), given.end());
  return declared;
}

config::Parsed<config::Case> resolve(const Suite& suite, const config::ResolveRequest& request) {
  config::Parsed<config::Case> resolved = suite.policy.resolve(request);
  if (!resolved) return resolved;
  resolved->patterns = with_given(std::move(resolved->patterns), suite.given_patterns);
  Diagnostics mistakes;
  if (!resolved->settings.container.image.empty() && !resolved->settings.container.exec.empty())
    mistakes.push_back(
        {{setting_place("container.exec", suite.policy, request)},
         "container.image and container.exec exclude one another; an empty text takes one back"});
  const auto demand_end = [&](const char* what, const std::string& until, const std::string& key) {
    if (std::string mistake = too_long(what, until, suite.today); !mistake.empty())
      mistakes.push_back({{setting_place(key, suite.policy, request)}, std::move(mistake)});
  };
  if (const auto& quarantine = resolved->settings.quarantine)
    demand_end("a quarantine", quarantine->until, "quarantine.until");
  for (const Rule& rule : resolved->rules)
    if (rule.waive) demand_end("a waiver", rule.waive->until, "rules." + rule.name + ".waive.until");
  if (const Status known = check_recipe(resolved->settings); !known)
    mistakes.push_back({{setting_place("recipe.metrics", suite.policy, request)}, known.error().message});
  if (!mistakes.empty()) return tl::unexpected(std::move(mistakes));
  return resolved;
}

// Put the variants of a case in the place of its name.
void name_variants(std::vector<std::string>& after, const SpokenNames& names) {
  std::vector<std::string> all;
  for (const std::string& name : after) {
    const auto variants = names.variants.find(name);
    const bool is_case = std::ranges::binary_search(names.cases, name) || variants == names.variants.end();
    for (const std::string& one : is_case ? std::vector{name} : variants->second)
      if (std::ranges::find(all, one) == all.end()) all.push_back(one);
  }
  after = std::move(all);
}

// Cases that formulas name and that the suite does not have.
Diagnostics unknown_partners(const config::Case& spec, const Suite& suite,
                             const config::ResolveRequest& request, const std::vector<std::string>& names) {
  Diagnostics mistakes;
  for (const judge::Derivation& derivation : spec.derivations)
    for (const judge::Term& term : derivation.formula.terms) {
      const std::string& name = term.case_name;
      if (name.empty() || std::ranges::binary_search(names, name)) continue;
      const bool is_judged =
          std::ranges::find(spec.rules, derivation.metric, &Rule::metric) != spec.rules.end();
      if (term.is_beside && !is_judged) continue;
      const std::string key = "metrics." + derivation.metric + ".formula";
      mistakes.push_back({{setting_place(key, suite.policy, request)},
                          "formula \"" + printable(derivation.formula.text, 80) + "\": no case \"" +
                              printable(name, 80) + "\", at character " + std::to_string(term.character) +
                              did_you_mean(name, names)});
    }
  return mistakes;
}

// The lines of a script that count, and what its mistakes are told by.
struct HeaderText {
  ScriptTexts::Text text;  // nullptr: none
  std::string label;
};

// If a git ref judges, it has the say on the scripts that it has.
Result<HeaderText> header_text(const Suite& suite, const config::CaseScript& found, ScriptTexts& texts) {
  const Suite* source = suite.trusted ? &suite.trusted->at_ref : nullptr;
  const config::Case* trusted = source != nullptr ? source->find(found.name) : nullptr;
  if (trusted == nullptr) source = &suite;
  const std::string& script = trusted != nullptr ? trusted->script : found.script;
  ScriptTexts::Text text = texts.read(source->root / script);
  if (!*text) return tl::unexpected(text->error());
  return HeaderText{std::move(text), source->read_from + script};
}

// The words that are launched are the tree's, whoever judges; whether they are is said by who judges.
Diagnostics take_case_file(config::Case& spec, const Suite& suite, ScriptTexts& texts) {
  if (spec.kind == config::CaseKind::script || spec.script.empty()) return {};
  const ScriptTexts::Text text = texts.read(suite.root / spec.script);
  if (!*text) return {{{spec.script}, text->error().message}};
  auto file = config::read_case_file(spec.kind, **text, spec.script);
  if (!file) return std::move(file.error());
  spec.file = std::move(*file);
  const config::Case* trusted = suite.trusted ? suite.trusted->at_ref.find(spec.name) : nullptr;
  if (trusted == nullptr || trusted->kind == config::CaseKind::script) return {};
  spec.file.unsupported = trusted->file.unsupported;
  spec.file.begins_from_scratch = trusted->file.begins_from_scratch;
  spec.file.goes_on_from_data = trusted->file.goes_on_from_data;
  return {};
}

// The words of `launch` and of the command line are the script's, too.
std::string further_words(const config::Case& spec, const Suite& suite) {
  return spec.launch + " " + (suite.is_told(spec.name) ? join(suite.args, " ") : "");
}

std::shared_ptr<const std::string> training_text(const config::Case& spec, const Suite& suite,
                                                 ScriptTexts& texts) {
  const std::string further = further_words(spec, suite);
  if (spec.kind == config::CaseKind::script)
    return texts.training_text(suite.root / spec.script, spec.cwd, further, spec.variant != nullptr);
  const std::string launched = "torchrun " + words_of_file(spec);
  return std::make_shared<const std::string>(launched + further);
}

config::SequenceLength sequence_length(const config::Case& spec, const Suite& suite, ScriptTexts& texts) {
  const std::string further = further_words(spec, suite);
  if (spec.kind == config::CaseKind::script) return texts.sequence_length(suite.root / spec.script, further);
  return config::read_sequence_length(words_of_file(spec) + further);
}

ResolvedCase resolve_with(const HeaderText& header, const Suite& suite, const config::CaseScript& found,
                          const SpokenNames& names, ScriptTexts& texts) {
  const std::vector<config::Override> overrides = suite.overrides_of(found.name);
  const std::string_view text = header.text ? std::string_view(**header.text) : std::string_view();
  const config::ResolveRequest request{found.name, header.label, text, overrides, found.group, found.variant};
  config::Parsed<config::Case> resolved = resolve(suite, request);
  if (!resolved) return {std::nullopt, std::move(resolved.error())};
  resolved->script = found.script;
  resolved->cwd = suite.cwds[found.group];
  place_golden_files(resolved->settings, suite);
  Diagnostics mistakes = take_case_file(*resolved, suite, texts);
  if (!found.script.empty() && config::needs_seq_length(*resolved))
    resolved->seq_length = sequence_length(*resolved, suite, texts);
  if (!found.script.empty()) resolved->training_text = training_text(*resolved, suite, texts);
  const auto place = [&](const char* key) { return Position{setting_place(key, suite.policy, request)}; };
  std::ranges::move(bind_reference(*resolved, texts.references, [&] { return place("reference"); }),
                    std::back_inserter(mistakes));
  if (!published_metric(*resolved).empty())
    if (Sentence changed = changed_reference(*resolved->reference, texts.references, suite.root);
        !changed.empty())
      resolved->source_changes.push_back(std::move(changed));
  std::ranges::move(unknown_partners(*resolved, suite, request, names.cases), std::back_inserter(mistakes));
  name_variants(resolved->settings.after, names);
  if (!resolved->settings.after.empty())
    std::ranges::move(check_after(*resolved, names.all, [&](const config::Case&) { return place("after"); }),
                      std::back_inserter(mistakes));
  return {std::move(*resolved), std::move(mistakes)};
}

// `--seq-length $SEQ_LENGTH = 4096`.
std::string shown_length(const config::SequenceLength& length) {
  const bool is_variable = length.number && !length.variable.empty();
  return length.text + (is_variable ? " = " + std::to_string(*length.number) : "");
}

}  // namespace

std::string ScriptTexts::with_sourced_texts(const fs::Path& script, const fs::Path& folder) {
  constexpr std::size_t longest = 1 << 20;
  const Text text = read(script);
  return config::with_sourced_files(
      *text ? **text : std::string_view(), [&](const std::string& path, bool is_beside) {
        const std::string beside = script.native().substr(0, script.native().rfind('/') + 1);
        const std::string file = (is_beside ? beside : (folder / "").native()) + path;
        return known(sourced_, file, [&] {
          const Result<std::string> found = fs::read_regular(file, longest);
          return found ? std::optional(*found) : std::nullopt;
        });
      });
}

SpokenNames spoken_of(const Suite& suite) {
  SpokenNames names;
  for (const config::CaseScript& found : suite.found) {
    names.cases.push_back(found.name);
    if (found.variant) names.variants[found.base()].push_back(found.name);
  }
  if (suite.trusted)
    for (const auto& [name, new_name] : suite.trusted->gone) names.cases.push_back(name);
  names.cases.insert(names.cases.end(), suite.left_out.begin(), suite.left_out.end());
  std::ranges::sort(names.cases);
  names.all = names.cases;
  for (const auto& [base, variants] : names.variants) names.all.push_back(base);
  std::ranges::sort(names.all);
  return names;
}

ResolvedCase resolve_case(const Suite& suite, const config::CaseScript& found, const SpokenNames& names,
                          ScriptTexts& texts) {
  const Result<HeaderText> header = header_text(suite, found, texts);
  ResolvedCase read = header ? resolve_with(*header, suite, found, names, texts)
                             : ResolvedCase{{}, {{{found.script}, header.error().message}}};
  const auto is_own = [&](const Diagnostic& one) {
    return config::are_of_file({one}, found.script) || (header && config::are_of_file({one}, header->label));
  };
  if (read.mistakes.empty() || !std::ranges::all_of(read.mistakes, is_own)) return read;
  config::CaseScript alone = found;
  alone.script.clear();
  ResolvedCase without = resolve_with({}, suite, alone, names, texts);
  if (!without.spec || !without.mistakes.empty()) return read;
  without.spec->script = found.script;
  take_case_file(*without.spec, suite, texts);  // whether gate would run it
  without.spec->file.unreadable = to_string(read.mistakes, "; ");
  return without;
}

std::vector<extract::UserPattern> Suite::patterns() const {
  return with_given(policy.patterns(), given_patterns);
}

Answer<config::Case> case_of_no_script(const Suite& suite, const std::vector<config::Override>& overrides) {
  config::Parsed<config::Case> resolved = resolve(suite, {"", "", "", overrides});
  if (!resolved) return usage(to_string(resolved.error()));
  return std::move(*resolved);
}

Answer<config::Case> gone_case(const Suite& suite, const std::string& name) {
  ScriptTexts texts;
  GATE_TRY(texts.references, references_in(suite.trusted ? suite.trusted->at_ref.root : suite.root));
  const config::CaseScript* const was = suite.trusted ? suite.trusted->at_ref.found_case(name) : nullptr;
  config::CaseScript gone = was != nullptr ? *was : config::CaseScript{name, ""};
  gone.script.clear();
  ResolvedCase resolved = resolve_case(suite, gone, spoken_of(suite), texts);
  if (!resolved.spec) return usage(to_string(resolved.mistakes));
  return std::move(*resolved.spec);
}

Answer<std::vector<config::SettingOrigin>> origins(const Suite& suite, const config::Case& spec) {
  const config::CaseScript* const known = suite.found_case(spec.name);
  const config::CaseScript found = known != nullptr ? *known : config::CaseScript{spec.name, spec.script};
  ScriptTexts texts;
  GATE_TRY(const HeaderText header, or_usage(header_text(suite, found, texts)));
  const std::vector<config::Override> overrides = suite.overrides_of(spec.name);
  auto origins =
      suite.policy.explain({spec.name, header.label, **header.text, overrides, found.group, found.variant});
  if (!origins) return usage(to_string(origins.error()));
  mark_unused(*origins, spec.settings);
  if (spec.seq_length && !spec.seq_length->text.empty())
    origins->push_back({"seq_length", shown_length(*spec.seq_length), spec.script});
  return std::move(*origins);
}

Position place_of_setting(const Suite& suite, const config::Case& spec, std::string_view key) {
  const auto lines = origins(suite, spec);
  return lines ? Position{written_at(*lines, key)} : Position{};
}

}  // namespace gate::app
