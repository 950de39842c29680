// What is worth knowing about a case besides its checks, as lines without indentation.
#pragma once

#include <string>
#include <vector>

#include "gate/model/reports/report.h"

namespace gate::render {

enum class OwnClocks { left_out, listed };  // of gate, that no rule names

// Return `throughput, tokens_per_second: not in the baseline`, one line a reason; absent alternatives are
// left out.
std::vector<Sentence> ungated_words(const std::vector<Ungated>& ungated, OwnClocks clocks);

// Return what is ungated, for one reason, in every case that ran, of which there are two or more; gate's own
// clocks and absent alternatives are left out.
std::vector<Ungated> ungated_in_all(const Report& report);

// Tell whether it is ungated for what the rules and the baseline say, and so is in every run.
bool stands(const Ungated& entry);

// Return the notes that say in every run what they said in the last one, as `lm_loss: bit-equal`, each once;
// none where fewer than two cases ran.
std::vector<Sentence> standing_notes(const Report& report);

// Return the case's notes, one line each.
std::vector<Sentence> notes_of(const CaseReport& report);

// Return `train.log:34: step 3: no lm loss printed`, one line a problem.
std::vector<Sentence> problem_words(const std::vector<Problem>& problems);

// Return `train.log:57: RuntimeError: NPU out of memory. Tried ... (8 times)`.
Sentence cause_words(const KnownMessage& cause);

// Tell whether it is worth a word how the script ended: not well, or well and too early.
bool has_telling_end(const CaseReport& one);

// Return how it ended; empty where that is worth no word, or where it is the reason of the verdict: of all
// but regressed and incomplete cases.
Sentence end_beside(const CaseReport& one);

}  // namespace gate::render
