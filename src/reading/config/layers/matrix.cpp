#include "config/layers/matrix.h"

#include <algorithm>
#include <array>
#include <map>
#include <memory>
#include <set>

#include "config/tables/key_table.h"
#include "config/tables/setting_table.h"
#include "gate/base/text.h"

namespace gate::config {

namespace {

constexpr std::size_t most_variants = 100'000;
constexpr std::size_t longest_name = 200;  // bytes: files are called so, with an ending
constexpr std::string_view param_flag = "param.";

std::string shown_matrix(const Matrix& matrix) { return "[matrix.\"" + printable(matrix.glob, 80) + "\"]"; }

// A value that a name can hold, between `,` and `@`, and that a folder can be called by.
Status check_axis_value(const std::string& value) {
  const bool is_plain = !value.empty() && value.find_first_of("/,@*?[]\\\"'") == std::string::npos &&
                        trim(value) == value && printable(value, value.size()) == value;
  if (is_plain) return {};
  return fail(
      "\"" + printable(value, 80) +
      "\" cannot be part of a variant's name: a value is not empty, and without / , @ * ? [ ] quotes, "
      "\\ and blanks at its ends; take a short word, and let the script choose by it");
}

Status check_size(const RawValue& raw) {
  const std::size_t cross = std::min(raw.text.find('x'), raw.text.size());
  const bool is_plain = !raw.text.starts_with('0') && raw.text.substr(cross, 2) != "x0";
  if (says_both("devices", raw) && is_plain) return {};
  return fail(shown(raw) + " is no size; write NODESxDEVICES, as \"1x8\"");
}

// Variables by which gate tells a script the size.
bool is_of_size(std::string_view variable) {
  constexpr std::array<std::string_view, 7> told{
      "NNODES", "NODE_RANK", "WORLD_SIZE", "NPROC_PER_NODE", "GPUS_PER_NODE", "NPUS_PER_NODE", "RANK"};
  return std::ranges::find(told, variable) != told.end() || variable.ends_with("_VISIBLE_DEVICES");
}

// A variable that a matrix may set.
Status check_variable(std::string_view name) {
  if (!name.starts_with("GATE_")) return {};
  return fail(std::string(name) + " is gate's own; take another name");
}

// Read parameters, as `env.NAME`.
void read_params(const TomlTree& table, Layer& layer, Diagnostics& mistakes) {
  if (!table.is_table())
    return mistakes.push_back({table.raw.at, shown(table.raw) + " is no table of parameters"});
  for (const Branch& branch : table.branches) {
    if (const Status own = check_variable(branch.key); !own)
      mistakes.push_back({branch.at, own.error().message});
    layer.push_back({Area::setting, "", {}, "env." + branch.key, branch.tree.raw});
  }
}

class MatrixReader {
 public:
  MatrixReader(const Branch& branch, Diagnostics& mistakes) : mistakes_(mistakes) {
    matrix_.glob = branch.key;
    matrix_.at = branch.at;
  }

  Matrix read(const TomlTree& table) {
    for (const Branch& branch : table.branches) read_key(branch);
    std::stable_partition(matrix_.axes.begin(), matrix_.axes.end(),
                          [](const Axis& axis) { return axis.name == size_axis; });
    if (matrix_.axes.empty())
      report(matrix_.at,
             "a matrix without an axis; write size = [\"1x8\"], or a variable with a list of values");
    for (const Exclusion& one : matrix_.exclusions) check_exclusion(one);
    const bool has_size = !matrix_.axes.empty() && matrix_.axes.front().name == size_axis;
    for (const Axis& axis : matrix_.axes)
      if (has_size && is_of_size(axis.name))
        report(axis.at, axis.name + " is told by the size; leave out one of the two axes");
    validate(matrix_.layer, mistakes_);
    return std::move(matrix_);
  }

 private:
  void report(const Position& at, std::string message) { mistakes_.push_back({at, std::move(message)}); }

  void read_key(const Branch& branch) {
    if (branch.key == "exclude") return read_exclusions(branch.tree);
    if (branch.key == "mutable") return read_mutables(branch.tree);
    if (branch.key == "params") return read_params(branch.tree, matrix_.layer, mistakes_);
    if (branch.key == "variant") return read_variants(branch.tree);
    if (branch.key == "repeat")
      return matrix_.layer.push_back({Area::setting, "", {}, "repeat", branch.tree.raw});
    if (branch.key != size_axis && !is_variable_name(branch.key))
      return report(branch.at,
                    "\"" + printable(branch.key, 80) +
                        "\" is no axis; write size, the name of a variable of the script, or exclude, "
                        "repeat, mutable, params, variant");
    read_axis(branch);
  }

  void read_axis(const Branch& branch) {
    Axis axis{branch.key, branch.at, {}};
    if (const Status own = check_variable(axis.name); !own) return report(branch.at, own.error().message);
    if (branch.tree.raw.kind != RawValue::Kind::list && branch.tree.items.empty())
      return report(branch.tree.raw.at, shown(branch.tree.raw) + " is no axis; write a list of values");
    std::set<std::string> seen;
    for (const TomlTree& item : branch.tree.items) {
      const bool is_scalar = !item.is_table() && item.items.empty() && item.raw.kind != RawValue::Kind::list;
      const Status fits = !is_scalar                ? fail(shown(item.raw) + " is no value of an axis")
                          : branch.key == size_axis ? check_size(item.raw)
                                                    : check_axis_value(item.raw.text);
      if (!fits)
        report(item.raw.at, fits.error().message);
      else if (!seen.insert(item.raw.text).second)
        report(item.raw.at, shown(item.raw) + " is listed twice");
      else
        axis.values.push_back({axis.name, item.raw.text, item.raw.at, item.raw.origin});
    }
    if (axis.values.empty() && branch.tree.items.empty())
      return report(branch.tree.raw.at, "the axis has no value");
    matrix_.axes.push_back(std::move(axis));
  }

  void read_exclusions(const TomlTree& list) {
    for (const TomlTree& item : list.items) {
      Exclusion one{item.raw.at, {}};
      for (const Branch& branch : item.branches)
        one.values.push_back({branch.key, branch.tree.raw.text, branch.at, branch.tree.raw.origin});
      if (one.values.empty()) return report(item.raw.at, shown_exclusion(item.raw));
      matrix_.exclusions.push_back(std::move(one));
    }
    if (list.items.empty()) report(list.raw.at, shown_exclusion(list.raw));
  }

  static std::string shown_exclusion(const RawValue& raw) {
    return shown(raw) + " excludes nothing; write a list of tables, as [{ size = \"1x1\", TP = 2 }]";
  }

  void check_exclusion(const Exclusion& one) {
    for (const AxisValue& value : one.values) {
      const auto axis = std::ranges::find(matrix_.axes, value.axis, &Axis::name);
      if (axis == matrix_.axes.end())
        report(value.at, "the matrix has no axis \"" + printable(value.axis, 80) + "\"");
      else if (std::ranges::find(axis->values, value.value, &AxisValue::value) == axis->values.end())
        report(value.at,
               value.axis + " is never \"" + printable(value.value, 80) + "\": nothing is excluded");
    }
  }

  void read_mutables(const TomlTree& list) {
    const Result<std::vector<std::string>> names = read_list(list.raw);
    if (!names) return report(list.raw.at, names.error().message);
    matrix_.mutables = *names;
  }

  void read_variants(const TomlTree& table) {
    if (!table.is_table()) return report(table.raw.at, shown(table.raw) + " is no table of variants");
    for (const Branch& branch : table.branches) {
      VariantBlock block{branch.key, branch.at, {}};
      read_params(branch.tree, block.params, mistakes_);
      validate(block.params, mistakes_);
      matrix_.variants.push_back(std::move(block));
    }
  }

  Diagnostics& mistakes_;
  Matrix matrix_;
};

bool is_excluded(const Matrix& matrix, const Variant& variant) {
  return std::ranges::any_of(matrix.exclusions, [&](const Exclusion& one) {
    return std::ranges::all_of(one.values, [&](const AxisValue& excluded) {
      return std::ranges::any_of(variant.values, [&](const AxisValue& value) {
        return value.axis == excluded.axis && value.value == excluded.value;
      });
    });
  });
}

// Expands one matrix for one case after the other.
class Expander {
 public:
  // `matrix` has its axes as --set param.NAME=VALUE leaves them.
  Expander(Matrix matrix, std::size_t number) : matrix_(std::move(matrix)), number_(number) {}

  const Matrix& matrix() const { return matrix_; }

  // How many variants a case has, before exclusions; at most most_variants + 1.
  std::size_t size() const {
    std::size_t count = 1;
    for (const Axis& axis : matrix_.axes) count = std::min(count * axis.values.size(), most_variants + 1);
    return count;
  }

  // Adds the variants of the case. Their values are shared by none.
  void expand(const CaseScript& one, std::vector<CaseScript>& out, Diagnostics& mistakes) const {
    std::vector<std::size_t> picks(matrix_.axes.size(), 0);
    const std::size_t before = out.size();
    do {
      add(one, picks, out, mistakes);
    } while (step(picks));
    if (out.size() == before && mistakes.empty())
      mistakes.push_back({matrix_.at, "all variants of " + printable(one.name, 80) + " are excluded"});
  }

 private:
  void add(const CaseScript& one, const std::vector<std::size_t>& picks, std::vector<CaseScript>& out,
           Diagnostics& mistakes) const {
    Variant variant{number_, one.name, {}};
    for (std::size_t i = 0; i < picks.size(); ++i) variant.values.push_back(matrix_.axes[i].values[picks[i]]);
    if (is_excluded(matrix_, variant)) return;
    CaseScript script = one;
    script.name = variant.name();
    if (script.name.size() - script.name.rfind('/') - 1 > longest_name)
      return mistakes.push_back({matrix_.at, "the name " + printable(script.name, 400) + " is longer than " +
                                                 std::to_string(longest_name) + " bytes"});
    script.variant = std::make_shared<const Variant>(std::move(variant));
    out.push_back(std::move(script));
  }

  // The last axis turns fastest.
  bool step(std::vector<std::size_t>& picks) const {
    for (std::size_t i = picks.size(); i-- > 0;) {
      if (++picks[i] < matrix_.axes[i].values.size()) return true;
      picks[i] = 0;
    }
    return false;
  }

  Matrix matrix_;
  std::size_t number_;
};

// A word of `--set param.NAME=VALUE`.
struct GivenParam {
  std::string name;
  RawValue raw;
};

std::vector<GivenParam> given_params(std::span<const Override> overrides) {
  std::vector<GivenParam> given;
  for (const Override& word : overrides) {
    if (!word.key.starts_with(param_flag)) continue;
    const std::string name = word.key.substr(param_flag.size());
    given.push_back({name, untyped(word.value, {"--set param." + printable(name, 80)}, "--set")});
  }
  return given;
}

bool has_axis(const Matrix& matrix, const std::string& name) {
  return std::ranges::find(matrix.axes, name, &Axis::name) != matrix.axes.end();
}

bool is_mutable(const Matrix& matrix, const std::string& name) {
  return std::ranges::find(matrix.mutables, name) != matrix.mutables.end();
}

std::vector<std::string> shown_values(const Axis& axis) {
  return texts_of(axis.values, [&](const AxisValue& value) { return printable(value.value, 80); });
}

bool has_value(const std::vector<Matrix>& all, const std::string& axis, const std::string& text) {
  return std::ranges::any_of(all, [&](const Matrix& matrix) {
    const auto found = std::ranges::find(matrix.axes, axis, &Axis::name);
    return found != matrix.axes.end() &&
           std::ranges::find(found->values, text, &AxisValue::value) != found->values.end();
  });
}

// Return the matrix with the axes that `--set param.NAME=VALUE` sets narrowed to one of their values; one
// that has no such value, or that is not mutable, stays where another matrix has it so.
Matrix narrowed(Matrix matrix, const std::vector<Matrix>& all, const std::vector<GivenParam>& given,
                Diagnostics& mistakes) {
  for (const auto& [name, raw] : given) {
    const auto axis = std::ranges::find(matrix.axes, name, &Axis::name);
    if (axis == matrix.axes.end()) continue;
    const Status fits = name == size_axis ? check_size(raw) : check_axis_value(raw.text);
    const bool is_of_another =
        std::ranges::any_of(all, [&name = name](const Matrix& other) { return is_mutable(other, name); });
    if (!is_mutable(matrix, name) && is_of_another) continue;
    if (!is_mutable(matrix, name))
      mistakes.push_back({raw.at, "\"" + name + "\" is an axis, " + to_string(axis->at) +
                                      ", and not in mutable of " + shown_matrix(matrix) +
                                      "; choose variants by name, as \"*" + name + "=" +
                                      printable(raw.text, 80) + "*\", or make it mutable"});
    else if (!fits)
      mistakes.push_back({raw.at, fits.error().message});
    else if (!has_value(all, name, raw.text))
      mistakes.push_back({raw.at, "axis \"" + name + "\", " + to_string(axis->at) + ", has no value \"" +
                                      printable(raw.text, 80) + "\"; it has " +
                                      join(shown_values(*axis), ", ")});
    else if (has_value({matrix}, name, raw.text))
      std::erase_if(axis->values, [&raw = raw](const AxisValue& value) { return value.value != raw.text; });
  }
  return matrix;
}

void add_names(const Layer& layer, std::set<std::string>& names) {
  for (const TableEntry& entry : layer)
    if (entry.key.starts_with("env.")) names.insert(entry.key.substr(4));
}

// Return the parameters that the matrix speaks of, axes included.
std::set<std::string> parameters_of(const Matrix& matrix) {
  std::set<std::string> names(matrix.mutables.begin(), matrix.mutables.end());
  for (const Axis& axis : matrix.axes) names.insert(axis.name);
  add_names(matrix.layer, names);
  for (const VariantBlock& block : matrix.variants) add_names(block.params, names);
  for (const PlatformBlock& block : matrix.platforms) add_names(block.params, names);
  return names;
}

// Parameters that no matrix speaks of.
void check_flags(const std::vector<Matrix>& matrices, const std::vector<GivenParam>& given,
                 Diagnostics& mistakes) {
  std::set<std::string> names;
  for (const Matrix& matrix : matrices) names.merge(parameters_of(matrix));
  const std::vector<std::string> known(names.begin(), names.end());
  for (const auto& [name, raw] : given)
    if (!names.contains(name))
      mistakes.push_back(
          {raw.at, "no matrix has the parameter \"" + printable(name, 80) + "\"" +
                       (known.empty() ? "; there is no [matrix.\"CASE\"]" : did_you_mean(name, known))});
}

// Blocks of variants that there are not.
void check_blocks(const Matrix& matrix, std::size_t number, const std::vector<CaseScript>& all,
                  Diagnostics& mistakes) {
  for (const VariantBlock& block : matrix.variants) {
    const bool is_used = std::ranges::any_of(all, [&](const CaseScript& one) {
      return one.variant && one.variant->matrix == number &&
             glob_match(block.glob, std::string_view(one.name).substr(one.variant->base.size() + 1));
    });
    if (!is_used) mistakes.push_back({block.at, "no variant matches \"" + printable(block.glob, 80) + "\""});
  }
}

// Return which matrix the case is of; none where none is. Two are a mistake.
const Expander* expander_of(const std::vector<Expander>& all, const CaseScript& one, std::vector<bool>& used,
                            Diagnostics& mistakes) {
  const Expander* found = nullptr;
  for (std::size_t i = 0; i < all.size(); ++i) {
    if (!glob_match(all[i].matrix().glob, one.name)) continue;
    used[i] = true;
    if (found != nullptr)
      mistakes.push_back({all[i].matrix().at, printable(one.name, 80) + " is of two matrices; the other is " +
                                                  to_string(found->matrix().at)});
    else
      found = &all[i];
  }
  return found;
}

// What is protected of a variant: who set it first.
struct FirstSetter {
  std::string value;
  std::string place;
  bool is_axis = false;
};

// Return the variable that the entry sets, or `size`; "" of another setting.
std::string protected_name(const TableEntry& entry, bool has_size) {
  if (entry.area != Area::setting) return "";
  const std::string_view setting = setting_of(entry.key);
  if (setting == "nodes" || setting == "devices") return std::string(size_axis);
  if (!entry.key.starts_with("env.")) return "";
  const std::string name = entry.key.substr(4);
  return has_size && is_of_size(name) ? std::string(size_axis) : name;
}

std::string changed_words(const std::string& name, const FirstSetter& first, const Matrix& matrix) {
  if (first.is_axis)
    return name + " is an axis of " + shown_matrix(matrix) + ", " + first.value + " at " + first.place +
           ": choose variants by name, or narrow the axis with --set param.NAME=VALUE";
  return name + " is " + printable(first.value, 80) + " at " + first.place + ", and not in mutable of " +
         shown_matrix(matrix) + ": take one of the two back, or make it mutable";
}

// Read what a platform has of its own for the cases of a matrix.
void read_platform_block(const std::string& platform, const Branch& block, std::vector<Matrix>& matrices,
                         Diagnostics& mistakes) {
  const auto matrix = std::ranges::find(matrices, block.key, &Matrix::glob);
  if (matrix == matrices.end())
    return mistakes.push_back({block.at, "there is no [matrix.\"" + printable(block.key, 80) + "\"]"});
  PlatformBlock own{platform, {}};
  for (const Branch& key : block.tree.branches) {
    if (key.key == "params")
      read_params(key.tree, own.params, mistakes);
    else
      mistakes.push_back({key.at, unknown("key", key.key, std::vector<std::string>{"params"}) +
                                      "; axes are the matrix's own"});
  }
  validate(own.params, mistakes);
  matrix->platforms.push_back(std::move(own));
}

}  // namespace

std::vector<Matrix> read_matrices(const TomlTree& table, Diagnostics& mistakes) {
  std::vector<Matrix> matrices;
  for (const Branch& branch : table.branches) {
    if (branch.tree.is_table())
      matrices.push_back(MatrixReader(branch, mistakes).read(branch.tree));
    else
      mistakes.push_back(
          {branch.at, "[matrix] holds tables named by cases, such as [matrix.\"glm/pretrain\"]"});
  }
  return matrices;
}

void read_platform_blocks(const TomlTree& table, std::vector<Matrix>& matrices, Diagnostics& mistakes) {
  for (const Branch& platform : table.branches) {
    if (!platform.tree.is_table())
      mistakes.push_back(
          {platform.at,
           "[platform] holds tables named by globs of platforms, such as [platform.\"ascend-*\".matrix]"});
    for (const Branch& key : platform.tree.branches) {
      if (key.key != "matrix")
        mistakes.push_back({key.at, unknown("key", key.key, std::vector<std::string>{"matrix"})});
      else if (!key.tree.is_table())
        mistakes.push_back({key.at, "matrix holds tables named by cases"});
      else
        for (const Branch& block : key.tree.branches)
          read_platform_block(platform.key, block, matrices, mistakes);
    }
  }
}

bool is_narrowed(const std::vector<Matrix>& matrices, std::span<const Override> overrides) {
  return std::ranges::any_of(given_params(overrides), [&](const GivenParam& one) {
    return std::ranges::any_of(matrices, [&](const Matrix& matrix) { return has_axis(matrix, one.name); });
  });
}

std::vector<CaseScript> expand_matrices(const std::vector<Matrix>& matrices,
                                        std::span<const CaseGroup> groups, std::vector<CaseScript> cases,
                                        std::span<const Override> overrides, Unmatched unmatched,
                                        Diagnostics& mistakes) {
  const std::vector<GivenParam> given = given_params(overrides);
  check_flags(matrices, given, mistakes);
  if (matrices.empty()) return cases;
  std::vector<Expander> expanders;
  for (std::size_t i = 0; i < matrices.size(); ++i)
    expanders.emplace_back(narrowed(matrices[i], matrices, given, mistakes), i);
  std::vector<bool> used(matrices.size(), false);
  const auto names = texts_of(cases, &CaseScript::name);
  std::vector<CaseScript> all;
  for (CaseScript& one : cases) {
    const Expander* const found = expander_of(expanders, one, used, mistakes);
    if (found == nullptr) {
      all.push_back(std::move(one));
      continue;
    }
    if (all.size() + found->size() > most_variants) {
      mistakes.push_back({found->matrix().at, "more than " + std::to_string(most_variants) + " variants"});
      break;
    }
    found->expand(one, all, mistakes);
  }
  for (std::size_t i = 0; i < matrices.size(); ++i) {
    if (used[i] && !is_narrowed(matrices, overrides)) check_blocks(matrices[i], i, all, mistakes);
    if (!used[i] && unmatched == Unmatched::mistake)
      mistakes.push_back({matrices[i].at, no_case_matches(matrices[i].glob, groups, names)});
  }
  std::ranges::sort(all, {}, &CaseScript::name);
  return all;
}

Layer layer_of(const Variant& variant) {
  Layer layer;
  for (const AxisValue& one : variant.values) {
    const std::string key = one.axis == size_axis ? "devices" : "env." + one.axis;
    layer.push_back({Area::setting, "", {}, key, untyped(one.value, one.at, one.origin)});
  }
  return layer;
}

Layer params_of(const Matrix& matrix, std::span<const Override> overrides) {
  Layer layer;
  const std::vector<GivenParam> given = given_params(overrides);
  if (given.empty()) return layer;
  const std::set<std::string> known = parameters_of(matrix);
  for (const auto& [name, raw] : given)
    if (known.contains(name) && !has_axis(matrix, name))
      layer.push_back({Area::setting, "", {}, "env." + name, raw});
  return layer;
}

void check_params(const Matrix& matrix, std::span<const ParamLayer> layers, Diagnostics& mistakes) {
  const bool has_size = matrix.axes.front().name == size_axis;
  std::set<std::string> protected_ones;
  for (const auto& [layer, kind] : layers)
    if (kind != ParamLayer::Kind::other)
      for (const TableEntry& entry : *layer) protected_ones.insert(protected_name(entry, has_size));
  protected_ones.erase("");
  std::map<std::string, FirstSetter> first;
  for (const auto& [layer, kind] : layers)
    for (const TableEntry& entry : *layer) {
      const std::string name = protected_name(entry, has_size);
      if (!protected_ones.contains(name)) continue;
      const auto [set, is_first] = first.try_emplace(
          name, FirstSetter{entry.raw.text, entry.raw.origin, kind == ParamLayer::Kind::axes});
      if (!is_first && (set->second.is_axis || !is_mutable(matrix, name)))
        mistakes.push_back({entry.raw.at, changed_words(name, set->second, matrix)});
    }
}

Result<std::string> variant_beside(const Variant& variant, std::string_view words) {
  Variant other = variant;
  for (const std::string_view word : split(words.substr(1), ',')) {
    const auto [axis, value] = key_and_value(word).value_or(KeyAndValue{size_axis, word});
    const auto found = std::ranges::find(other.values, axis, &AxisValue::axis);
    if (found == other.values.end())
      return fail("\"" + printable(words, 80) + "\": the matrix has no axis " + printable(axis, 80));
    found->value = value;
  }
  return other.name();
}

}  // namespace gate::config
