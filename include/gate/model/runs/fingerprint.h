// What a script ran on, as far as numbers may hang on it: software, and the switches that choose how it
// computes.
#pragma once

#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace gate {

// What a switch chooses.
enum class SwitchKind {
  determinism,   // whether two runs print the same; costs speed
  fused,         // which operators run, as one or one by one, and when
  availability,  // what is kept and done for the case of a fault; costs memory and speed
};

// What a switch of determinism says of a run by itself.
enum class SwitchSays {
  nothing,           // others are needed beside it
  deterministic,     // where it is on
  nondeterministic,  // where it is on; where it is off, deterministic
};

// A variable of the environment, or a flag of the command line: what begins with `--`.
struct SwitchRow {
  std::string_view name;
  SwitchKind kind;
  SwitchSays says = SwitchSays::nothing;
};

// Return all switches that are recorded.
std::span<const SwitchRow> switch_rows();

// Return the Python packages whose versions are recorded, those likeliest to move numbers first.
std::span<const std::string_view> fingerprint_packages();

// Return the name as all spellings of it are compared: `torch-npu` of `Torch_NPU`.
std::string package_key(std::string_view name);

// Switch -> value, of those that are set; a flag without a value is `set`. None: nobody could look.
using Switches = std::optional<std::map<std::string, std::string>>;

// What is known of a run's switches.
struct KnownSwitches {
  Switches set;
  bool has_python = false;  // a Python was read, which has all that is set
};

// Empty strings are unknown.
struct Fingerprint {
  std::string driver;                           // of the accelerators: `24.1.rc2`
  std::string firmware;                         // likewise
  std::string toolkit;                          // `CANN 8.0.RC2`, `CUDA 12.4.1`, `ROCm 6.2.4`
  std::string kernel;                           // of the system: `5.10.0-60.18.0.50`
  std::string image;                            // of the container
  std::string python;                           // version
  std::map<std::string, std::string> packages;  // of fingerprint_packages() -> version
  Switches switches;

  bool operator==(const Fingerprint&) const = default;
};

// Return how much is known: 0 nothing, 1 switches, 2 a Python, 3 its packages.
int knowledge_of(const Fingerprint& seen);

// Return the switches that the words set: `environ` and `cmdline` as /proc has them, each word ended by a
// zero byte. A command line may set variables for another command, whose words may be one word of it. Values
// are printable, and short.
std::map<std::string, std::string> switches_in(std::string_view environ, std::string_view cmdline);

// Whether a run prints the same each time, as its switches say, and which of them: `HCCL_DETERMINISTIC=true`.
struct DeterminismTold {
  bool is_deterministic = false;
  std::string by;  // "": no switch says anything; where none is on, one that is off
  bool operator==(const DeterminismTold&) const = default;
};

// Return what the switches say: one that allows what is not deterministic is the last word, then any that is
// on. Where none says anything, or they are not known, the run is not deterministic.
DeterminismTold determinism_of(const Switches& switches);

// What is said of a switch that may have been set.
inline constexpr std::string_view not_read = "not known";

// A fact of two runs that is not the same in both.
struct FactChange {
  std::string name;
  std::string from, to;  // `none` of no words, `unset` of a switch that is not set; both "" of a script
  auto operator<=>(const FactChange&) const = default;
};

// Return the switches that have another value, in the order of switch_rows(); none where one side is unknown.
// Upper and lower case are the same. Where one side alone had a Python that was read, the other's ended
// before anybody looked: what it lacks is not_read, and no change.
std::vector<FactChange> changed_switches(const KnownSwitches& from, const KnownSwitches& to);

// Return the first determinism switch that has changed, or is set on one side and not_read on the other.
std::optional<FactChange> changed_determinism(const KnownSwitches& from, const KnownSwitches& to);

}  // namespace gate
