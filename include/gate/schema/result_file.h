// gate.result/1, both directions, and series of a run as JSON and CSV.
#pragma once

#include <functional>
#include <string>
#include <string_view>

#include "gate/base/result.h"
#include "gate/model/reports/report.h"
#include "gate/model/runs/extraction.h"

namespace gate::schema {

// Return the JSON text of a report (docs/schema/gate.result.1.json), with a final newline. Numbers keep their
// own text; what is no finite JSON number ("nan", "10.47..10.49", "+8.6 %") is a string. Bytes that are no
// UTF-8 become U+FFFD.
std::string write_result(const Report& report);

// Return the report of such a text, or an error with `name:line:column`. Unknown keys are passed over: newer
// gates may add some.
Result<Report> read_result(std::string_view text, const std::string& name);

// Return one case as the JSON text that stands in result.json under `cases`.
std::string write_case(const CaseReport& report);
Result<CaseReport> read_case(std::string_view text, const std::string& name);

// Return a suite's triage as the JSON text that stands in result.json under `triage`.
std::string write_triage(const Triage& triage);

enum class WhichAttempts { judged, all };

// Takes the next piece of a text.
using TakeText = std::function<void(std::string_view)>;

// Write the extraction, piece by piece, as JSON: files, formats, matches, problems, attempts, series. A
// sample is `{"number", "value", "file", "line"}`, `file` an index into `files`, the value null where it was
// left out and a string where it is not finite. With WhichAttempts::all every attempt holds its series too.
void write_extraction(const Extraction& extraction, WhichAttempts attempts, const TakeText& take);

// Write the samples, piece by piece, as CSV with the header `metric,rank,number,value,unit,file,line`; with
// WhichAttempts::all a first column `attempt`. Values are as printed, normalised to the metric's unit where
// the log printed another.
void write_csv(const Extraction& extraction, WhichAttempts attempts, const TakeText& take);

}  // namespace gate::schema
