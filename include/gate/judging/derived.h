// Metrics that are derived: their series beside those that were read, of a run and of what it is judged
// against. They are derived whenever they are needed and stored nowhere, so a baseline that is older than a
// formula has its values too.
//
// A metric that has a formula is derived always: series of its name that a log prints, or that a baseline
// holds, are left out.
#pragma once

#include <map>
#include <set>
#include <string>
#include <vector>

#include "gate/base/sentence.h"
#include "gate/config/policy.h"
#include "gate/model/reports/report.h"
#include "gate/model/runs/baseline.h"
#include "gate/model/runs/extraction.h"

namespace gate::app {

// The run of another case, beside which a case is judged.
struct Partner {
  Sentence lacking;       // why there is none; "" if there is one
  Extraction extraction;  // with what its own case computes
  Reference reference;
  std::vector<Extraction> further = {};            // its further runs, where it has several
  std::map<std::string, Sentence> underived = {};  // its metrics that cannot be derived, and why
};
using Partners = std::map<std::string, Partner, std::less<>>;  // by the name of the case

// Return the partners as the case's run of that number, from 0, is judged beside them: with the run of theirs
// of the same number, else the first.
Partners beside_run(const Partners& partners, std::size_t number);

// Add the derived series, of the judged attempt and of each. What needs a partner that is not there, or a
// number that the case does not tell on the platform ("" is not known), is absent.
void derive_series(Extraction& run, const config::Case& spec, const std::string& platform,
                   const Partners& partners);

// Return the same as it is judged, with the derived series.
Extraction with_derived(const config::Case& spec, Extraction run, const std::string& platform,
                        const Partners& partners);
Reference with_derived(const config::Case& spec, Reference reference, const std::string& platform,
                       const Partners& partners);

// Return the metrics that cannot be derived for want of a partner, or of a number that the case or a partner
// does not tell, or that the run's log, if one is given, tells otherwise; and why.
std::map<std::string, Sentence> underived(const config::Case& spec, const std::string& platform,
                                          const Partners& partners, const Extraction* log = nullptr);

// Return those of them that have a rule.
std::map<std::string, Sentence> withheld(const config::Case& spec, const std::string& platform,
                                         const Partners& partners, const Extraction& log);

// Return the metrics of the case's formulas, and those derived from them, that name another case of this run
// which is no part of it or did not end whole, or use a number that the run's log tells otherwise. A run
// alone, as of a log, has no partners, and lacks none.
std::set<std::string> without_inputs(const config::Case& spec, const std::string& platform,
                                     const Partners& partners, const Extraction& log);

// Put into the checks of derived metrics their formula, and beside a first miss what the formula was given
// there, on the report's platform. `run` holds the derived series.
void add_formulas(CaseReport& report, const config::Case& spec, const Extraction& run,
                  const Partners& partners);

// Note which series of the log as it was read are not judged, and for want of which metric the run or its
// reference, derived series included, lacks one that has a rule.
void note_derivations(CaseReport& report, const config::Case& spec, const Extraction& read,
                      const Extraction& run, const Reference& reference);

}  // namespace gate::app
