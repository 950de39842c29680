// Format `torchtitan`: every rank prints its own line, the loss being that of all of them; where only the
// last pipeline stage has one, the others print -1. The speed is that of a device. Ranks share a terminal: a
// line may be broken by another rank's, whose prefix is then read within the line. Versions before 2025 print
// `wps` for `tps` and neither grad_norm nor tflops.
//
//   [rank0]:[titan] 2026-05-18 16:04:46,338 - root - INFO - step: 14  loss:  3.24405  grad_norm:  0.8319
//   memory:  9.46GiB(64.99%)  tps: 7,282  tflops: 0.52  mfu: 0.17%
#include <array>

#include "extract/records/record_kind.h"
#include "extract/records/table_formats.h"

namespace gate::extract {

namespace torchtitan {
namespace {

constexpr std::array fields{
    FieldRow{.printed = "loss", .metric = "lm_loss", .filler = "-1"},
    FieldRow{"grad_norm", "grad_norm"},
    FieldRow{"memory", "memory_max_reserved", {1, 0}, Scope::rank},
    with_thousands({"tps", "tokens_per_second", {1, 0}, Scope::rank}),
    with_thousands({"wps", "tokens_per_second", {1, 0}, Scope::rank}),
    FieldRow{"tflops", "throughput", {1, 0}, Scope::rank},
    FieldRow{.printed = "mfu", .metric = "mfu", .scope = Scope::rank, .when = Printed::sometimes},
};

constexpr std::array validation_fields{
    FieldRow{.printed = "loss", .metric = "validation_loss", .filler = "-1"}};

constexpr std::array expected{FieldRow{"loss", "lm_loss"}};

// Parted by two blanks or more. A word ends at a bracket, with which the next rank's line begins; another one
// than that of `[rank1]` and `[default1]` may begin a word, which is a list.
constexpr std::string_view blank_fields = R"((?:^| )([a-z_]+): +([^\s\[]+|\[[^\srd][^\s\[]*))";

constexpr std::array kinds{
    RecordKind{
        .extractor = "torchtitan.validation",
        .literal = "validate step:",
        .head =
            R"((?:\[(?:rank|default)(?P<rank>\d+)\]:(?:\[titan\])?[^\[]*?)?\bvalidate step: +(?P<step>\d+) )",
        .fields = validation_fields,
        .body = Body::fields,
        .role = Role::follower,
        .pattern = blank_fields},
    RecordKind{
        .extractor = "torchtitan.step",
        .literal = "step:",
        .head = R"((?:\[(?:rank|default)(?P<rank>\d+)\]:(?:\[titan\])?[^\[]*?)?\bstep: +(?P<step>\d+)  )",
        .fields = fields,
        .body = Body::fields,
        .pattern = blank_fields,
        .last = "mfu",
        .expected = expected},
};

}  // namespace
}  // namespace torchtitan

FormatSpec torchtitan_format() {
  return make_format({.row = {"torchtitan", "torchtitan: one line per step and rank, plain or coloured"},
                      .kinds = torchtitan::kinds,
                      .ranks = RankSource::prefix});
}

}  // namespace gate::extract
