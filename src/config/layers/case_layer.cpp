#include "config/layers/case_layer.h"

#include <algorithm>
#include <array>

#include "config/layers/script_header.h"
#include "gate/base/text.h"
#include "gate/config/megatron.h"

namespace gate::config {

namespace {

// Which of a test's launches begin from a checkpoint that is there already, and whether a second one goes on
// from the middle of the first.
struct TestTypeRow {
  std::string_view name;
  bool loads_checkpoint = false;
  bool resumes = false;
  bool is_known = true;
};
constexpr std::array test_types{TestTypeRow{""},
                                TestTypeRow{"regular"},
                                TestTypeRow{"frozen-start", true},
                                TestTypeRow{"release", true},
                                TestTypeRow{"ckpt-resume", false, true},
                                TestTypeRow{"frozen-resume", false, true},
                                TestTypeRow{"checkpoint-consistency", false, false, false}};

const TestTypeRow* find_type(const MegatronCase& of) {
  const auto* const type = std::ranges::find(test_types, of.test_type, &TestTypeRow::name);
  return type == test_types.end() || !type->is_known ? nullptr : type;
}

class MegatronLayer {
 public:
  explicit MegatronLayer(const MegatronCase& of) : of_(of) {}

  Layer read() {
    for (const MegatronSetting& variable : of_.env) add("env." + variable.name, variable.value, variable.at);
    if (!of_.metrics.empty()) add_list("compare", of_.metrics, of_.at("METRICS"));
    if (!of_.before_script.empty()) add("setup", of_.before_script, of_.at("BEFORE_SCRIPT"));
    if (const auto steps = of_.steps()) add("steps", std::to_string(*steps), of_.at("MODEL_ARGS"));
    if (!of_.test_type.empty()) add_list("tags", {of_.test_type}, of_.at("TEST_TYPE"));
    if (of_.skips_comparison()) add("judge", "exit", of_.at("ENV_VARS"));
    if (const auto* type = find_type(of_); type != nullptr && type->resumes && of_.train_iters() > 1)
      add_phases();
    if (!of_.is_deterministic()) add("allow_nondeterministic", "true", of_.at("ENV_VARS"));
    return std::move(layer_);
  }

 private:
  // Megatron's own test: run 1 is the golden file of run 2 behind the middle of --train-iters, from which run
  // 2 goes on. That of a frozen test loads a checkpoint that is there instead.
  void add_phases() {
    const Position& at = of_.at("TEST_TYPE");
    const std::string middle = std::to_string(of_.train_iters() / 2);
    add_list("phases", {"full", "resume"}, at);
    add("phase.resume.window", "after " + middle, at);
    if (of_.test_type == "ckpt-resume") add("phase.resume.from", middle, at);
  }

  void add(const std::string& key, const std::string& value, const Position& at) {
    RawValue raw;
    raw.text = value;
    raw.items = {value};
    raw.at = at;
    raw.origin = to_string(at);
    layer_.push_back({Area::setting, "", {}, key, std::move(raw)});
  }

  void add_list(const std::string& key, const std::vector<std::string>& values, const Position& at) {
    add(key, join(values, ","), at);
    layer_.back().raw.items = values;
  }

  const MegatronCase& of_;
  Layer layer_;
};

// Why one launch is not all of the case; "" if it is.
std::string unsupported(const MegatronCase& of) {
  if (!of.trains()) return "MODE " + printable(of.mode, 40) + " prints no training: gate does not run it";
  const TestTypeRow* const type = find_type(of);
  if (type == nullptr)
    return "TEST_TYPE " + printable(of.test_type, 40) + " is none that gate knows: gate does not run it";
  if (type->resumes && of.train_iters() < 2)
    return "--train-iters has no middle from which a second run could go on: gate does not run it";
  if (!of.after_script.empty()) return "it has an AFTER_SCRIPT: gate does not run it";
  if (std::ranges::any_of(of.args, [](const auto& arg) { return !arg.flag.starts_with('-'); }))
    return "MODEL_ARGS are NeMo's, as key=value: gate does not run it";
  return "";
}

std::vector<CaseWord> words_of(const MegatronCase& of, int run) {
  std::vector<CaseWord> words;
  for (const MegatronArgument& argument : of.args_of(run)) {
    words.push_back({argument.flag, argument.at});
    for (const std::string& word : argument.words) words.push_back({word, argument.at});
  }
  return words;
}

}  // namespace

Layer read_case_layer(CaseKind kind, std::string_view text, const std::string& file, Diagnostics& mistakes) {
  if (kind == CaseKind::script) return read_header(text, file, mistakes);
  if (file.empty()) return {};  // of no case
  const auto of = read_megatron_case(text, file);
  if (!of) {
    mistakes.insert(mistakes.end(), of.error().begin(), of.error().end());
    return {};
  }
  Layer layer = MegatronLayer(*of).read();
  validate(layer, mistakes);
  return layer;
}

Parsed<CaseFile> read_case_file(CaseKind kind, std::string_view text, const std::string& file) {
  if (kind == CaseKind::script) return CaseFile{};
  GATE_TRY(const MegatronCase of, read_megatron_case(text, file));
  const TestTypeRow* const type = find_type(of);
  CaseFile out{words_of(of, 1), {}, type == nullptr || !type->loads_checkpoint, unsupported(of)};
  if (of.args_2) out.args_2 = words_of(of, 2);
  out.goes_on_from_data = of.test_type == "frozen-resume";
  return out;
}

const std::vector<CaseWord>& args_of_phase(const CaseFile& file, std::size_t phase) {
  return phase > 0 && file.args_2 ? *file.args_2 : file.args;
}

std::string unreadable_words(const Case& spec) {
  return spec.file.unreadable.empty() ? "" : "its settings cannot be read: " + spec.file.unreadable;
}

std::string skip_words(const Case& spec) {
  return spec.settings.skip.empty() ? spec.file.unsupported : spec.settings.skip;
}

std::string withheld_words(const Case& spec) {
  const std::string why = skip_words(spec);
  return why.empty() ? unreadable_words(spec) : "skipped: " + why;
}

std::string words_of_file(const Case& spec) {
  std::string words;
  for (const CaseWord& word : spec.file.args) words += word.text + " ";
  return words;
}

}  // namespace gate::config
