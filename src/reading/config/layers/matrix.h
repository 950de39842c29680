// [matrix."GLOB"] tables: cases that are run once for each choice of values of some axes.
//
// What a matrix says of a variant's variables is a list that protects: a parameter that one layer sets and a
// later one sets again must be `mutable`. The layers are the matrix, [platform."GLOB".matrix."GLOB"], the
// [case."GLOB"] blocks, the matrix's own variants and the command line.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "config/layers/layers.h"
#include "config/toml/toml_tree.h"
#include "gate/base/diagnostics.h"
#include "gate/config/case_names.h"
#include "gate/config/policy.h"

namespace gate::config {

struct Axis {
  std::string name;
  Position at;
  std::vector<AxisValue> values;  // one at least, each once
};

// Variants that are none: those with all of the values.
struct Exclusion {
  Position at;
  std::vector<AxisValue> values;  // one at least
};

// Parameters of some variants: `variant."1x8*"`.
struct VariantBlock {
  std::string glob;  // of what stands behind the `@`
  Position at;
  Layer params;  // as `env.NAME`
};

// Parameters on some platforms: [platform."GLOB".matrix."GLOB"].
struct PlatformBlock {
  std::string platform;  // glob
  Layer params;          // as `env.NAME`
};

struct Matrix {
  std::string glob;  // of the cases
  Position at;
  std::vector<Axis> axes;  // size first
  std::vector<Exclusion> exclusions;
  std::vector<std::string> mutables;
  Layer layer;  // `repeat`, and parameters as `env.NAME`
  std::vector<VariantBlock> variants;
  std::vector<PlatformBlock> platforms;
};

// Return the matrices of [matrix], with the mistakes in them added.
std::vector<Matrix> read_matrices(const TomlTree& table, Diagnostics& mistakes);

// Add what [platform] says to the matrices of the same glob, with the mistakes in it.
void read_platform_blocks(const TomlTree& table, std::vector<Matrix>& matrices, Diagnostics& mistakes);

// Return the cases with those that are of a matrix replaced by their variants, sorted by name. `--set
// param.NAME=VALUE` narrows an axis that is mutable to its value. Added are mistakes of the matrices that the
// cases show: one that is of no case, or two that are of one, exclusions of all variants or of none, more
// than 100,000 variants; and parameters of `--set param.NAME=VALUE` that no matrix has.
std::vector<CaseScript> expand_matrices(const std::vector<Matrix>& matrices,
                                        std::span<const CaseGroup> groups, std::vector<CaseScript> cases,
                                        std::span<const Override> overrides, Unmatched unmatched,
                                        Diagnostics& mistakes);

// Tell whether a `--set param.NAME=VALUE` narrows an axis of one of them.
bool is_narrowed(const std::vector<Matrix>& matrices, std::span<const Override> overrides);

// Return what a variant is by its axes: nodes and devices, and the variables as `env.NAME`.
Layer layer_of(const Variant& variant);

// Return what the words of `--set param.NAME=VALUE` set for variants of the matrix, as far as it speaks of
// it; axes left out.
Layer params_of(const Matrix& matrix, std::span<const Override> overrides);

// One layer of what may set the variables of a variant.
struct ParamLayer {
  enum class Kind { axes, params, other };  // what `other` alone sets is protected from nobody
  const Layer* layer = nullptr;
  Kind kind = Kind::params;
};

// Report parameters that a later layer sets although an earlier one did, and they are not mutable; and axes
// that are set by anything but the matrix.
void check_params(const Matrix& matrix, std::span<const ParamLayer> layers, Diagnostics& mistakes);

// Return the name of the variant that `@1x1,TP=2` means beside this one: the same but for these values. Fails
// for an axis that there is not.
Result<std::string> variant_beside(const Variant& variant, std::string_view words);

}  // namespace gate::config
