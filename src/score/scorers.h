// A scorer for each kind of metric. The options are such as make_text_scorer() lets through.
#pragma once

#include <memory>

#include "gate/score/text.h"

namespace gate::score {

std::unique_ptr<TextScorer> make_bleu_scorer(const TextOptions& options, std::size_t golden_files);

}  // namespace gate::score
