// Kinds of lines that everything built on the Trainer of Hugging Face transformers prints.
#pragma once

#include <array>
#include <span>
#include <string_view>

#include "extract/records/record_kind.h"

namespace gate::extract {

inline constexpr std::array<std::string_view, 1> evaluation_needs{"eval_loss"};

// As a dictionary names a loss: other lines are full of losses, too.
inline constexpr std::array<std::string_view, 2> loss_names{"loss'", "loss\""};

constexpr RecordKind training_start(std::string_view extractor) {
  return {.extractor = extractor,
          .literal = "***** Running training *****",
          .head = R"(\*\*\*\*\* Running training \*\*\*\*\*)",
          .role = Role::start};
}

constexpr RecordKind evaluation(std::string_view extractor, std::span<const FieldRow> fields) {
  return {.extractor = extractor,
          .literal = "eval_loss",
          .head = R"(\{)",
          .fields = fields,
          .body = Body::literal,
          .role = Role::follower,
          .needs = evaluation_needs};
}

}  // namespace gate::extract
