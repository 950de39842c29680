// Which attempt is judged.
#pragma once

#include <span>

#include "extract/attempts/resolve_attempts.h"
#include "gate/extract/extractor.h"
#include "gate/model/runs/extraction.h"

namespace gate::extract {

// Move all attempts into the extraction and set what is judged: the last one, or the one that was asked for,
// and what was asked for of others. An attempt that starts later than the one before resumed: the steps
// before its first come from that one. If nobody can tell what these are, nothing is judged, and the doubt is
// told.
void judge_attempt(Resolution resolution, AttemptChoice choice, std::span<const AttemptMetric> beside,
                   const MetricTable& metrics, Extraction& extraction, ProblemLog& problems);

}  // namespace gate::extract
