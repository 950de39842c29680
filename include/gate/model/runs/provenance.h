// Where recorded numbers come from, and in what two such places differ.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "gate/base/sentence.h"
#include "gate/model/runs/fingerprint.h"

namespace gate {

// Empty strings are unknown.
struct Provenance : Fingerprint {
  std::string gate_version;
  std::string date;  // ISO 8601
  std::string host;
  std::string device;  // model
  int device_count = 0;
  std::string commit;
  std::string script_sha256;
  std::string run;     // run id, or the imported file
  std::string source;  // of a golden file that was imported: its path from the suite's folder
  std::string source_sha256;
  std::vector<std::string> args;
  std::vector<std::string> set;  // --set words that were in force
  // What its log says of its own set-up: `world_size`, `data_parallel_size`, `global_batch_size`,
  // `seq_length`, `precision` -> value; and of files that ask for it beside its script, `config_A100x1x8.py`
  // -> the beginning of its sha256.
  std::map<std::string, std::string> setup = {};
  bool ended_well = true;                                   // false: the run did not end with exit 0
  std::map<std::string, std::string> script_switches = {};  // that its text, words and variables set
};

// Return its switches: those of its processes and, unless a Python of it was read, which has all that the
// script gave it, those of the script. None: no process was read, and the script sets none.
KnownSwitches known_switches(const Provenance& provenance);

// Return what these say of a run; nothing where there are none.
std::optional<DeterminismTold> determinism_of(const Provenance& provenance);

// Return a fact of its set-up that is a count, `world_size` or `data_parallel_size`; nothing where it is not
// told, or is no number from 1.
std::optional<std::int64_t> setup_count(const Provenance& provenance, const std::string& fact);

// The set-up's fact of which nodes of several printed nothing: `1`, `1-3`, `none`.
inline constexpr std::string_view silent_nodes_fact = "silent_nodes";

// The fact's name of a script, a case's arguments and its settings of the command line.
inline constexpr std::string_view script_fact = "script", args_fact = "ARGS", set_fact = "--set";

// Return in what a run differs from the one that its baseline was recorded by: what is likeliest to move
// numbers first, the set-up before all else. Values are printable and cut, commits short. What either side
// does not know is left out, and all but the set-up where either was no run on a host: an imported file, a
// log.
std::vector<FactChange> differences(const Provenance& baseline, const Provenance& run);

// Return of these the set-up alone.
std::vector<FactChange> setup_differences(const Provenance& baseline, const Provenance& run);

// Return it for people: `toolkit CANN 8.0.RC2 -> CANN 8.0.RC3`, `HCCL_DETERMINISTIC unset -> true`, `the
// script changed`.
Sentence text(const FactChange& change);

// Return it as files have it: its English text. What is written otherwise has a name alone.
std::string to_string(const FactChange& change);
FactChange parse_fact_change(std::string_view words);

// Return each one's.
std::vector<Sentence> sentences_of(const std::vector<FactChange>& changes);
std::vector<std::string> to_strings(const std::vector<FactChange>& changes);

// What a run ran on as facts: `image`, `torch`, `toolkit`, `switches` -> value. What is not known is left
// out; so is the host, which runs have by themselves.
using EnvironmentFacts = std::map<std::string, std::string>;
EnvironmentFacts environment_facts(const Provenance& provenance);

// Return what changed of the facts that both know, by name: `image train:1 -> train:2`.
std::vector<FactChange> environment_changes(const EnvironmentFacts& from, const EnvironmentFacts& to);

}  // namespace gate
