// A scorer for each metric. The options are such as make_text_scorer() lets through.
#pragma once

#include <memory>

#include "gate/score/text_score.h"

namespace gate::score {

using MakeScorer = std::unique_ptr<TextScorer>(const TextOptions& options, std::size_t golden_files);

MakeScorer make_bleu_scorer, make_chrf_scorer, make_ter_scorer, make_rouge1_scorer, make_rouge2_scorer,
    make_rouge_sequence_scorer, make_rouge_summary_scorer, make_exact_match_scorer,
    make_edit_similarity_scorer, make_character_error_scorer, make_word_error_scorer,
    make_first_divergence_scorer;

}  // namespace gate::score
