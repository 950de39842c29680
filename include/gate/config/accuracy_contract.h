// What the environment of a container asks of an accuracy test of a model hub. Variables in, values out:
// nothing here reads the process's own environment.
//
// Several generations of scripts and services call the same things by different names. Each thing has one
// canonical name and aliases; any of them may be set, two of them only to the same value. A value counts
// without blanks around it, and an empty one is not set.
#pragma once

#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "gate/config/policy.h"
#include "gate/model/numbers/accuracy.h"
#include "gate/model/numbers/decimal.h"
#include "gate/model/rules/rule.h"

namespace gate::config {

// What stands in `container.image` for the contract's IMAGE_NAME.
inline constexpr std::string_view image_hole = "{env.IMAGE_NAME}";

using ContractVariables = std::map<std::string, std::string>;

// One variable of the contract, for the manual too.
struct ContractRow {
  std::string_view name;     // canonical: `MODEL_OWNER`
  std::string_view aliases;  // separated by blanks; "" is none
  std::string_view doc;      // one line
};

// Return all variables of the contract. No name stands twice, be it canonical or an alias.
std::span<const ContractRow> contract_rows();

// A test, as asked for.
struct AccuracyContract {
  std::string owner, model;    // each the name of a folder
  std::string commit;          // of the model; "": the newest
  std::string model_template;  // "": not told
  TestType test_type = TestType::accuracy;
  ModelTestType model_test_type = ModelTestType::inference;
  bool run_as_baseline = false;                    // its output becomes a baseline; nothing is compared
  std::string baseline_name;                       // [a-zA-Z0-9_-][a-zA-Z0-9_.-]{0,31}, or ""
  std::string baseline_id;                         // opaque, the name of a folder; "": not told
  std::string metric = "bleu";                     // gate's name of it
  bool keeps_tolerance = false;                    // gate.toml's; else the following two
  Decimal threshold;                               // a fraction where the metric is one: 0.75
  Bound::Kind comparison = Bound::Kind::at_least;  // of value and threshold; one with a sign (model/rule.h)
  std::string input_file;                          // "": the test needs none, or its commands know it
  std::string golden_file;   // what OUTPUT_FILE_PATH and _NAME say: read, never written; "": the case's own
  std::string dataset;       // "": not told
  int cards = 1;             // 1, 2, 4 or 8
  bool tells_cards = false;  // and somebody said so
  std::string image;         // the name of one; "": not told, as those that follow
  std::string git_url;       // for git, of a transport that runs no program
  std::string framework;     // a word
  std::string framework_version, cann_version;
  std::string test_id;           // the name of a folder; "": not told
  std::string bucket, endpoint;  // of the object store; "": not told

  // Tell whether the output is held against the golden file.
  bool is_comparison() const { return test_type == TestType::accuracy && !run_as_baseline; }
};

// What gate.toml says of the output of a case.
struct OwnBound {
  std::string metric = {};          // gate's name of it; "": it says none
  std::optional<Bound> bound = {};  // a constant; none: it says none, or says more than one
  bool has_tolerance = false;       // which `bound` is, if there is one
  bool is_unknown = false;          // nobody has asked: what depends on it is not looked at
};

// Return the test that the variables ask for; others than the contract's are passed over. Fails with all
// mistakes at once, in the order of contract_rows(); each names the variable, what is wrong and what is
// allowed:
//   - two names of one thing with different values;
//   - a value with control characters or bytes that are no UTF-8, or longer than 4096 bytes;
//   - MODEL_OWNER or MODEL_NAME missing; these, COMMIT_ID, BASELINE_ID and ACCURACY_TEST_ID become folders,
//     INPUT_FILE_NAME and OUTPUT_FILE_NAME files: each a single part of a path of at most 255 bytes, not
//     `.` or `..`, without a dash in front;
//   - words outside of their vocabulary; numbers that are none;
//   - a metric that is not known, an operator against its better side, a bound that every value keeps or that
//     none can (`bleu >= 0`, `bleu > 1`), a metric without a default whose THRESHOLD is missing;
//   - a metric of text for a comparison of trainings, which have losses;
//   - an image, a framework or a version of other letters than such names have, a GIT_URL that is no address.
// What is missing of METRIC, THRESHOLD and OPERATOR, and not told by gate.toml, is that of the default, `bleu
// >= 0.75` of inference and `mean_relative_error <= 0.02` of training; of another metric the operator follows
// from its better side. TEST_TYPE is accuracy_test unless told, MODEL_TEST_TYPE training where there is a
// DATASET_INFO, else inference; RUN_AS_BASELINE false, so that a golden file that was forgotten is a mistake
// and not a baseline.
//
// A file's *_PATH is the whole path, or a URL, its *_NAME the path's last part; a name alone is a path below
// the folder where the test runs. Where both are told: the path if it ends in the name; PATH/NAME if the path
// ends in a slash or in a part without an extension (it is a folder); else a mistake.
//
// What the case's own output says stands where METRIC, THRESHOLD and OPERATOR say nothing: its metric, and
// its limit where the metric is that one.
Parsed<AccuracyContract> read_accuracy_contract(const ContractVariables& variables, const OwnBound& own = {});

// Return gate's name of the metric of an output that METRIC, or gate.toml, names in any of its words: bleu of
// `BLEU`, max_abs_error of `绝对误差`; another word as it is.
std::string metric_named(std::string_view word);

// Tell whether gate's metric of that name lays text side by side; and return those of numbers, such as
// losses.
bool is_metric_of_text(std::string_view name);
std::vector<std::string> number_metrics();

// Return the variables for the test's commands: each thing that is set, under its canonical name and all its
// aliases, so that scripts of either naming work. Of two values under names of one thing, which
// read_accuracy_contract refuses, the canonical name's counts, then that of the first alias.
ContractVariables contract_variables(const ContractVariables& variables);

}  // namespace gate::config
